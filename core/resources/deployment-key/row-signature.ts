import { sha256 } from '@noble/hashes/sha2.js'
import { decodeHex, encodeHex, encodeUtf8 } from '../../bytes.ts'
import { failure, type Failure } from '../../failure.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { TE, pipe } from '../../prelude.ts'

/* What the deployment's rows of Ed25519 sign. */

export const ROW_CURVE = 'CURVE_ED25519'

export const rowPlace = (keyId: string) => ({ organizationId: '', keyId })

/** The signature of Ed25519 by the key in a row: 64 bytes. */
export const rowSignature = (
  keyring: Pick<Keyring, 'sign'>,
  keyId: string,
  message: Uint8Array,
): TE.TaskEither<Failure, Uint8Array> =>
  pipe(
    keyring.sign(rowPlace(keyId), { curve: ROW_CURVE }, 'eddsa', [encodeHex(message)]),
    TE.flatMap(([signature]) => {
      const bytes = signature && decodeHex(signature.r + signature.s)
      return bytes === undefined ? TE.left(noSignature) : TE.right(bytes)
    }),
  )

/**
 * A secret of 32 bytes that follows from the key in a row: signatures of Ed25519 are the same for the same message, and nobody else can make them.
 */
export const rowSecret = (
  keyring: Pick<Keyring, 'sign'>,
  keyId: string,
  label: string,
): TE.TaskEither<Failure, Uint8Array> => pipe(rowSignature(keyring, keyId, encodeUtf8(label)), TE.map(sha256))

const noSignature = failure('INTERNAL', 'the keyring has given no signature')
