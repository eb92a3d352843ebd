import { sha256 } from '@noble/hashes/sha2.js'
import * as t from '../../codec/t.ts'
import { decodeHex, encodeHex } from '../../bytes.ts'
import type { Services } from '../../definition/port.ts'
import { failure, type Failure } from '../../failure.ts'
import { uncompressed } from '../../keys/public-key.ts'
import type { SignatureParts } from '../../keys/signing.ts'
import type { Keyring, KeyPlace } from '../../ports/keyring.ts'
import { E, TE, pipe } from '../../prelude.ts'
import { WEBHOOK_ROWS } from './webhook-rows.ts'

/*
 * Keys of the whole deployment. They are in sealed rows that belong to no organization. All of them are keys of P-256; a purpose with an encryption
 * and a signing half has two rows.
 */

const CURVE = 'CURVE_P256'

/** The rows of each purpose, in the order of its public half. */
const PURPOSES = {
  /** Signs bundles. */
  signer: ['signer'],
  /** Signs app proofs. */
  'app-proof': ['app-proof.encryption', 'app-proof.signing'],
  /** Signs the tokens of sessions. */
  session: ['session'],
  /** Signs the tokens of what was verified. */
  verification: ['verification'],
  /** Opens what is encrypted to it: the secrets of clients of OAuth 2.0. */
  'oauth2-encryption': ['oauth2-encryption'],
  /** Signs the identity tokens that this deployment issues. */
  oidc: ['oidc'],
} as const

type Purpose = keyof typeof PURPOSES
const purposes = Object.keys(PURPOSES) as Purpose[]

/** What is public of a key of the deployment. */
export const DeploymentKey = t.fields({
  purpose: t.described(t.string, 'what the key is for'),
  id: t.described(t.string, 'names the key: 16 hexadecimal digits of the SHA-256 of its public half'),
  publicKey: t.described(t.string, 'hexadecimal, in lower case: uncompressed points of P-256, one behind the other'),
})
export type DeploymentKey = t.TypeOf<typeof DeploymentKey>

const placeOf = (keyId: string): KeyPlace => ({ organizationId: '', keyId })

/** The keyring among the services of an engine, if there is one, with all keys in it: who comes second finds those that are there. */
export const keyringWithKeys =
  (services: Services): TE.TaskEither<Failure, Keyring | undefined> =>
  async () => {
    const keyring = services['keyring'] as Keyring | undefined // operations name it so
    if (keyring === undefined) return E.right(undefined)
    for (const purpose of purposes)
      for (const row of PURPOSES[purpose]) {
        const made = await keyring.makeKey(placeOf(row), CURVE)()
        if (E.isLeft(made)) return made
      }
    for (const row of WEBHOOK_ROWS) {
      const made = await keyring.makeKey(placeOf(row), 'CURVE_ED25519')()
      if (E.isLeft(made)) return made
    }
    return E.right(keyring)
  }

/** What is public of all keys. */
export const publishedKeys =
  (keyring: Keyring): TE.TaskEither<Failure, readonly DeploymentKey[]> =>
  async () => {
    const published: DeploymentKey[] = []
    for (const purpose of purposes) {
      const publicKey = await publicHalf(keyring, purpose)()
      if (E.isLeft(publicKey)) return publicKey
      published.push({ purpose, id: idOf(publicKey.right), publicKey: publicKey.right })
    }
    return E.right(published)
  }

/** The public half of a key: 65 bytes for each of its rows, as hex. */
export const publicHalf =
  (keyring: Keyring, purpose: Purpose): TE.TaskEither<Failure, string> =>
  async () => {
    let half = ''
    for (const row of PURPOSES[purpose]) {
      const keys = await keyring.publicKeys(placeOf(row), [{ curve: CURVE }])()
      if (E.isLeft(keys)) return keys
      half += uncompressed(CURVE, keys.right[0] ?? '')
    }
    return E.right(half)
  }

/** Signs bytes by ECDSA over their SHA-256 (RFC 6979), with the last row of the purpose. */
export const signedBy = (
  keyring: Keyring,
  purpose: Purpose,
  bytes: Uint8Array,
): TE.TaskEither<Failure, SignatureParts> =>
  pipe(
    keyring.sign(placeOf(PURPOSES[purpose].at(-1) ?? ''), { curve: CURVE }, 'ecdsa', [encodeHex(sha256(bytes))]),
    TE.flatMap(([signature]) => (signature === undefined ? TE.left(noSignature) : TE.right(signature))),
  )

/** Opens an envelope that was encrypted to a key of the deployment; `undefined` if it was not. */
export const openedBy = (
  keyring: Keyring,
  purpose: Purpose,
  envelope: Uint8Array,
): TE.TaskEither<Failure, Uint8Array | undefined> => keyring.openEnvelope(placeOf(PURPOSES[purpose][0]), envelope)

const noSignature = failure('INTERNAL', 'the keyring has given no signature')

/** Names a public key: 16 digits of the SHA-256 of its bytes. */
export const idOf = (publicKey: string): string =>
  encodeHex(sha256(decodeHex(publicKey) ?? new Uint8Array())).slice(0, ID_DIGITS)
const ID_DIGITS = 16
