import { readCompactSize } from './compact-size.ts'
import type { PsbtEntry, PsbtMap } from './psbt-maps.ts'

/*
 * The types of fields of a PSBT of version 0 that BIP-174 and BIP-371 define, and the shapes of their keys and values. All other types pass
 * as they are, except those of version 2 (BIP-370), which a PSBT of version 0 must not have.
 */

export const GLOBAL = { unsignedTransaction: 0x00, version: 0xfb } as const

export const INPUT = {
  nonWitnessUtxo: 0x00,
  witnessUtxo: 0x01,
  partialSignature: 0x02,
  sighashType: 0x03,
  redeemScript: 0x04,
  witnessScript: 0x05,
  finalScriptSig: 0x07,
  finalScriptWitness: 0x08,
  tapKeySignature: 0x13,
  tapScriptSignature: 0x14,
  tapLeafScript: 0x15,
  tapInternalKey: 0x17,
  tapMerkleRoot: 0x18,
} as const

/** What is behind the type in a key, and the value. */
type Shape = { readonly key: (key: Uint8Array) => boolean; readonly value: (value: Uint8Array) => boolean }
type Shapes = { readonly [type: number]: Shape | 'OF_VERSION_2' | undefined }

export const hasShapes = (map: PsbtMap, of: 'global' | 'input' | 'output'): boolean =>
  map.every((entry) => hasShape(SHAPES[of], entry))

const hasShape = (shapes: Shapes, { key, value }: PsbtEntry): boolean => {
  const type = readCompactSize(key, 0)
  if (type === undefined) return false
  const shape = shapes[type.value]
  if (shape === undefined) return true
  return shape !== 'OF_VERSION_2' && shape.key(key.subarray(type.next)) && shape.value(value)
}

type Lengths = (bytes: Uint8Array) => boolean

const oneOf =
  (...lengths: readonly number[]): Lengths =>
  ({ length }) =>
    lengths.includes(length)
const none = oneOf(0)
const anything: Lengths = () => true
/** Compressed or not. Whether it is on the curve matters to nobody here: other keys than the signer's are only kept. */
const publicKey: Lengths = ({ length, 0: first = 0 }) =>
  (length === 33 && (first === 2 || first === 3)) || (length === 65 && first === 4)
/** A fingerprint, and the indexes of a path. */
const derivation: Lengths = ({ length }) => length >= 4 && length % 4 === 0
const controlBlock: Lengths = ({ length }) => length % 32 === 1 && length >= 33 && length <= 33 + 128 * 32

const SHAPES: Readonly<Record<'global' | 'input' | 'output', Shapes>> = {
  global: {
    0x00: { key: none, value: anything },
    0x01: { key: oneOf(78), value: derivation },
    0x02: 'OF_VERSION_2',
    0x03: 'OF_VERSION_2',
    0x04: 'OF_VERSION_2',
    0x05: 'OF_VERSION_2',
    0x06: 'OF_VERSION_2',
    0xfb: { key: none, value: oneOf(4) },
  },
  input: {
    0x00: { key: none, value: anything },
    0x01: { key: none, value: anything },
    0x02: { key: publicKey, value: anything },
    0x03: { key: none, value: oneOf(4) },
    0x04: { key: none, value: anything },
    0x05: { key: none, value: anything },
    0x06: { key: publicKey, value: derivation },
    0x07: { key: none, value: anything },
    0x08: { key: none, value: anything },
    0x09: { key: none, value: anything },
    0x0a: { key: oneOf(20), value: anything },
    0x0b: { key: oneOf(32), value: anything },
    0x0c: { key: oneOf(20), value: anything },
    0x0d: { key: oneOf(32), value: anything },
    0x0e: 'OF_VERSION_2',
    0x0f: 'OF_VERSION_2',
    0x10: 'OF_VERSION_2',
    0x11: 'OF_VERSION_2',
    0x12: 'OF_VERSION_2',
    0x13: { key: none, value: oneOf(64, 65) },
    0x14: { key: oneOf(64), value: oneOf(64, 65) },
    0x15: { key: controlBlock, value: anything },
    0x16: { key: oneOf(32), value: anything },
    0x17: { key: none, value: oneOf(32) },
    0x18: { key: none, value: oneOf(32) },
  },
  output: {
    0x00: { key: none, value: anything },
    0x01: { key: none, value: anything },
    0x02: { key: publicKey, value: derivation },
    0x03: 'OF_VERSION_2',
    0x04: 'OF_VERSION_2',
    0x05: { key: none, value: oneOf(32) },
    0x06: { key: none, value: anything },
    0x07: { key: oneOf(32), value: anything },
  },
}
