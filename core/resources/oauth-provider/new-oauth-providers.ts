import * as t from '../../codec/t.ts'
import type { Limits } from '../../definition/limits.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Identity, IdentityToken } from '../../identity/identity-token.ts'
import { identified } from '../../organization/oauth-providers.ts'
import type { Organization } from '../../organization/state.ts'
import type { User, UserDraft } from '../../organization/users.ts'
import { hasContact } from '../verification/contact.ts'
import { oauthProviderLimits } from './oauth-provider-limits.ts'
import type { OauthProviderParamsV2 } from './oauth-provider-params.ts'

/** A provider in a change; its time is the time of the event. An identity names a person, so it can be erased. */
export const NewOauthProvider = t.fields({
  providerId: t.string,
  providerName: t.personal(t.string, ''),
  issuer: t.personal(t.string, ''),
  audience: t.personal(t.string, ''),
  subject: t.personal(t.string, ''),
})
export type NewOauthProvider = t.TypeOf<typeof NewOauthProvider>

/** A provider of a request, with the identity that its token or its claims name. */
export type ReadProvider = {
  readonly providerName: string
  readonly identity: Identity
  readonly token: IdentityToken | undefined
}

/**
 * Reads the providers of one user. Claims count by a token beside them that has the same issuer and subject: the same person, as another client of
 * the provider knows them.
 *
 * @param read  reads a token, or refuses it
 */
export const readProviders = (
  listed: readonly OauthProviderParamsV2[],
  read: (token: string) => IdentityToken,
  prefix = '',
): readonly ReadProvider[] => {
  const tokens = listed.map(({ oidcToken }) => (oidcToken === undefined ? undefined : read(oidcToken)))
  return listed.map(({ providerName, oidcClaims }, index) => {
    const token = tokens[index]
    if (token !== undefined) return { providerName, identity: token, token }
    const { iss: issuer = '', sub: subject = '', aud: audience = '' } = oidcClaims ?? {}
    if (!tokens.some((beside) => beside?.issuer === issuer && beside.subject === subject))
      throw refuse.field(
        `${prefix}oauthProviders.${index}.oidcClaims`,
        'the issuer and the subject of a token of the same user',
      )
    return { providerName, identity: { issuer, subject, audience }, token }
  })
}

/** Refuses an identity that a user has, or that is there twice: whoever signs in by it must be one user. */
export const checkUniqueProviders = (organization: Organization, providers: readonly ReadProvider[]): void => {
  const seen = new Set<string>()
  for (const { identity } of providers) {
    const { issuer, audience, subject } = identity
    const name = JSON.stringify([issuer, audience, subject])
    if (seen.has(name) || identified(organization, identity) !== undefined)
      throw refuse('OAUTH_PROVIDER_ALREADY_EXISTS', 'oauth provider already exists')
    seen.add(name)
  }
}

/** Refuses providers beyond those that a user may have. */
export const checkProviderCount = (
  user: Pick<User, 'oauthProviders'> | undefined,
  added: number,
  limits: Limits,
): void => {
  if ((user?.oauthProviders.size ?? 0) + added > oauthProviderLimits.of({ limits }).oauthProviders)
    throw refuse('RESOURCE_EXHAUSTED', 'user has exceeded maximum oauth providers')
}

/** The provider that gives people the addresses for which it vouches; others vouch for addresses of anybody's domain. */
export const EMAIL_ISSUER = 'https://accounts.google.com'

/** Whether a token says that the user has their e-mail address. */
export const vouchesForEmail = (
  token: IdentityToken | undefined,
  { userEmail }: { readonly userEmail?: string | undefined },
): boolean =>
  token?.issuer === EMAIL_ISSUER &&
  token.verifiedEmail !== undefined &&
  hasContact({ ...(userEmail && { userEmail }) }, { otpType: 'OTP_TYPE_EMAIL', contact: token.verifiedEmail })

/** The most providers that one request may register: the keys of each are asked for while others wait. */
const NEW_PROVIDERS_MAX = 20

export const admitProviders = (count: number): void => {
  if (count > NEW_PROVIDERS_MAX)
    throw refuse('RESOURCE_EXHAUSTED', `expected at most ${NEW_PROVIDERS_MAX} oauth providers in one request`)
}

export const newOauthProvider = (
  { providerName, identity: { issuer, audience, subject } }: ReadProvider,
  providerId: string,
): NewOauthProvider => ({ providerId, providerName, issuer, audience, subject })

export const addOauthProvider = (user: UserDraft, added: NewOauthProvider, createdAtMs: number): void =>
  void user.oauthProviders.set(added.providerId, { ...added, createdAtMs })
