import { keccak_256 } from '@noble/hashes/sha3.js'
import type { RLP, RLPInput } from 'micro-eth-signer/core/rlp.js'
import type { Transaction } from 'viem/tempo'
import { concat, decodeHex, encodeHex } from '../bytes.ts'
import { ethereumAddress, withEip55 } from '../keys/addresses/ethereum.ts'
import type { SignatureParts } from '../keys/signing.ts'
import type { Fact } from '../policy/fact.ts'
import { E } from '../prelude.ts'
import {
  ecdsaMessage,
  invalidTransaction,
  optionalPackage,
  unsupportedTransaction,
  type ParsedTransaction,
  type ParseTransaction,
  type TransactionSigner,
} from './transaction.ts'

/**
 * TRANSACTION_TYPE_TEMPO: the type 76 of Tempo, whose sender has a key of secp256k1 and pays for it. A signature that it has already is dropped.
 *
 * A policy cannot see sponsors, authorized keys, delegations of accounts, and amounts of a native coin: such transactions are not signed. It
 * cannot see the key of the nonce and the access list either.
 */
export const parseTempo: ParseTransaction = async (bytes) => {
  if (bytes[0] !== TYPE) return unsupportedTransaction('transactions of Tempo of this type')
  const viem = await optionalPackage('viem', () => import('viem/tempo'))
  if (viem._tag === 'Left') return viem
  const { RLP } = await import('micro-eth-signer/core/rlp.js')
  const list = listOf(RLP, bytes)
  if (list === undefined) return invalidTransaction('a transaction of Tempo')
  const unsupported = unsupportedOf(list)
  if (unsupported !== undefined) return unsupportedTransaction(`transactions of Tempo ${unsupported}`)
  const fields = hasForm(list) ? await readBack(viem.right.Transaction, bytes) : undefined
  if (fields === undefined) return invalidTransaction('a transaction of Tempo in the form in which it is signed')
  const unsigned = list.slice(0, UNSIGNED)
  return E.right(parsed(fields, (signature) => concat([Uint8Array.of(TYPE), RLP.encode([...unsigned, ...signature])])))
}

const TYPE = 0x76
/** How many members it has before its signature. */
const UNSIGNED = 13
/** Of secp256k1: `r`, `s` and `v`. */
const SIGNATURE = 65

type Rlp = typeof RLP
type Tempo = typeof Transaction
type Fields = Transaction.TransactionSerializableTempo

/** viem reads RLP loosely: lengths in more bytes than they need, bytes behind the end, lists of any depth. */
const listOf = (rlp: Rlp, bytes: Uint8Array): readonly RLPInput[] | undefined => {
  try {
    const list = rlp.decode(bytes.subarray(1))
    return Array.isArray(list) && list.length >= UNSIGNED ? list : undefined
  } catch {
    return undefined
  }
}

/** What it has that is not signed here. */
const unsupportedOf = (list: readonly RLPInput[]): string | undefined => {
  const [calls, sponsor, delegations, behind, more] = [list[4], list[11], list[12], list[13], list[14]]
  if (lengthOf(sponsor) !== 0) return 'that somebody else pays for'
  if (lengthOf(delegations) !== 0) return 'with delegations of accounts'
  if (more !== undefined || Array.isArray(behind)) return 'that authorize a key'
  if (behind !== undefined && lengthOf(behind) !== SIGNATURE) return 'with a signature of another kind'
  const hasAmount = Array.isArray(calls) && calls.some((call) => Array.isArray(call) && (lengthOf(call[1]) ?? 0) > 0)
  return hasAmount ? 'with amounts of a native coin' : undefined
}

const lengthOf = (item: RLPInput | undefined): number | undefined =>
  Array.isArray(item) || item instanceof Uint8Array ? item.length : undefined

/** The integers by their place, with the most bytes that they may have. */
const integers: readonly (readonly [place: number, size: number])[] = [
  [0, 8], // chain id
  [1, 16], // fees
  [2, 16],
  [3, 8], // gas
  [6, 32], // nonce: key and number
  [7, 8],
  [8, 8], // valid before and after
  [9, 8],
]

/** viem takes lists in the place of bytes, and writes 0 as it read it in some places: as nothing, or as a byte. */
const hasForm = (list: readonly RLPInput[]): boolean =>
  integers.every(([place, size]) => isInteger(list[place], size)) &&
  isOf(list[4], isCall) &&
  isOf(list[5], isAccess) &&
  isBytes(list[10], [0, ADDRESS])

const ADDRESS = 20

const isBytes = (item: RLPInput | undefined, lengths?: readonly number[]): boolean =>
  item instanceof Uint8Array && (lengths === undefined || lengths.includes(item.length))

const isInteger = (item: RLPInput | undefined, size: number): boolean =>
  item instanceof Uint8Array && item.length <= size && item[0] !== 0

const isOf = (item: RLPInput | undefined, isMember: (member: RLPInput) => boolean): boolean =>
  Array.isArray(item) && item.every(isMember)

const isCall = (call: RLPInput): boolean =>
  Array.isArray(call) &&
  call.length === 3 &&
  isBytes(call[0], [0, ADDRESS]) &&
  isBytes(call[1], [0]) &&
  isBytes(call[2])

const isAccess = (access: RLPInput): boolean =>
  Array.isArray(access) &&
  access.length === 2 &&
  isBytes(access[0], [ADDRESS]) &&
  isOf(access[1], (key) => isBytes(key, [32]))

/** `undefined` for bytes that are no transaction, or that viem would write in another way. */
const readBack = async (tempo: Tempo, bytes: Uint8Array): Promise<Fields | undefined> => {
  try {
    const hex = `0x76${encodeHex(bytes.subarray(1))}` as const
    const fields = tempo.deserialize(hex)
    return (await tempo.serialize(fields)) === hex ? fields : undefined
  } catch {
    return undefined
  }
}

const parsed = (fields: Fields, envelope: (signature: readonly Uint8Array[]) => Uint8Array): ParsedTransaction => {
  const digest = encodeHex(keccak_256(envelope([])))
  return {
    messagesFor: ecdsaMessage(digest),
    facts: (signer) => factsOf(fields, signer),
    assemble: (_signer, signatures) => encodeHex(envelope(signatures.map(signatureBytes))),
  }
}

const signatureBytes = ({ r, s, v }: SignatureParts): Uint8Array =>
  decodeHex(r + s + (27 + Number(v)).toString(16)) ?? new Uint8Array()

/** The value of `tempo.tx`. */
const factsOf = (fields: Fields, { publicKey }: TransactionSigner): Fact => ({
  chain_id: BigInt(fields.chainId),
  from: ethereumAddress(publicKey),
  nonce: BigInt(fields.nonce ?? 0),
  gas_limit: fields.gas ?? 0n,
  max_fee_per_gas: fields.maxFeePerGas ?? 0n,
  max_priority_fee_per_gas: fields.maxPriorityFeePerGas ?? 0n,
  fee_token: addressOf(fields.feeToken),
  valid_before: BigInt(fields.validBefore ?? 0),
  valid_after: BigInt(fields.validAfter ?? 0),
  calls: fields.calls.map(({ to, data = '0x' }) => ({
    to: addressOf(to),
    input: data,
    function_signature: data.length < SELECTOR_END ? '' : data.slice(0, SELECTOR_END),
  })),
})

/** Where the first 4 bytes of hex end. */
const SELECTOR_END = 10

const addressOf = (address: string | bigint | undefined): string =>
  typeof address === 'string' ? withEip55(address.slice(2).toLowerCase()) : ''
