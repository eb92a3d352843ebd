import { base58 } from '@scure/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { sign, verify, type SigningScheme } from '../../../core/keys/signing.ts'
import { solana } from '../../../core/policy/keywords/solana.ts'
import { fieldOf } from '../../../core/policy/value-types.ts'
import type { TransactionSigner } from '../../../core/transaction/transaction.ts'
import { bytes } from '../keys/keys.ts'
import { assertFits } from './fits.ts'
import {
  addressOf,
  BLOCKHASH,
  factsOf,
  LOOKED_UP,
  OTHER_TABLE,
  otherAddress,
  parsed,
  privateKeyOf,
  signerOf,
  SYSTEM,
  TABLE,
  TOKEN,
  tokenData,
  transfer,
  transferData,
  wireOf,
  withTables,
  type Wire,
} from './solana-transactions.ts'

const it = suite('Solana transactions')

const two: Wire = { ...transfer, header: [2, 1, 1], keys: [addressOf(1), addressOf(2), SYSTEM] }

const signed = async (wire: Wire | Uint8Array, number: number): Promise<Uint8Array> => {
  const transaction = await parsed(wire)
  const signer = signerOf(number)
  const messages = transaction.messagesFor(signer)
  if (messages._tag === 'Left') throw new Error(JSON.stringify(JSON.stringify(messages.left)))
  const signatures = messages.right.map((message) =>
    sign('eddsa', 'CURVE_ED25519', privateKeyOf(number), bytes(message)),
  )
  return bytes(transaction.assemble(signer, signatures))
}

it('asks for a signature of the message, and puts it into the slot of the signer', async () => {
  const unsigned = wireOf(two)
  const whole = await signed(unsigned, 2)
  assert.equal(whole.subarray(0, 65), unsigned.subarray(0, 65))
  assert.equal(whole.subarray(129), unsigned.subarray(129))
  const signature = encodeHex(whole.subarray(65, 129))
  const parts = { r: signature.slice(0, 64), s: signature.slice(64), v: '00' }
  assert.ok(verify('eddsa', 'CURVE_ED25519', signerOf(2).publicKey, unsigned.subarray(129), parts))
})

it('keeps the signatures of others, and drops its own of a transaction that is signed already', async () => {
  const junk = new Uint8Array(64).fill(7)
  const once = await signed({ ...two, signatures: [junk, junk] }, 1)
  assert.equal(once.subarray(65, 129), junk)
  assert.equal(await signed(once, 1), once)
  const both = await signed(once, 2)
  assert.equal(both, await signed(await signed(two, 2), 1))
})

it('signs the bytes that it has read, though the caller changes them', async () => {
  const given = wireOf(transfer)
  const transaction = await parsed(given)
  const before = transaction.messagesFor(signerOf(1))
  given.fill(0)
  assert.equal(transaction.messagesFor(signerOf(1)), before)
})

it('expects a signer whose signature the transaction requires', async () => {
  const transaction = await parsed(transfer)
  const other: readonly [string, Partial<TransactionSigner>][] = [
    ['a key that is not there', signerOf(3)],
    ['a key that does not sign', { publicKey: encodeHex(base58.decode(otherAddress(2))) }],
    ['a program', { publicKey: '00'.repeat(32) }],
    ['a key of another curve', { curve: 'CURVE_P256', scheme: 'ecdsa' satisfies SigningScheme }],
    ['no key', { publicKey: '' }],
    ['no hex', { publicKey: 'x' }],
  ]
  for (const [name, changes] of other) {
    const signer = { ...signerOf(1), ...changes }
    const message = 'a signer whose signature the transaction requires'
    assert.equal(transaction.messagesFor(signer), { _tag: 'Left', left: message }, name)
    assert.throws(() => transaction.assemble(signer, [{ r: '00'.repeat(32), s: '00'.repeat(32), v: '00' }]))
  }
  assert.throws(() => transaction.assemble(signerOf(1), []))
})

const type = fieldOf(solana, 'tx')

it('shows every member of a legacy transaction', async () => {
  const facts = await factsOf(transfer)
  if (type !== undefined) assertFits(type, facts)
  assert.equal(facts, {
    account_keys: [addressOf(1), otherAddress(2), SYSTEM],
    program_keys: [SYSTEM],
    instructions: [
      {
        program_key: SYSTEM,
        accounts: [
          { account_key: addressOf(1), signer: true, writable: true },
          { account_key: otherAddress(2), signer: false, writable: true },
        ],
        instruction_data_hex: '020000000500000000000000',
        address_table_lookups: [],
      },
    ],
    transfers: [{ from: addressOf(1), to: otherAddress(2), amount: 5n }],
    recent_blockhash: base58.encode(BLOCKHASH),
    spl_transfers: [],
    address_table_lookups: [],
  })
})

it('shows accounts behind lookup tables without their keys, and the tables that an instruction uses', async () => {
  const facts = await factsOf({
    ...withTables,
    instructions: [
      [2, [0, 5], transferData(1n)],
      [3, [4, 5, 6, 7, 0], tokenData([3], 2n)],
      [3, [6, 1], 'fe'],
    ],
  })
  if (type !== undefined) assertFits(type, facts)
  const [first, second] = [
    { address_table_key: TABLE, writable_indexes: [7n], readonly_indexes: [8n] },
    { address_table_key: OTHER_TABLE, writable_indexes: [9n], readonly_indexes: [0n] },
  ]
  assert.equal(facts['address_table_lookups'], [first, second])
  assert.equal(facts['account_keys'], [addressOf(1), otherAddress(2), SYSTEM, TOKEN])
  assert.equal(facts['transfers'], [{ from: addressOf(1), to: LOOKED_UP, amount: 1n }])
  assert.equal(facts['spl_transfers'], [
    { from: LOOKED_UP, to: LOOKED_UP, amount: 2n, owner: LOOKED_UP, signers: [addressOf(1)] },
  ])
  assert.equal(
    facts.instructions.map(({ address_table_lookups: lookups }) => lookups),
    [[second], [first, second], [first]],
  )
  const loaded = (writable: boolean) => ({ account_key: LOOKED_UP, signer: false, writable })
  assert.equal(facts.instructions[1]?.['accounts'], [
    loaded(true),
    loaded(true),
    loaded(false),
    loaded(false),
    { account_key: addressOf(1), signer: true, writable: true },
  ])
})

it('says which accounts sign and are writable, as the header has them', async () => {
  const keys = [addressOf(1), addressOf(2), otherAddress(3), otherAddress(4), SYSTEM]
  const facts = await factsOf({ header: [2, 1, 2], keys, instructions: [[4, [0, 1, 2, 3], '']] })
  assert.equal(
    facts.instructions[0]?.['accounts'],
    keys.slice(0, 4).map((account_key, at) => ({ account_key, signer: at < 2, writable: at === 0 || at === 2 })),
  )
})

it.run()
