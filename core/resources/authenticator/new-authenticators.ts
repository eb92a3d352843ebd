import * as t from 'io-ts'
import { encodeBase64Url, encodeHex } from '../../bytes.ts'
import { fields } from '../../codec/fields.ts'
import { personal } from '../../codec/personal.ts'
import type { Limits } from '../../definition/limits.ts'
import { notUnique } from '../../definition/refusals.ts'
import { failure, fieldViolations, type Failure } from '../../failure.ts'
import { addCredential, isTaken } from '../../organization/credentials.ts'
import { passkeysOf } from '../../organization/credential.ts'
import { acceptsClient } from '../../organization/passkey-origins.ts'
import type { Draft, Organization } from '../../organization/state.ts'
import type { User, UserDraft } from '../../organization/users.ts'
import type { Attestations, Attested } from '../../ports/attestations.ts'
import { E, type TE } from '../../prelude.ts'
import { isForPublicSuffix } from '../../stamp/public-suffix.ts'
import { authenticatorLimits } from './authenticator-limits.ts'
import type { AuthenticatorParamsV2 } from './authenticator-params.ts'

/** A passkey in a change; its time is the time of the event. The members are those of a `Passkey`. */
export const NewAuthenticator = fields({
  authenticatorId: t.string,
  authenticatorName: personal(t.string, ''),
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

/** Checks the attestations of passkeys, in order. The failure of the first that is wrong names its member. */
export const attestedIn =
  (
    attestations: Attestations,
    listed: readonly AuthenticatorField[],
  ): TE.TaskEither<Failure, readonly CheckedAuthenticator[]> =>
  async () => {
    const found: CheckedAuthenticator[] = []
    for (const { field, params } of listed) {
      const attested = await attestations.verify({ challenge: params.challenge, ...params.attestation })
      if (E.isLeft(attested)) return E.left(inField(field, attested.left))
      found.push({ field, params, attested: attested.right })
    }
    return E.right(found)
  }

const inField = (field: string, cause: Failure): Failure =>
  cause.code === 'REQUEST_INVALID'
    ? fieldViolations(`invalid parameters at ${field}: ${cause.message}`, [{ field, description: cause.message }])
    : cause

/**
 * Fails if a passkey is registered already, was another user's, stands twice in the intent, or was made at an origin from which the
 * organization accepts no signatures.
 *
 * @param userId  the user who gets the passkeys; without it, somebody new
 */
export const checkAttested = (
  organization: Organization,
  checked: readonly CheckedAuthenticator[],
  userId?: string,
): E.Either<Failure, void> => {
  const seen = new Set<string>()
  for (const { field, attested } of checked) {
    const { credentialId: name, ...client } = attested
    if (isTaken(organization, { kind: 'passkey', name }, userId) || seen.has(name))
      return E.left(notUnique(`${field}.attestation.credentialId`))
    if (!acceptsClient(organization, client)) return E.left(wrongOrigin(`${field}.attestation.clientDataJson`))
    seen.add(name)
  }
  return E.right(undefined)
}

const wrongOrigin = (field: string): Failure => {
  const description = 'expected an origin of FEATURE_NAME_WEBAUTHN_ORIGINS'
  return fieldViolations(`invalid parameters at ${field}: ${description}`, [{ field, description }])
}

/** Fails if a user would have more passkeys than allowed. */
export const checkAuthenticatorCount = (
  user: Pick<User, 'credentials'> | undefined,
  added: number,
  limits: Limits,
): E.Either<Failure, void> =>
  (user === undefined ? 0 : passkeysOf(user).length) + added <= authenticatorLimits.of({ limits }).authenticators
    ? E.right(undefined)
    : E.left(failure('RESOURCE_EXHAUSTED', 'user has exceeded maximum authenticators'))

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
export const admitAuthenticators = (listed: readonly AuthenticatorField[]): E.Either<Failure, void> => {
  if (listed.length > NEW_AUTHENTICATORS_MAX)
    return E.left(
      failure('RESOURCE_EXHAUSTED', `expected at most ${NEW_AUTHENTICATORS_MAX} authenticators in one request`),
    )
  const wrong = listed.find(({ params }) => isForPublicSuffix(params.attestation))
  return wrong === undefined ? E.right(undefined) : E.left(inField(wrong.field, publicSuffix))
}

const publicSuffix = failure(
  'REQUEST_INVALID',
  'the id of the relying party is a public suffix, such as com or github.io; expected a domain below it',
)
