import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, encodeHex } from '../../../core/bytes.ts'
import { parseSolana } from '../../../core/transaction/solana.ts'
import {
  addressOf,
  batch,
  factsOf,
  otherAddress,
  outcomeOf,
  signerOf,
  TABLE,
  TOKEN,
  tokenData,
  tokensOf,
  transferData,
  wireOf,
  withTables,
  type Wire,
} from './solana-transactions.ts'

const it = suite('refused Solana transactions')

const minimal = wireOf({})
/** The bytes with others in the place of some. */
const spliced = (at: number, removed: number, added: readonly number[]): Uint8Array =>
  concat([minimal.subarray(0, at), Uint8Array.from(added), minimal.subarray(at + removed)])

const INVALID = 'INVALID_TRANSACTION'
const UNSUPPORTED = 'UNSUPPORTED_TRANSACTION_TYPE'
const key = addressOf(1)
const refusals: readonly (readonly [string, Wire | Uint8Array, string])[] = [
  ['nothing', new Uint8Array(), INVALID],
  ['a message without slots for signatures', minimal.subarray(65), INVALID],
  ['a message of version 0 without slots', wireOf({ version: 0 }).subarray(65), INVALID],
  ['slots without a message', minimal.subarray(0, 65), INVALID],
  ['no signatures', { header: [0, 0, 0], signatures: [] }, INVALID],
  ['more slots than signers', { signatures: [new Uint8Array(64), new Uint8Array(64)] }, INVALID],
  ['more signers than slots', { header: [2, 0, 1], signatures: [new Uint8Array(64)] }, INVALID],
  ['more signers than keys', { header: [4, 0, 0] }, INVALID],
  ['more signers and accounts that are not written than keys', { header: [1, 0, 3] }, INVALID],
  ['a payer that is not written', { header: [1, 1, 0] }, INVALID],
  ['no keys', { keys: [] }, INVALID],
  ['a key twice', { keys: [key, otherAddress(2), key] }, INVALID],
  ['a signer twice', { header: [2, 0, 0], keys: [key, key] }, INVALID],
  ['an account that is not there', { instructions: [[2, [3], '']] }, INVALID],
  ['a program that is not there', { instructions: [[3, [], '']] }, INVALID],
  ['a program that pays', { instructions: [[0, [], '']] }, INVALID],
  ['an account behind the tables', { ...withTables, instructions: [[2, [8], '']] }, INVALID],
  ['a program behind the tables', { ...withTables, instructions: [[8, [], '']] }, INVALID],
  ['a program from a table', { ...withTables, instructions: [[4, [], '']] }, UNSUPPORTED],
  ['a table without an account', { ...withTables, lookups: [[TABLE, [], []]] }, INVALID],
  [
    'more accounts than a byte can name',
    { ...withTables, lookups: [[TABLE, Array(200).fill(1), Array(53).fill(2)]] },
    INVALID,
  ],
  ['a byte behind it', { trailing: [0] }, INVALID],
  ['a byte behind version 0', { version: 0, trailing: [0] }, INVALID],
  ['a byte less', minimal.subarray(0, -1), INVALID],
  ['version 0 without its lookups', wireOf({ version: 0 }).subarray(0, -1), INVALID],
  ['a length of keys that is longer than it must be', spliced(68, 1, [0x83, 0]), INVALID],
  ['a length of three bytes', spliced(68, 1, [0x83, 0x80, 0]), INVALID],
  ['a length beyond 65535', spliced(68, 1, [0xff, 0xff, 0x7f]), INVALID],
  ['a number of signatures that is longer than it must be', spliced(0, 1, [0x81, 0]), UNSUPPORTED],
  ['version 1, whose message comes first', spliced(0, 65, [0x81]), UNSUPPORTED],
  ['version 1 behind signatures', { version: 1 }, UNSUPPORTED],
  ['version 127', { version: 127 }, UNSUPPORTED],
  ['a message that is not for the chain', Uint8Array.from(Buffer.from('\xffsolana offchain', 'latin1')), UNSUPPORTED],
  ['a transfer without its receiver', { instructions: [[2, [0], transferData(5n)]] }, INVALID],
  ['a transfer without its whole amount', { instructions: [[2, [0, 1], '0200000005']] }, INVALID],
  [
    'a token transfer without its owner',
    { ...tokensOf(TOKEN), instructions: [[6, [3, 4], tokenData([3], 9n)]] },
    INVALID,
  ],
  [
    'a token transfer without decimals',
    { ...tokensOf(TOKEN), instructions: [[6, [3, 5, 4, 1], tokenData([12], 9n)]] },
    INVALID,
  ],
  ...[
    ['without an instruction', batch()],
    ['with half a head', Uint8Array.of(255, 3)],
    ['with an empty instruction', batch([3, new Uint8Array()])],
    ['with data that ends too early', batch([3, tokenData([3], 9n)]).subarray(0, -1)],
    ['with bytes behind it', concat([batch([3, tokenData([3], 9n)]), Uint8Array.of(0)])],
    ['with too few accounts', batch([3, tokenData([3], 9n)], [1, Uint8Array.of(9)])],
    ['in a batch', batch([3, batch([3, tokenData([3], 9n)])])],
  ].map(([name, data]): readonly [string, Wire, string] => [
    `a batch ${String(name)}`,
    { ...tokensOf(TOKEN), instructions: [[6, [3, 4, 1], data ?? '']] },
    INVALID,
  ]),
  ['more than a packet holds', { instructions: [[2, [], new Uint8Array(1031)]] }, INVALID],
  ['128 kB of signatures', new Uint8Array(131_072).fill(0x7f), INVALID],
]
for (const [name, wire, code] of refusals) it(`refuses ${name}`, async () => assert.is(await outcomeOf(wire), code))

it('tells what was expected, and nothing of the bytes', async () => {
  for (const [, wire] of refusals) {
    const read = await parseSolana(wire instanceof Uint8Array ? wire : wireOf(wire))
    assert.match(
      read._tag === 'Left' ? read.left.message : '',
      /^(?:expected [\w ,]+|Solana [\w ]+ are not signed here)$/,
    )
  }
})

it('reads the longest transaction of a packet', async () =>
  assert.is(await outcomeOf({ instructions: [[2, [], new Uint8Array(1030)]] }), 'read'))

it('reads a transaction without instructions, and one with 200', async () => {
  assert.equal((await factsOf({})).instructions, [])
  const facts = await factsOf({ instructions: Array.from({ length: 200 }, () => [2, [], ''] as const) })
  assert.is(facts.instructions.length, 200)
})

it('never throws for changed bytes, and reads none that it would write in another way', async () => {
  const sample = wireOf({
    ...withTables,
    instructions: [
      [2, [0, 5], transferData(1n)],
      [3, [4, 5, 0], '0c'],
    ],
  })
  const values = [0, 1, 0x7f, 0x80, 0xff]
  for (let at = 0; at < sample.length; at += 1) {
    const changed = sample.slice()
    changed[at] = values[at % values.length] ?? 0
    const read = await parseSolana(changed)
    if (read._tag === 'Left') continue
    const messages = read.right.messagesFor(signerOf(1))
    if (messages._tag === 'Right') assert.equal(messages.right, [encodeHex(changed.subarray(65))])
  }
})

it.run()
