import { getTransactionDecoder } from '@solana/kit'
import { base58 } from '@scure/base'
import { FailedTransactionMetadata, type LiteSVM, type TransactionMetadata } from 'litesvm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat } from '../../../../core/bytes.ts'
import { sign } from '../../../../core/keys/signing.ts'
import { bytes } from '../../keys/keys.ts'
import {
  addressOf,
  batch,
  otherAddress,
  outcomeOf,
  parsed,
  privateKeyOf,
  signerOf,
  SYSTEM,
  TOKEN,
  tokenData,
  transferData,
  wireOf,
  type Tx,
  type Wire,
} from '../solana-transactions.ts'
import {
  account,
  assertRan,
  lamportsOf,
  LOOKUP_PROGRAM,
  lookupTable,
  machineOf,
  MINT,
  SOURCE,
  TARGET,
  tokensOf,
  u64,
} from './solana-machine.ts'

/* What we read and sign runs in LiteSVM, which has Solana's own runtime. */
const it = suite('Solana transactions in LiteSVM')

const RECEIVER = otherAddress(21)

const begun = (): LiteSVM => machineOf([addressOf(1), addressOf(2)])

/** Reads, signs with these keys, and sends. */
const run = async (
  machine: LiteSVM,
  wire: Wire,
  numbers: readonly number[] = [1],
): Promise<{ readonly result: TransactionMetadata | FailedTransactionMetadata; readonly facts: Tx }> => {
  let whole = wireOf({ ...wire, blockhash: base58.decode(machine.latestBlockhash()) })
  const facts = (await parsed(whole)).facts(signerOf(1), () => undefined) as Tx // other tests hold its type
  for (const number of numbers) {
    const transaction = await parsed(whole)
    const messages = transaction.messagesFor(signerOf(number))
    if (messages._tag === 'Left') throw new Error(JSON.stringify(messages.left))
    const signatures = messages.right.map((message) =>
      sign('eddsa', 'CURVE_ED25519', privateKeyOf(number), bytes(message)),
    )
    whole = bytes(transaction.assemble(signerOf(number), signatures))
  }
  return { result: machine.sendTransaction(getTransactionDecoder().decode(whole)), facts }
}

const lamportTransfers: readonly (readonly [string, Wire])[] = [
  ['a transfer', { instructions: [[2, [0, 1], transferData(5_000_000n)]] }],
  [
    'a transfer with bytes and accounts behind it',
    { instructions: [[2, [0, 1, 2], concat([transferData(5_000_000n), Uint8Array.of(1)])]] },
  ],
]
for (const [name, wire] of lamportTransfers)
  it(`runs ${name}, and shows it as a transfer`, async () => {
    const machine = begun()
    const { result, facts } = await run(machine, { ...wire, keys: [addressOf(1), RECEIVER, SYSTEM] })
    assertRan(result)
    assert.is(lamportsOf(machine, RECEIVER), 5_000_000n)
    assert.equal(facts['transfers'], [{ from: addressOf(1), to: RECEIVER, amount: 5_000_000n }])
  })

const tokenTransfers: readonly (readonly [string, readonly number[], Uint8Array])[] = [
  ['a transfer', [1, 2, 0], tokenData([3], 7n)],
  ['a transfer with bytes behind it', [1, 2, 0], tokenData([3], 7n, [1, 2])],
  ['a checked transfer', [1, 3, 2, 0], tokenData([12], 7n, [6])],
  ['a checked transfer with bytes and accounts behind it', [1, 3, 2, 0, 4], tokenData([12], 7n, [6, 1])],
]
for (const [name, accounts, data] of tokenTransfers)
  it(`runs ${name} of tokens, and shows it as one`, async () => {
    const machine = begun()
    const keys = [addressOf(1), SOURCE, TARGET, MINT, TOKEN]
    const { result, facts } = await run(machine, { header: [1, 0, 2], keys, instructions: [[4, accounts, data]] })
    assertRan(result)
    assert.is(tokensOf(machine, SOURCE), 93n)
    assert.is(tokensOf(machine, TARGET), 7n)
    assert.equal(facts['spl_transfers'], [
      {
        from: SOURCE,
        to: TARGET,
        amount: 7n,
        owner: addressOf(1),
        signers: [],
        ...(data[0] === 12 ? { token_mint: MINT } : {}),
      },
    ])
  })

