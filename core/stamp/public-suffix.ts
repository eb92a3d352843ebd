import { sha256 } from '@noble/hashes/sha2.js'
import { parse } from 'tldts'
import { decodeBase64, encodeUtf8, equal } from '../bytes.ts'
import type { Registration } from '../ports/attestations.ts'
import { decodeAttestationObject } from './attestation-object.ts'
import { decodeAttestedData } from './authenticator-data.ts'
import { decodeClientData } from './client-data.ts'
import { relyingPartiesAt } from './registration.ts'

/**
 * Whether the id of a new passkey's relying party is a public suffix, below which anybody can have a name: such as `com`, `co.uk` or
 * `github.io`. Then every page below it could ask for signatures. Browsers refuse to make such a passkey.
 *
 * The list changes with the version of its package. So the answer must not be asked for again in a replay or an audit.
 *
 * @returns false also for what cannot be read: `readRegistration` says what is wrong with it
 * @see https://publicsuffix.org/list/
 */
export const isForPublicSuffix = ({
  clientDataJson,
  attestationObject,
}: Pick<Registration, 'clientDataJson' | 'attestationObject'>): boolean => {
  const client = decodeClientData(decodeBase64(clientDataJson) ?? NOTHING)
  const suffixes = client === undefined ? [] : relyingPartiesAt(client.origin).filter(isPublicSuffix)
  if (suffixes.length === 0) return false
  const object = decodeAttestationObject(decodeBase64(attestationObject) ?? NOTHING)
  const attested = object && decodeAttestedData(object.authenticatorData)
  return attested !== undefined && suffixes.some((id) => equal(sha256(encodeUtf8(id)), attested.rpIdHash))
}

const NOTHING = new Uint8Array()

/** A host that is not in the list, such as `localhost`, is no public suffix, although it stands alone. */
const isPublicSuffix = (host: string): boolean => {
  const { hostname, publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true })
  return publicSuffix !== null && publicSuffix === hostname && (isIcann === true || isPrivate === true)
}
