import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Transaction, TxType } from 'micro-eth-signer'
import { decodeHex, encodeHex, equal } from '../bytes.ts'
import { ethereumAddress } from '../keys/addresses/ethereum.ts'
import type { SignatureParts } from '../keys/signing.ts'
import type { Fact } from '../policy/fact.ts'
import { E } from '../prelude.ts'
import { callFactsOf } from './ethereum-interface.ts'
import {
  ecdsaMessage,
  invalidTransaction,
  unsupportedTransaction,
  type InterfaceOf,
  type ParsedTransaction,
  type ParseTransaction,
  type TransactionSigner,
} from './transaction.ts'

/**
 * TRANSACTION_TYPE_ETHEREUM: legacy, with a chain id (EIP-155) or without, and the types 1 (EIP-2930), 2 (EIP-1559), 3 (EIP-4844, without its
 * blobs) and 4 (EIP-7702). A signature that it has already is dropped.
 *
 * The facts have no member for access lists, hashes of blobs, and authorizations: only `type` tells that there may be some.
 */
export const parseEthereum: ParseTransaction = async (bytes) => {
  const first = bytes[0]
  if (first === undefined) return invalidTransaction('a transaction of Ethereum')
  if (!(first >= 1 && first <= TYPE_MAX) && !(first >= LIST && first < RESERVED))
    return unsupportedTransaction('transactions of Ethereum of this type')
  if (first === BLOBS && isWrapper(bytes)) return unsupportedTransaction('transactions with the blobs themselves')
  const { Transaction } = await import('micro-eth-signer')
  const transaction = readBack(Transaction, bytes)
  if (transaction === undefined)
    return invalidTransaction('a transaction of Ethereum in the form in which it is signed')
  if (transaction.type === 'legacy' && !isChainId(transaction.raw.chainId))
    return invalidTransaction('a chain id that is not 0, and whose signature has a v of 256 bits')
  return E.right(parsed(Transaction, transaction))
}

/** Legacy transactions start with a list, the others with their type. */
const LIST = 0xc0
const RESERVED = 0xff
const TYPE_MAX = 4
const BLOBS = 3

/** Whether it stands in a list with blobs, commitments and proofs behind it, as nodes send it: then its first member is a list, too. */
const isWrapper = (bytes: Uint8Array): boolean => {
  const [, list = 0] = bytes
  const member = bytes[list > SHORT_LIST ? 2 + list - SHORT_LIST : 2]
  return list >= LIST && member !== undefined && member >= LIST
}

/** Above this, the first byte of a list says how many bytes its length has. */
const SHORT_LIST = 0xf7

/** Without a chain id it is none of EIP-155. The `v` of a signature is `35 + 2 · chain id + parity`. */
const isChainId = (chainId: bigint | undefined): boolean =>
  chainId === undefined || (chainId > 0n && BigInt.asUintN(256, 36n + 2n * chainId) === 36n + 2n * chainId)

type Library = typeof Transaction
type Read = ReturnType<Library['fromBytes']>

/** `undefined` for bytes that are no transaction, or that the library would write in another way. */
const readBack = (library: Library, bytes: Uint8Array): Read | undefined => {
  try {
    const transaction = library.fromBytes(bytes)
    return equal(transaction.toBytes(), bytes) ? transaction : undefined
  } catch {
    return undefined
  }
}

const parsed = (library: Library, transaction: Read): ParsedTransaction => {
  const digest = encodeHex(keccak_256(transaction.toBytes({ includeSignature: false })))
  return {
    messagesFor: ecdsaMessage(digest),
    facts: (signer, interfaceOf) => factsOf(transaction, signer, interfaceOf),
    assemble: (_signer, signatures) => encodeHex(withSignature(library, transaction, signatures).toBytes()),
  }
}

const withSignature = (library: Library, { type, raw }: Read, [parts]: readonly SignatureParts[]): Read => {
  if (parts === undefined) throw new Error('expected a signature')
  const signature = { r: BigInt(`0x${parts.r}`), s: BigInt(`0x${parts.s}`), yParity: Number(parts.v) }
  return new library(type, { ...raw, ...signature }, { strict: false })
}

/** What any type may have. */
type Members = {
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly to: string
  readonly value: bigint
  readonly data: string
  readonly chainId?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
  readonly maxFeePerBlobGas?: bigint | undefined
}

const typeNames: Readonly<Record<TxType, string>> = {
  legacy: 'LEGACY',
  eip2930: 'TYPE_1',
  eip1559: 'TYPE_2',
  eip4844: 'TYPE_3',
  eip7702: 'TYPE_4',
}

/** The value of `eth.tx`. */
const factsOf = ({ type, raw }: Read, { publicKey }: TransactionSigner, interfaceOf: InterfaceOf): Fact => {
  const members: Members = raw
  const to = members.to === '0x' ? '' : members.to
  return {
    from: ethereumAddress(publicKey),
    to,
    data: members.data,
    value: members.value,
    gas: members.gasLimit,
    chain_id: members.chainId ?? 0n,
    nonce: members.nonce,
    type: typeNames[type],
    ...present('gas_price', members.gasPrice ?? members.maxFeePerGas),
    ...present('max_fee_per_gas', members.maxFeePerGas),
    ...present('max_priority_fee_per_gas', members.maxPriorityFeePerGas),
    ...present('max_fee_per_blob_gas', members.maxFeePerBlobGas),
    ...callOf(to, members.data, interfaceOf),
  }
}

const present = (name: string, value: bigint | undefined): { readonly [name: string]: bigint } =>
  value === undefined ? {} : { [name]: value }

/** What the interface of the contract tells of the call; nothing if there is none, or if the call does not fit it. */
const callOf = (to: string, data: string, interfaceOf: InterfaceOf): { readonly [name: string]: Fact } => {
  const text = to === '' ? undefined : interfaceOf(to.toLowerCase())
  const bytes = decodeHex(data.slice(2))
  return text === undefined || bytes === undefined ? {} : (callFactsOf(text, bytes) ?? {})
}
