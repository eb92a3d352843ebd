import { readIdentityToken, type Identity } from '../../../core/identity/identity-token.ts'
import { claimsIn } from '../../../core/resources/deployment-key/token.ts'
import { SUBJECTS } from '../../../core/resources/oauth2-credential/oauth2-credentials.ts'
import type { OauthProviderParamsV2 } from '../../../core/resources/oauth-provider/oauth-provider-params.ts'
import type { OtpType } from '../../../core/resources/verification/contact.ts'
import { verificationToken } from '../../../core/resources/verification/verification-token.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { socialProviders, type AuthMethod } from '../../../core/organization/auth-proxy.ts'
import type { ProxyConfig } from '../endpoint.ts'

/* How somebody signs up or in, by what they bring. Nobody has verified it yet: the engine does, and refuses what is made up. */

export const methodOfCode = (otpType: OtpType): AuthMethod => (otpType === 'OTP_TYPE_EMAIL' ? 'email' : 'sms')

/** By the kind of contact; `undefined` for a text that is no such token. */
export const methodOfVerification = (token: string): AuthMethod | undefined => {
  const claims = claimsIn(verificationToken, token)
  return claims && methodOfCode(claims.verification_type)
}

const ISSUERS: ReadonlyMap<string, AuthMethod> = new Map([
  ['https://accounts.google.com', 'google'],
  ['https://appleid.apple.com', 'apple'],
  ['https://www.facebook.com', 'facebook'],
  ['https://limited.facebook.com', 'facebook'],
])

/** Tokens of ours about accounts at providers of OAuth2 have the provider in their subjects. */
const OAUTH2: ReadonlyMap<string, AuthMethod> = new Map([
  [SUBJECTS.OAUTH2_PROVIDER_X, 'x'],
  [SUBJECTS.OAUTH2_PROVIDER_DISCORD, 'discord'],
])

const methodOfIdentity = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): AuthMethod =>
  ISSUERS.get(issuer) ?? OAUTH2.get(subject.split(':')[0] ?? '') ?? 'oauth'

export const methodOfIdentityToken = (token: string): AuthMethod => {
  const read = readIdentityToken(token)
  return read === undefined ? 'oauth' : methodOfIdentity(read)
}

export const methodOfProvider = ({ oidcToken, oidcClaims }: OauthProviderParamsV2): AuthMethod => {
  if (oidcToken !== undefined || oidcClaims === undefined) return methodOfIdentityToken(oidcToken ?? '')
  return methodOfIdentity({ issuer: oidcClaims.iss, subject: oidcClaims.sub })
}

const OAUTH: ReadonlySet<AuthMethod> = new Set([...socialProviders, 'oauth'])

/** Refuses a method that the configuration leaves out, in the words that clients look for. `oauth` stands for all identity providers. */
export const mustBeAllowed = (method: AuthMethod, { allowedAuthMethods: allowed }: ProxyConfig): void => {
  const isOauth = OAUTH.has(method)
  if (allowed === undefined || allowed.includes(method) || (isOauth && allowed.includes('oauth'))) return
  throw refuse('REQUEST_NOT_AUTHORIZED', `${isOauth ? 'OAUTH' : method.toUpperCase()} disallowed`)
}
