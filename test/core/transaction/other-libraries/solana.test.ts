import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type VersionedMessage,
} from '@solana/web3.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../../core/bytes.ts'
import { sign } from '../../../../core/keys/signing.ts'
import { solana } from '../../../../core/policy/keywords/solana.ts'
import type { Fact } from '../../../../core/policy/fact.ts'
import { fieldOf } from '../../../../core/policy/value-types.ts'
import { bytes } from '../../keys/keys.ts'
import { assertFits } from '../fits.ts'
import {
  addressOf,
  LOOKED_UP,
  otherAddress,
  parsed,
  privateKeyOf,
  signerOf,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  tokenData,
} from '../solana-transactions.ts'

/* The same transactions, built, read and signed by `@solana/web3.js`. */
const it = suite('Solana transactions in web3.js')

const SEED = 20_261_129
const COUNT = 200

const keyOf = (text: string): PublicKey => new PublicKey(text)
const payer = keyOf(addressOf(1))
const signers = [1, 2, 3].map((number) => keyOf(addressOf(number)))
const others = Array.from({ length: 8 }, (_, at) => keyOf(otherAddress(60 + at)))
const blockhash = otherAddress(9)

const anySigner = fc.constantFrom(...signers)
const anyOther = fc.constantFrom(...others)
const anyKey = fc.oneof(anySigner, anyOther)
const anyAmount = fc.bigInt(0n, 2n ** 64n - 1n)
const meta = (pubkey: PublicKey, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable })

const anyTransfer = fc
  .record({ fromPubkey: anySigner, toPubkey: anyKey, lamports: anyAmount })
  .map((params) => SystemProgram.transfer(params))
const anyTransferWithSeed = fc
  .record({
    fromPubkey: anyOther,
    basePubkey: anySigner,
    toPubkey: anyKey,
    lamports: anyAmount,
    seed: fc.string({ maxLength: 32 }),
    programId: anyOther,
  })
  .map((params) => SystemProgram.transfer(params))
const anyCreation = fc
  .record({
    fromPubkey: anySigner,
    newAccountPubkey: anySigner,
    lamports: fc.nat(),
    space: fc.nat(),
    programId: anyOther,
  })
  .map((params) => SystemProgram.createAccount(params))
const anyNonce = fc
  .record({ noncePubkey: anyOther, authorizedPubkey: anySigner })
  .map((params) => SystemProgram.nonceAdvance(params))
const anyBudget = fc.nat().map((units) => ComputeBudgetProgram.setComputeUnitLimit({ units }))
const anyToken = fc
  .record({
    program: fc.constantFrom(TOKEN, TOKEN_2022),
    tag: fc.constantFrom([3], [12], [26, 1], [4], [6], [9]),
    amount: anyAmount,
    accounts: fc.array(fc.tuple(anyOther, fc.boolean()), { minLength: 4, maxLength: 4 }),
    owners: fc.array(fc.tuple(anySigner, fc.boolean()), { maxLength: 2 }),
    behind: fc.uint8Array({ minLength: 9, maxLength: 12 }),
  })
  .map(
    ({ program, tag, amount, accounts, owners, behind }) =>
      new TransactionInstruction({
        programId: keyOf(program),
        keys: [
          ...accounts.map(([key, isWritable]) => meta(key, false, isWritable)),
          ...owners.map(([key, isWritable]) => meta(key, true, isWritable)),
        ],
        data: Buffer.from(tokenData(tag, amount, [...behind])),
      }),
  )
const anyCall = fc
  .record({
    keys: fc.array(fc.tuple(anyOther, fc.boolean()), { maxLength: 6 }),
    signing: fc.array(fc.tuple(anySigner, fc.boolean()), { maxLength: 2 }),
    data: fc.uint8Array({ maxLength: 150 }),
    program: fc.nat(2),
  })
  .map(
    ({ keys, signing, data, program }) =>
      new TransactionInstruction({
        programId: keyOf(otherAddress(90 + program)),
        keys: [
          ...keys.map(([key, isWritable]) => meta(key, false, isWritable)),
          ...signing.map(([key, isWritable]) => meta(key, true, isWritable)),
        ],
        data: Buffer.from(data),
      }),
  )
const anyInstructions = fc.array(
  fc.oneof(anyTransfer, anyTransferWithSeed, anyCreation, anyNonce, anyBudget, anyToken, anyCall),
  { maxLength: 5 },
)

const tables = [others.slice(0, 4), others.slice(4, 7)].map(
  (addresses, at) =>
    new AddressLookupTableAccount({
      key: keyOf(otherAddress(100 + at)),
      state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
    }),
)

const legacy = (instructions: readonly TransactionInstruction[]): Uint8Array => {
  const transaction = new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 1 })
  for (const instruction of instructions) transaction.add(instruction)
  return new Uint8Array(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}
const versioned = (instructions: readonly TransactionInstruction[]): Uint8Array => {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [...instructions],
  })
  return new VersionedTransaction(message.compileToV0Message(tables)).serialize()
}
const kinds = { legacy, 'version 0': versioned }

