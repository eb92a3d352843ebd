import * as t from '../../../core/codec/t.ts'
import { refusal, refuse } from '../../../core/definition/refuse.ts'
import { failureOf } from '../../../core/countersign-error.ts'
import { invalidToken, isBoundTo, readIdentityToken } from '../../../core/identity/identity-token.ts'
import { KeyAsSent } from '../../../core/resources/oauth-login/oauth-login.ts'
import { OidcToken } from '../../../core/resources/oauth-provider/oauth-provider-params.ts'
import type { Call, Endpoint, ProxyConfig } from '../endpoint.ts'
import { methodOfIdentityToken } from './auth-methods.ts'
import { mustBeBelow, oldestOf, provedBy } from './sub-organizations.ts'
import { OrganizationId, present, secondsOf } from './wire.ts'

const Request = t.fields(
  { oidcToken: OidcToken, publicKey: KeyAsSent },
  { invalidateExisting: t.boolean, organizationId: OrganizationId },
)
type Request = t.TypeOf<typeof Request>

/** Begins a session of the user whom an identity token names. Whoever has signed up with the same e-mail address at Google gets this account, too. */
export const oauthLogin: Endpoint<Request> = {
  path: '/v1/oauth_login',
  request: Request,
  methodOf: ({ oidcToken }) => methodOfIdentityToken(oidcToken),
  answer: async (request, call) => {
    const { oidcToken, publicKey, invalidateExisting } = request
    const organizationId = await organizationOf(request, call)
    return call.submit({
      type: 'ACTIVITY_TYPE_OAUTH_LOGIN',
      path: 'oauth_login',
      organizationId,
      parameters: present({
        oidcToken,
        publicKey,
        invalidateExisting,
        expirationSeconds: secondsOf(call.config.sessionExpirationSeconds),
      }),
      resultName: 'oauthLoginResult',
    })
  },
}

const organizationOf = async (request: Request, call: Call): Promise<string> => {
  const { oidcToken, organizationId: given } = request
  if (given) await mustBeBelow(given, call)
  const known = await oldestOf({ path: 'list_suborgs', filterType: 'OIDC_TOKEN', filterValue: oidcToken }, call)
  const found = known ?? (await linked(request, call))
  const organizationId = given || found
  if (organizationId === undefined) throw refuse('UNAUTHENTICATED', 'nobody signs in with this identity token')
  return organizationId
}

/** Whether a token has a verified e-mail address, and comes from a client by whose tokens such an address counts. */
export const vouches = (oidcToken: string, { socialLinkingClientIds = [] }: ProxyConfig): boolean => {
  const token = readIdentityToken(oidcToken)
  return token?.verifiedEmail !== undefined && socialLinkingClientIds.includes(token.audience)
}

/** Registers the account of the token with the user who has its e-mail address, verified; gives their organization. The engine judges the token. */
const linked = async (
  { oidcToken, publicKey, organizationId: given }: Request,
  call: Call,
): Promise<string | undefined> => {
  const token = readIdentityToken(oidcToken)
  if (token === undefined || !vouches(oidcToken, call.config)) return undefined
  if (!isBoundTo(token, publicKey)) throw refusal(invalidToken) // nothing is registered that no log-in follows
  const { subOrganizationId: organizationId, userId } = await provedBy({ oidcToken }, call)
  if (organizationId === undefined || userId === undefined || (given && given !== organizationId)) return undefined
  try {
    await call.submit({
      type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2',
      path: 'create_oauth_providers',
      organizationId,
      parameters: { userId, oauthProviders: [{ providerName: 'google', oidcToken }] },
      resultName: 'createOauthProvidersResultV2',
    })
  } catch (error) {
    if (failureOf(error)?.code !== 'OAUTH_PROVIDER_ALREADY_EXISTS') throw error // another log-in of theirs was faster
  }
  return organizationId
}
