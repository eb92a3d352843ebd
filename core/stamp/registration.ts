import { decodeBase64, encodeBase64Url, encodeUtf8, equal } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import type { Attested, Registration } from '../ports/attestations.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'
import { decodeAttestationObject, type AttestationObject } from './attestation-object.ts'
import { decodeAttestedData, type AttestedData } from './authenticator-data.ts'
import { decodeClientData, type ClientData } from './client-data.ts'
import { decodeCoseKey, type CoseKey } from './cose-key.ts'

/** A registration that was read, and checked but for its statement. */
export type ReadRegistration = {
  readonly object: AttestationObject
  readonly attested: AttestedData
  readonly clientDataHash: Uint8Array
  readonly key: CoseKey
  /** What to keep, if the statement is right. */
  readonly kept: Omit<Attested, 'format'>
}

/**
 * Checks all of a registration but its statement.
 *
 * @returns `REQUEST_INVALID`, whose message names what is wrong
 * @see https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
 */
export const readRegistration =
  (sha256: Digest['sha256']) =>
  (registration: Registration): E.Either<Failure, ReadRegistration> => {
    const { challenge, transports } = registration
    const credentialId = credentialIdOf(registration.credentialId)
    if (E.isLeft(credentialId)) return credentialId
    const clientData = decodeBase64(registration.clientDataJson)
    const client = clientData === undefined ? undefined : decodeClientData(clientData)
    if (clientData === undefined || client === undefined)
      return invalid('the client data of the passkey cannot be read; expected JSON in base64url')
    const object = decodeAttestationObject(decodeBase64(registration.attestationObject) ?? new Uint8Array())
    const attested = object === undefined ? undefined : decodeAttestedData(object.authenticatorData)
    if (object === undefined || attested === undefined)
      return invalid('the attestation object of the passkey cannot be read; expected CBOR in base64url')
    const wrong = wrongClientData(client, challenge) ?? wrongAttestedData(sha256, attested, client, credentialId.right)
    if (wrong !== undefined) return invalid(wrong)
    const key = decodeCoseKey(attested.publicKey)
    if (E.isLeft(key)) return key
    const { publicKey, aaguid, rpIdHash } = attested
    const { origin, crossOrigin, topOrigin } = client
    const kept = {
      credentialId: encodeBase64Url(credentialId.right),
      publicKey,
      algorithm: key.right.algorithm,
      aaguid,
      transports,
      rpIdHash,
      origin,
      crossOrigin,
      topOrigin,
    }
    return E.right({ object, attested, clientDataHash: sha256(clientData), key: key.right, kept })
  }

/** The challenge and the credential's id, as texts. */
const TEXT_MAX = 256

const credentialIdOf = (text: string): E.Either<Failure, Uint8Array> => {
  if (text.length > TEXT_MAX) return invalid(`the credential id of the passkey is longer than ${TEXT_MAX} characters`)
  const bytes = decodeBase64(text)
  return bytes === undefined || bytes.length === 0
    ? invalid('the credential id of the passkey cannot be read; expected base64url')
    : E.right(bytes)
}

const wrongClientData = (client: ClientData, challenge: string): string | undefined => {
  if (client.type !== 'webauthn.create') return 'the client data of the passkey is not of the type webauthn.create'
  if (challenge.length === 0 || challenge.length > TEXT_MAX)
    return `the challenge of the passkey is empty, or longer than ${TEXT_MAX} characters`
  return oneSpelling(client.challenge) === oneSpelling(challenge)
    ? undefined
    : 'the challenge in the client data of the passkey is not the one of the request'
}

/** Base64url without padding, if the text is base64 in either alphabet. */
const oneSpelling = (text: string): string =>
  text
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')

const wrongAttestedData = (
  sha256: Digest['sha256'],
  { credentialId, rpIdHash, isUserPresent }: AttestedData,
  { origin }: ClientData,
  expectedId: Uint8Array,
): string | undefined => {
  if (!equal(credentialId, expectedId)) return 'the credential id of the passkey is not the attested one'
  if (!isUserPresent) return 'the authenticator does not say that a user was present'
  if (APP.test(origin)) return undefined
  const ids = relyingPartiesAt(origin)
  if (ids.length === 0) return 'the origin in the client data of the passkey has no host'
  return ids.some((id) => equal(sha256(encodeUtf8(id)), rpIdHash))
    ? undefined
    : 'the id of the relying party is neither the host of the origin nor a suffix of it at a dot'
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/([^\s/:@?#[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
/** An app on Android has no host: its origin is the hash of the key that signed it. The relying party named the app, so it is not compared. */
const APP = /^android:apk-key-hash(?:-sha256)?:[A-Za-z0-9_-]+$/
/** The longest name of a host. */
const HOST_MAX = 253

/** The ids that a relying party can have at an origin: its host, and each suffix of it at a dot. None if the origin has no host. */
export const relyingPartiesAt = (origin: string): readonly string[] => {
  const host = ORIGIN.exec(origin)?.[1]
  if (host === undefined || host.length > HOST_MAX) return []
  const labels = host.split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

const invalid = (message: string): E.Either<Failure, never> => E.left(failure('REQUEST_INVALID', message))
