import * as t from '../../codec/t.ts'
import { invalidAt } from '../../codec/codec.ts'
import { encodeBase64Url, encodeHex } from '../../bytes.ts'
import type { Limits } from '../../definition/limits.ts'
import { port } from '../../definition/port.ts'
import { refusal, refuse, type Refusal } from '../../definition/refuse.ts'
import { failure, type Failure } from '../../failure.ts'
import { addCredential, isTaken } from '../../organization/credentials.ts'
import { passkeysOf } from '../../organization/credential.ts'
import { acceptsClient } from '../../organization/passkey-origins.ts'
import type { Draft, Organization } from '../../organization/state.ts'
import type { User, UserDraft } from '../../organization/users.ts'
import type { Attestations, Attested } from '../../ports/attestations.ts'
import { E } from '../../prelude.ts'
import { isForPublicSuffix } from '../../stamp/public-suffix.ts'
import { authenticatorLimits } from './authenticator-limits.ts'
import type { AuthenticatorParamsV2 } from './authenticator-params.ts'

/** A passkey in a change; its time is the time of the event. The members are those of a `Passkey`. */
export const NewAuthenticator = t.fields({
  authenticatorId: t.string,
  authenticatorName: t.personal(t.string, ''),
  webauthnId: t.string,
  publicKey: t.string,
  rpIdHash: t.string,
  aaguid: t.string,
  format: t.string,
  transports: t.array(t.string),
})
export type NewAuthenticator = t.TypeOf<typeof NewAuthenticator>

/** A passkey of an intent, with the member that it comes from. */
export type AuthenticatorField = { readonly field: string; readonly params: AuthenticatorParamsV2 }

/** Each passkey of a list, by its place in the intent. */
export const authenticatorFields = (
  listed: readonly AuthenticatorParamsV2[],
  prefix = '',
): readonly AuthenticatorField[] =>
  listed.map((params, index) => ({ field: `${prefix}authenticators.${index}`, params }))

/** A passkey of an intent, with what its attestation says. */
export type CheckedAuthenticator = AuthenticatorField & { readonly attested: Attested }

/** The port with what checks attestations. */
export const needsAttestations = { attestations: port<Attestations>() }

/** Checks the attestations of passkeys, in order. The refusal of the first that is wrong names its member. */
export const attestedIn = async (
  attestations: Attestations,
  listed: readonly AuthenticatorField[],
): Promise<readonly CheckedAuthenticator[]> => {
  const found: CheckedAuthenticator[] = []
  for (const { field, params } of listed) {
    const attested = await attestations.verify({ challenge: params.challenge, ...params.attestation })
    if (E.isLeft(attested)) throw inField(field, attested.left)
    found.push({ field, params, attested: attested.right })
  }
  return found
}

const inField = (field: string, cause: Failure): Refusal =>
  refusal(cause.code === 'REQUEST_INVALID' ? invalidAt('parameters', [{ field, description: cause.message }]) : cause)

/**
 * Refuses a passkey that is registered already, was another user's, stands twice in the intent, or was made at an origin from which the
 * organization accepts no signatures.
 *
 * @param userId  the user who gets the passkeys; without it, somebody new
 */
export const checkAttested = (
  organization: Organization,
  checked: readonly CheckedAuthenticator[],
  userId?: string,
): void => {
  const seen = new Set<string>()
  for (const { field, attested } of checked) {
    const { credentialId: name, ...client } = attested
    if (isTaken(organization, { kind: 'passkey', name }, userId) || seen.has(name))
      throw refuse.notUnique(`${field}.attestation.credentialId`)
    if (!acceptsClient(organization, client))
      throw refuse.field(`${field}.attestation.clientDataJson`, 'an origin of FEATURE_NAME_WEBAUTHN_ORIGINS')
    seen.add(name)
  }
}

/** Refuses passkeys beyond those that a user may have. */
export const checkAuthenticatorCount = (
  user: Pick<User, 'credentials'> | undefined,
  added: number,
  limits: Limits,
): void => {
  const count = (user === undefined ? 0 : passkeysOf(user).length) + added
  if (count > authenticatorLimits.of({ limits }).authenticators)
    throw refuse('RESOURCE_EXHAUSTED', 'user has exceeded maximum authenticators')
}

export const newAuthenticator = (
  { params: { authenticatorName }, attested }: CheckedAuthenticator,
  authenticatorId: string,
): NewAuthenticator => ({
  authenticatorId,
  authenticatorName,
  webauthnId: attested.credentialId,
  publicKey: encodeBase64Url(attested.publicKey),
  rpIdHash: encodeHex(attested.rpIdHash),
  aaguid: encodeHex(attested.aaguid),
  format: attested.format,
  transports: [...attested.transports],
})

export const addAuthenticator = (draft: Draft, user: UserDraft, added: NewAuthenticator, createdAtMs: number): void => {
  const { authenticatorId, authenticatorName, ...members } = added
  const { userId } = user
  addCredential(draft, user, {
    kind: 'passkey',
    credentialId: authenticatorId,
    userId,
    label: authenticatorName,
    ...members,
    createdAtMs,
  })
}

/** The most passkeys that one request may register: checking many attestations would make others wait. */
export const NEW_AUTHENTICATORS_MAX = 20

/**
 * Refuses a request with more passkeys than can be checked while others wait, and a passkey that is for a public suffix. That is judged here,
 * because audits do not judge it again: the list of public suffixes changes with time.
 */
export const admitAuthenticators = (listed: readonly AuthenticatorField[]): void => {
  if (listed.length > NEW_AUTHENTICATORS_MAX)
    throw refuse('RESOURCE_EXHAUSTED', `expected at most ${NEW_AUTHENTICATORS_MAX} authenticators in one request`)
  const wrong = listed.find(({ params }) => isForPublicSuffix(params.attestation))
  if (wrong !== undefined) throw inField(wrong.field, publicSuffix)
}

const publicSuffix = failure(
  'REQUEST_INVALID',
  'the id of the relying party is a public suffix, such as com or github.io; expected a domain below it',
)
