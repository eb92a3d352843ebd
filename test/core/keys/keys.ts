import fc from 'fast-check'
import { decodeHex } from '../../../core/bytes.ts'
import type { KeyCurve } from '../../../core/keys/curve.ts'
import { parsePath, type KeyPathIndexes } from '../../../core/keys/path.ts'
import { newPrivateKey, randomBytesOf } from '../../../core/keys/public-key.ts'

/** The bytes of hex that a test wrote. */
export const bytes = (hex: string): Uint8Array => {
  const decoded = decodeHex(hex)
  if (decoded === undefined) throw new Error('bad hex in a test')
  return decoded
}

/** The indexes of a path that a test wrote. */
export const path = (text: string): KeyPathIndexes => {
  const parsed = parsePath(text)
  if (parsed === undefined) throw new Error('bad path in a test')
  return parsed
}

export const anyBytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length })

export const anyPrivateKey = (curve: KeyCurve): fc.Arbitrary<Uint8Array> =>
  anyBytes(randomBytesOf(curve)).map((random) => newPrivateKey(curve, random))