/** The facts, read by the other library. */
const factsOfOther = (message: VersionedMessage): Record<string, Fact> => {
  const keys = message.getAccountKeys({ addressLookupTableAccounts: tables })
  const own = message.staticAccountKeys.map((key) => key.toBase58())
  const shown = (index: number): string => own[index] ?? LOOKED_UP
  const lookups = message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
    address_table_key: accountKey.toBase58(),
    writable_indexes: writableIndexes.map(BigInt),
    readonly_indexes: readonlyIndexes.map(BigInt),
  }))
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program_key: shown(programIdIndex),
    accounts: accountKeyIndexes.map((index) => ({
      account_key: shown(index),
      signer: message.isAccountSigner(index),
      writable: message.isAccountWritable(index),
    })),
    instruction_data_hex: encodeHex(data),
    address_table_lookups: lookups.filter(({ address_table_key }) =>
      accountKeyIndexes.some(
        (index) => index >= own.length && tableOf(address_table_key).has(keys.get(index)?.toBase58()),
      ),
    ),
  }))
  const transfers = message.compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }) => {
    if (shown(programIdIndex) !== SYSTEM) return []
    const instruction = new TransactionInstruction({
      programId: SystemProgram.programId,
      keys: accountKeyIndexes.map((index) => meta(keys.get(index) ?? payer, false, false)),
      data: Buffer.from(data),
    })
    const kind = SystemInstruction.decodeInstructionType(instruction)
    if (kind !== 'Transfer' && kind !== 'TransferWithSeed') return []
    const { fromPubkey, toPubkey, lamports } =
      kind === 'Transfer'
        ? SystemInstruction.decodeTransfer(instruction)
        : SystemInstruction.decodeTransferWithSeed(instruction)
    const [from, to] = [fromPubkey.toBase58(), toPubkey.toBase58()]
    const seen = (key: string): string => (own.includes(key) ? key : LOOKED_UP)
    return [{ from: seen(from), to: seen(to), amount: lamports }]
  })
  return {
    account_keys: own,
    program_keys: [...new Set(instructions.map(({ program_key }) => program_key))],
    instructions,
    transfers,
    recent_blockhash: message.recentBlockhash,
    address_table_lookups: lookups,
  }
}

const tableOf = (key: string): ReadonlySet<string | undefined> =>
  new Set(tables.find((table) => table.key.toBase58() === key)?.state.addresses.map((address) => address.toBase58()))

/** The token transfers as they were built: the other library does not read them. */
const tokenTransfersOf = (instructions: readonly TransactionInstruction[], own: readonly string[]): readonly Fact[] =>
  instructions.flatMap(({ programId, keys, data }) => {
    const [tag, second] = data
    const isChecked = tag === 12 || (tag === 26 && second === 1)
    if (![TOKEN, TOKEN_2022].includes(programId.toBase58()) || (tag !== 3 && !isChecked)) return []
    const shown = keys.map(({ pubkey }) => (own.includes(pubkey.toBase58()) ? pubkey.toBase58() : LOOKED_UP))
    const [from = '', ...rest] = shown
    const [mint = ''] = isChecked ? rest.splice(0, 1) : []
    const [to = '', owner = ''] = rest
    const behind = keys.slice(isChecked ? 4 : 3)
    const signing = behind.filter(({ pubkey }) => signers.some((key) => key.equals(pubkey)))
    return [
      {
        from,
        to,
        amount: data.readBigUInt64LE(tag === 26 ? 2 : 1),
        owner,
        signers: signing.map(({ pubkey }) => pubkey.toBase58()),
        ...(isChecked ? { token_mint: mint } : {}),
      },
    ]
  })

const type = fieldOf(solana, 'tx')

for (const [name, build] of Object.entries(kinds)) {
  const samples = fc.sample(anyInstructions, { seed: SEED, numRuns: COUNT })

  it(`shows what the other library reads: ${name}`, async () => {
    let [transfers, tokens, looked] = [0, 0, 0]
    for (const instructions of samples) {
      const wire = build(instructions)
      const expected = factsOfOther(VersionedTransaction.deserialize(wire).message)
      const facts = (await parsed(wire)).facts(signerOf(1), () => undefined) as Record<string, Fact> // held below
      if (type !== undefined) assertFits(type, facts)
      const spl = tokenTransfersOf(instructions, expected['account_keys'] as readonly string[]) // its own texts
      assert.equal(facts, { ...expected, spl_transfers: spl })
      transfers += (expected['transfers'] as readonly Fact[]).length // a list, as it was built
      tokens += spl.length
      looked += (expected['address_table_lookups'] as readonly Fact[]).length
    }
    assert.ok(transfers > COUNT / 4)
    assert.ok(tokens > COUNT / 8)
    assert.ok(name === 'legacy' ? looked === 0 : looked > COUNT / 2)
  })

  it(`signs as the other library does: ${name}`, async () => {
    for (const instructions of samples) {
      const wire = build(instructions)
      const other = VersionedTransaction.deserialize(wire)
      let own = wire
      for (const number of [1, 2, 3]) {
        const transaction = await parsed(own)
        const messages = transaction.messagesFor(signerOf(number))
        if (messages._tag === 'Left') continue
        const key = privateKeyOf(number)
        const signatures = messages.right.map((message) => sign('eddsa', 'CURVE_ED25519', key, bytes(message)))
        own = bytes(transaction.assemble(signerOf(number), signatures))
        other.sign([Keypair.fromSeed(key)])
      }
      assert.equal(own, other.serialize())
      if (name === 'legacy') assert.ok(Transaction.from(own).verifySignatures())
    }
  })
}

it.run()