it('runs a batch of token instructions, and shows the transfers in it', async () => {
  const machine = begun()
  const keys = [addressOf(1), SOURCE, TARGET, MINT, TOKEN]
  const data = batch([3, tokenData([3], 7n)], [4, tokenData([12], 8n, [6])])
  const { result, facts } = await run(machine, {
    header: [1, 0, 2],
    keys,
    instructions: [[4, [1, 2, 0, 1, 3, 2, 0], data]],
  })
  assertRan(result)
  assert.is(tokensOf(machine, TARGET), 15n)
  const part = { from: SOURCE, to: TARGET, owner: addressOf(1), signers: [] }
  assert.equal(facts['spl_transfers'], [
    { ...part, amount: 7n },
    { ...part, amount: 8n, token_mint: MINT },
  ])
})

const inner = [3, tokenData([3], 7n)] as const
const badBatches: readonly (readonly [string, Uint8Array])[] = [
  ['without an instruction', batch()],
  ['with half a head', Uint8Array.of(255, 3)],
  ['with an empty instruction', batch([3, new Uint8Array()])],
  ['with data that ends too early', batch(inner).subarray(0, -1)],
  ['with half a head behind it', concat([batch(inner), Uint8Array.of(0)])],
  ['with too few accounts', batch(inner, [1, Uint8Array.of(9)])],
  ['in a batch', batch([3, batch(inner)])],
]
for (const [name, data] of badBatches)
  it(`refuses a batch ${name}, as the program does`, async () => {
    const machine = begun()
    const wire = wireOf({
      header: [1, 0, 2],
      keys: [addressOf(1), SOURCE, TARGET, MINT, TOKEN],
      instructions: [[4, [1, 2, 0], data]],
      blockhash: base58.decode(machine.latestBlockhash()),
    })
    assert.is(await outcomeOf(wire), 'INVALID_TRANSACTION')
    const { r, s } = sign('eddsa', 'CURVE_ED25519', privateKeyOf(1), wire.subarray(65))
    wire.set(bytes(r + s), 1)
    assert.instance(machine.sendTransaction(getTransactionDecoder().decode(wire)), FailedTransactionMetadata)
    assert.is(tokensOf(machine, TARGET), 0n)
  })

const TABLE = otherAddress(50)

it('runs a transfer of version 0 to an account behind a lookup table', async () => {
  const machine = begun()
  machine.setAccount(account(TABLE, LOOKUP_PROGRAM, lookupTable([otherAddress(22), RECEIVER])))
  machine.warpToSlot(10n)
  const { result, facts } = await run(machine, {
    version: 0,
    keys: [addressOf(1), SYSTEM],
    lookups: [[TABLE, [1], []]],
    instructions: [[1, [0, 2], transferData(5_000_000n)]],
  })
  assertRan(result)
  assert.is(lamportsOf(machine, RECEIVER), 5_000_000n)
  assert.equal(facts['transfers'], [{ from: addressOf(1), to: 'ADDRESS_TABLE_LOOKUP', amount: 5_000_000n }])
})

it('runs a transaction that two keys sign one after the other', async () => {
  const machine = begun()
  const wire: Wire = {
    header: [2, 0, 1],
    keys: [addressOf(1), addressOf(2), RECEIVER, SYSTEM],
    instructions: [[3, [1, 2], transferData(5_000_000n)]],
  }
  const { result } = await run(machine, wire, [2, 1])
  assertRan(result)
  assert.is(lamportsOf(machine, RECEIVER), 5_000_000n)
})

/** What moves lamports or tokens and is no transfer to a policy: the reference names these. */
it('knows what moves lamports and shows as no transfer', async () => {
  const machine = begun()
  const create = concat([Uint8Array.of(0, 0, 0, 0), u64(5_000_000n), u64(0n), new Uint8Array(32)])
  const wire: Wire = {
    header: [2, 0, 1],
    keys: [addressOf(1), addressOf(3), SYSTEM],
    instructions: [[2, [0, 1], create]],
  }
  const { result, facts } = await run(machine, wire, [1, 3])
  assertRan(result)
  assert.is(lamportsOf(machine, addressOf(3)), 5_000_000n)
  assert.equal(facts['transfers'], [])
})

it.run()
