import * as t from '../../codec/t.ts'
import { TOKEN_CHARACTERS_MAX } from '../../identity/identity-token.ts'

/** A token as a request has it. What is wrong with one is found where it is read. */
export const OidcToken = t.textUpTo(TOKEN_CHARACTERS_MAX)

const Name = t.textUpTo(2_048)

/** A person, in the words of a token. */
export const OidcClaims = t.fields({ iss: Name, sub: Name, aud: Name })

/** The older form: a token alone. */
export const OauthProviderParams = t.fields({ providerName: t.Label, oidcToken: OidcToken })

export const OauthProviderParamsV2 = t.fields(
  { providerName: t.Label },
  { oidcToken: OidcToken, oidcClaims: OidcClaims },
  ({ oidcToken, oidcClaims }) =>
    (oidcToken === undefined) === (oidcClaims === undefined)
      ? { member: 'oidcToken', expected: 'a token, or oidcClaims in its place' }
      : undefined,
)
export type OauthProviderParamsV2 = t.TypeOf<typeof OauthProviderParamsV2>

/** The tokens of providers, in order. */
export const tokensOf = (listed: readonly OauthProviderParamsV2[]): readonly string[] =>
  listed.flatMap(({ oidcToken }) => oidcToken ?? [])
