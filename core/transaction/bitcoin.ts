import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concat, decodeHex, encodeHex } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import type { SignatureParts } from '../keys/signing.ts'
import { E } from '../prelude.ts'
import { digestsOf } from './bitcoin-digests.ts'
import { bitcoinFacts } from './bitcoin-facts.ts'
import { ownInputs, type OwnInput } from './bitcoin-inputs.ts'
import { readPsbt, type Psbt } from './psbt.ts'
import { INPUT } from './psbt-fields.ts'
import { withEntry, writeMaps, type PsbtEntry } from './psbt-maps.ts'
import { invalidTransaction, type ParseTransaction, type TransactionSigner } from './transaction.ts'

/** Reads a PSBT of version 0. The signed one has the signatures in it, and is not finalized. */
export const parseBitcoin: ParseTransaction = async (bytes) => {
  const library = await import('@scure/btc-signer/script.js')
  return E.map((psbt: Psbt) => ({
    messagesFor: (signer: TransactionSigner) => E.flatMap(messagesOf(psbt))(ownInputs(signer, psbt)),
    facts: ({ format }: TransactionSigner) => bitcoinFacts(psbt, format),
    assemble: (signer: TransactionSigner, signatures: readonly SignatureParts[]) =>
      encodeHex(assemble(psbt, signer, signatures)),
  }))(readPsbt(library, bytes))
}

/**
 * The most bytes that are hashed for the legacy inputs of one key: each of them hashes the whole transaction. A quarter of a second; what
 * fits into 128 kB could hash three times as much, and an honest one, whose previous transactions have signatures, hashes less than this.
 */
const HASHED_MAX = 2 ** 24

const messagesOf =
  (psbt: Psbt) =>
  (own: readonly OwnInput[]): E.Either<Failure, readonly string[]> => {
    let hashed = 0
    for (const { type, script } of own) if (type === 'LEGACY') hashed += psbt.bytes.length + script.length
    if (hashed > HASHED_MAX)
      return invalidTransaction(`legacy inputs whose number times the size of the transaction is at most ${HASHED_MAX}`)
    const digestOf = digestsOf(psbt)
    return E.right(own.map(({ type, index, script }) => encodeHex(digestOf(type, index, script))))
  }

const assemble = (psbt: Psbt, signer: TransactionSigner, signatures: readonly SignatureParts[]): Uint8Array => {
  const own = ownInputs(signer, psbt)
  if (E.isLeft(own) || own.right.length !== signatures.length)
    throw new Error('expected a signature for each message of a signer whose messages were asked for')
  const maps = [...psbt.maps]
  for (const [i, { index, type }] of own.right.entries()) {
    const [signature, map] = [signatures[i], maps[1 + index]]
    if (signature === undefined || map === undefined) throw new Error('expected a signature and a map for each input')
    maps[1 + index] = withEntry(
      map,
      type === 'TAPROOT' ? tapKeySignature(signature) : partialSignature(signer, signature),
    )
  }
  return writeMaps(maps)
}

const SIGHASH_ALL = Uint8Array.of(1)

const partialSignature = ({ publicKey }: TransactionSigner, { r, s }: SignatureParts): PsbtEntry => ({
  key: concat([Uint8Array.of(INPUT.partialSignature), bytesOf(publicKey)]),
  value: concat([new secp256k1.Signature(BigInt(`0x${r}`), BigInt(`0x${s}`)).toBytes('der'), SIGHASH_ALL]),
})

/** Without a sighash type: that is DEFAULT. */
const tapKeySignature = ({ r, s }: SignatureParts): PsbtEntry => ({
  key: Uint8Array.of(INPUT.tapKeySignature),
  value: bytesOf(r + s),
})

const bytesOf = (hex: string): Uint8Array => {
  const bytes = decodeHex(hex)
  if (bytes === undefined) throw new Error('expected hex')
  return bytes
}
