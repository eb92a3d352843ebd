import { schnorr } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concat } from '../bytes.ts'
import { doubleSha256 } from '../keys/addresses/checksums.ts'
import { compactSize } from './compact-size.ts'
import type { BitcoinOutput, Psbt } from './psbt.ts'

/*
 * What the signatures of an unsigned transaction sign, for the sighash types ALL and DEFAULT alone. The library computes the same digests,
 * but reads the whole transaction again for each input of segwit: that is quadratic. All parts are taken from the bytes of the transaction.
 */

/** How an input is signed: as before segwit, as in BIP-143, or as in BIP-341 for the key path. */
export type DigestType = 'LEGACY' | 'SEGWIT_V0' | 'TAPROOT'

/** @returns the digest of an input, by its index; `script` is the script code, of which taproot has none */
export const digestsOf = (psbt: Psbt): ((type: DigestType, index: number, script: Uint8Array) => Uint8Array) => {
  const parts = partsOf(psbt)
  const [segwitV0, taproot] = [segwitV0DigestOf(psbt, parts), taprootDigestOf(psbt, parts)]
  return (type, index, script) => {
    if (type === 'LEGACY') return legacyDigest(psbt, index, script)
    return type === 'SEGWIT_V0' ? segwitV0(index, script) : taproot(index)
  }
}

const ALL = Uint8Array.of(1, 0, 0, 0)
/** The output that is spent, no script, and the sequence: without signatures, all inputs have this length. */
const INPUT_LENGTH = 41
const OUTPOINT_LENGTH = 36

type Parts = {
  readonly version: Uint8Array
  readonly lockTime: Uint8Array
  readonly outpoints: readonly Uint8Array[]
  readonly sequences: readonly Uint8Array[]
  readonly outputs: Uint8Array
}

const inputsAt = ({ length }: { readonly length: number }): number => 4 + compactSize(length).length

const partsOf = ({ bytes, inputs, outputs }: Psbt): Parts => {
  const start = inputsAt(inputs)
  const behindInputs = start + INPUT_LENGTH * inputs.length
  const starts = inputs.map((_, i) => start + INPUT_LENGTH * i)
  return {
    version: bytes.subarray(0, 4),
    lockTime: bytes.subarray(-4),
    outpoints: starts.map((at) => bytes.subarray(at, at + OUTPOINT_LENGTH)),
    sequences: starts.map((at) => bytes.subarray(at + INPUT_LENGTH - 4, at + INPUT_LENGTH)),
    outputs: bytes.subarray(behindInputs + compactSize(outputs.length).length, -4),
  }
}

/**
 * The transaction with the script in the place of the input's own, and the sighash type behind it.
 *
 * @param script  without OP_CODESEPARATOR
 */
export const legacyDigest = (
  { bytes, inputs }: { readonly bytes: Uint8Array; readonly inputs: { readonly length: number } },
  index: number,
  script: Uint8Array,
  sighashType: Uint8Array = ALL,
): Uint8Array => {
  const end = inputsAt(inputs) + INPUT_LENGTH * index + OUTPOINT_LENGTH
  const hash = sha256.create().update(bytes.subarray(0, end)).update(withLength(script))
  hash.update(bytes.subarray(end + 1)).update(sighashType) // the byte between is the length of no script
  return sha256(hash.digest())
}

/** BIP-143. */
const segwitV0DigestOf = ({ inputs }: Psbt, { version, outpoints, sequences, outputs, lockTime }: Parts) => {
  const [hashPrevouts, hashSequence] = [doubleSha256(concat(outpoints)), doubleSha256(concat(sequences))]
  const hashOutputs = doubleSha256(outputs)
  return (index: number, script: Uint8Array): Uint8Array => {
    const [outpoint, sequence] = [at(outpoints, index), at(sequences, index)]
    const input = [outpoint, withLength(script), amountOf(at(inputs, index).spent), sequence]
    return doubleSha256(concat([version, hashPrevouts, hashSequence, ...input, hashOutputs, lockTime, ALL]))
  }
}

/** BIP-341, without an annex. */
const taprootDigestOf = ({ inputs }: Psbt, { version, outpoints, sequences, outputs, lockTime }: Parts) => {
  const spent = inputs.map((input) => input.spent)
  const scripts = spent.map(({ script }) => withLength(script))
  const hashes = [outpoints, spent.map(amountOf), scripts, sequences, [outputs]].map((all) => sha256(concat(all)))
  return (index: number): Uint8Array =>
    schnorr.utils.taggedHash(
      'TapSighash',
      concat([EPOCH_AND_DEFAULT, version, lockTime, ...hashes, KEY_PATH, littleEndian32(index)]),
    )
}

const EPOCH_AND_DEFAULT = Uint8Array.of(0, 0)
const KEY_PATH = Uint8Array.of(0)

const withLength = (script: Uint8Array): Uint8Array => concat([compactSize(script.length), script])

const amountOf = ({ amount }: BitcoinOutput): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, amount, true)
  return bytes
}

const littleEndian32 = (number: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number, true)
  return bytes
}

const at = <A>(list: readonly A[], index: number): A => {
  const item = list[index]
  if (item === undefined) throw new Error('expected the index of an input')
  return item
}
