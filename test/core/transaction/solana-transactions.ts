import { concat } from '../../../core/bytes.ts'
import { parseSolana } from '../../../core/transaction/solana.ts'
import type { InterfaceOf, ParsedTransaction, TransactionSigner } from '../../../core/transaction/transaction.ts'
import { solanaAddress } from '../../../core/keys/addresses/ed25519.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { base58 } from '@scure/base'
import type { Fact } from '../../../core/policy/fact.ts'
import { evaluate, languageOf } from '../../../core/policy/expression.ts'
import { anyFacts } from '../policy/any.ts'
import { bytes } from '../keys/keys.ts'

export const SYSTEM = '11111111111111111111111111111111'
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const LOOKED_UP = 'ADDRESS_TABLE_LOOKUP'

/** The private key of a number, and what belongs to it. */
export const privateKeyOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)
export const signerOf = (number: number): TransactionSigner => ({
  curve: 'CURVE_ED25519',
  publicKey: publicKeyOf('CURVE_ED25519', privateKeyOf(number)),
  scheme: 'eddsa',
  format: 'ADDRESS_FORMAT_SOLANA',
})
export const addressOf = (number: number): string => solanaAddress(bytes(signerOf(number).publicKey))
/** An address that nobody has the key of. */
export const otherAddress = (number: number): string => solanaAddress(new Uint8Array(32).fill(number))

/** A transaction as it goes over the wire; what a test does not give is a legacy transaction of `addressOf(1)`. */
export type Wire = {
  readonly signatures?: readonly Uint8Array[]
  readonly version?: number
  readonly header?: readonly [number, number, number]
  readonly keys?: readonly string[]
  readonly instructions?: readonly WireInstruction[]
  readonly lookups?: readonly WireLookup[]
  readonly blockhash?: Uint8Array
  readonly trailing?: readonly number[]
}
/** A program, its accounts, and its data, in hex or as bytes. */
export type WireInstruction = readonly [program: number, accounts: readonly number[], data: string | Uint8Array]
export type WireLookup = readonly [table: string, writable: readonly number[], readonlyOnes: readonly number[]]

export const compact = (length: number): Uint8Array =>
  length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7)

const listOf = <T>(items: readonly T[], write: (item: T) => Uint8Array): Uint8Array =>
  concat([compact(items.length), ...items.map(write)])
const bytesOf = (items: ArrayLike<number>): Uint8Array => concat([compact(items.length), Uint8Array.from(items)])

export const BLOCKHASH = new Uint8Array(32).fill(9)

export const wireOf = (wire: Wire): Uint8Array => {
  const { header = [1, 0, 1], keys = [addressOf(1), otherAddress(2), SYSTEM], instructions = [], lookups = [] } = wire
  const signatures = wire.signatures ?? Array.from({ length: header[0] }, () => new Uint8Array(64))
  return concat([
    listOf(signatures, (signature) => signature),
    Uint8Array.from(wire.version === undefined ? [] : [0x80 | wire.version]),
    Uint8Array.from(header),
    listOf(keys, (key) => base58.decode(key)),
    wire.blockhash ?? BLOCKHASH,
    listOf(instructions, ([program, accounts, data]) =>
      concat([Uint8Array.of(program), bytesOf(accounts), bytesOf(typeof data === 'string' ? bytes(data) : data)]),
    ),
    wire.version === undefined
      ? new Uint8Array()
      : listOf(lookups, ([table, writable, others]) =>
          concat([base58.decode(table), bytesOf(writable), bytesOf(others)]),
        ),
    Uint8Array.from(wire.trailing ?? []),
  ])
}

/** The transaction, if it is read. */
export const parsed = async (wire: Wire | Uint8Array): Promise<ParsedTransaction> => {
  const read = await parseSolana(wire instanceof Uint8Array ? wire : wireOf(wire))
  if (read._tag === 'Left') throw new Error(`${read.left.code}: ${read.left.message}`)
  return read.right
}

/** The code of the refusal, or `read`. */
export const outcomeOf = async (wire: Wire | Uint8Array): Promise<string> => {
  const read = await parseSolana(wire instanceof Uint8Array ? wire : wireOf(wire))
  return read._tag === 'Left' ? read.left.code : 'read'
}

/** The facts as a policy reads them. */
export type Tx = { readonly [member: string]: Fact } & {
  readonly instructions: readonly { readonly [member: string]: Fact }[]
}

export const factsOf = async (wire: Wire | Uint8Array, interfaceOf: InterfaceOf = () => undefined): Promise<Tx> =>
  (await parsed(wire)).facts(signerOf(1), interfaceOf) as Tx // `assertFits` holds that they have this type

const language = languageOf({})

/** What a condition is worth for the facts: `true`, `false` or `error`. */
export const worth = (condition: string, tx: Fact): string => {
  const compiled = language.condition(condition)
  if (compiled._tag === 'Left') throw new Error(`bad condition in a test: ${condition}`)
  const facts = { ...anyFacts(), solana: { tx } }
  const evaluated = evaluate(compiled.right, facts)
  return evaluated._tag === 'value' ? `${evaluated.value}` : 'error'
}

/** A transfer's data: lamports. */
export const transferData = (amount: bigint, tag = 2): Uint8Array => {
  const data = new Uint8Array(12)
  data[0] = tag
  new DataView(data.buffer).setBigUint64(4, amount, true)
  return data
}

/** A token transfer's data, with what comes before and behind the amount. */
export const tokenData = (tag: readonly number[], amount: bigint, behind: readonly number[] = []): Uint8Array => {
  const data = new Uint8Array(tag.length + 8 + behind.length)
  data.set(tag)
  new DataView(data.buffer).setBigUint64(tag.length, amount, true)
  data.set(behind, tag.length + 8)
  return data
}

/** The payer gives 5 lamports. */
export const transfer: Wire = { instructions: [[2, [0, 1], transferData(5n)]] }

export const TABLE = otherAddress(40)
export const OTHER_TABLE = otherAddress(41)
/** Keys 0 to 3 are its own, 4 and 5 writable ones of tables, 6 and 7 others of tables. */
export const withTables: Wire = {
  version: 0,
  header: [1, 0, 2],
  keys: [addressOf(1), otherAddress(2), SYSTEM, TOKEN],
  lookups: [
    [TABLE, [7], [8]],
    [OTHER_TABLE, [9], [0]],
  ],
}

/** Token accounts, a mint, and an owner whose cosigner signs with the payer. */
export const token = {
  from: otherAddress(5),
  mint: otherAddress(6),
  to: otherAddress(7),
  owner: addressOf(2),
  cosigner: addressOf(3),
}
/** Keys: payer, owner, cosigner, from, to, mint and program. */
export const tokensOf = (program: string): Wire => ({
  header: [3, 2, 2],
  keys: [addressOf(1), token.owner, token.cosigner, token.from, token.to, token.mint, program],
})

export type BatchPart = readonly [accounts: number, data: Uint8Array]
/** Several token instructions in one. */
export const batch = (...parts: readonly BatchPart[]): Uint8Array =>
  concat([Uint8Array.of(255), ...parts.flatMap(([accounts, data]) => [Uint8Array.of(accounts, data.length), data])])
