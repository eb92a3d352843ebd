import { encodeHex, decodeHex } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import { solanaAddress } from '../keys/addresses/ed25519.ts'
import type { SignatureParts } from '../keys/signing.ts'
import { E } from '../prelude.ts'
import { solanaFacts } from './solana-facts.ts'
import { readSolanaMessage, type SolanaMessage } from './solana-message.ts'
import { transfersOf } from './solana-transfers.ts'
import {
  invalidTransaction,
  optionalPackage,
  unsupportedTransaction,
  type ParsedTransaction,
  type ParseTransaction,
  type TransactionSigner,
} from './transaction.ts'

/**
 * Reads a Solana transaction, legacy or of version 0, as it goes over the wire: a slot for each signature, then the message.
 *
 * A signature of the signer that stands there already is overwritten. Those of others stay as they are, and are not verified.
 */
export const parseSolana: ParseTransaction = async (bytes) => {
  const framed = messageStart(bytes)
  if (E.isLeft(framed)) return framed
  const codecs = await optionalPackage('@solana/kit', () => import('@solana/kit'))
  if (E.isLeft(codecs)) return codecs
  const own = bytes.slice() // what is signed must not change behind the facts
  const message = readSolanaMessage(codecs.right, own)
  if (E.isLeft(message)) return message
  const transfers = transfersOf(message.right.instructions)
  if (E.isLeft(transfers)) return transfers
  const toSign = encodeHex(own.subarray(framed.right))
  return E.right({
    messagesFor: (signer) =>
      slotOf(message.right, signer) === undefined
        ? E.left('a signer whose signature the transaction requires')
        : E.right([toSign]),
    facts: (_, interfaceOf) => solanaFacts(message.right, transfers.right, interfaceOf),
    assemble: (signer, [signature]) => assemble(own, slotOf(message.right, signer), signature),
  } satisfies ParsedTransaction)
}

/** What a packet of the network holds: no node takes a longer transaction of these versions. */
const LENGTH_MAX = 1232
const SIGNATURE_LENGTH = 64

/**
 * Where the message begins. Its first bit, and that of the whole transaction, tells a version: no packet has room for the 128 signatures
 * whose number would set it.
 */
const messageStart = (bytes: Uint8Array): E.Either<Failure, number> => {
  if (bytes.length > LENGTH_MAX) return invalidTransaction(`at most ${LENGTH_MAX} bytes, which the network takes`)
  const signatures = bytes[0] ?? 0
  if (signatures > 0x80) return unsupportedVersion
  const start = 1 + SIGNATURE_LENGTH * signatures
  const version = bytes[start]
  if (signatures === 0 || version === undefined)
    return invalidTransaction('a Solana transaction that begins with the slots of its signatures')
  return version > 0x80 ? unsupportedVersion : E.right(start)
}

const unsupportedVersion = unsupportedTransaction('Solana transactions of a version above 0')

/** The place of the signer's signature. */
const slotOf = (
  { keys, signerCount }: SolanaMessage,
  { curve, publicKey, scheme }: TransactionSigner,
): number | undefined => {
  const key = decodeHex(publicKey)
  if (curve !== 'CURVE_ED25519' || scheme !== 'eddsa' || key?.length !== 32) return undefined
  const slot = keys.indexOf(solanaAddress(key))
  return slot >= 0 && slot < signerCount ? slot : undefined
}

const assemble = (bytes: Uint8Array, slot: number | undefined, signature: SignatureParts | undefined): string => {
  const signed = decodeHex(`${signature?.r ?? ''}${signature?.s ?? ''}`)
  if (slot === undefined || signed?.length !== SIGNATURE_LENGTH)
    throw new Error('expected a signer that the transaction requires, and its signature')
  const whole = bytes.slice()
  whole.set(signed, 1 + SIGNATURE_LENGTH * slot)
  return encodeHex(whole)
}
