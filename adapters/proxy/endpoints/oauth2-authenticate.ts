import * as t from '../../../core/codec/t.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { Oauth2Provider } from '../../../core/resources/oauth2-credential/oauth2-credentials.ts'
import type { Endpoint } from '../endpoint.ts'
import { readAnswer } from './wire.ts'

const Short = t.textUpTo(1_024)

const Request = t.fields({
  provider: Oauth2Provider,
  authCode: t.Text,
  redirectUri: t.Text,
  codeVerifier: Short,
  nonce: Short,
  clientId: t.Text,
})
type Request = t.TypeOf<typeof Request>

const Credentials = t.fields({
  oauth2Credentials: t.array(t.fields({ oauth2CredentialId: t.string, provider: t.string, clientId: t.string })),
})

/** Takes the code of a provider of OAuth2, and gives an identity token, by the credential that the organization has for the client. */
export const oauth2Authenticate: Endpoint<Request> = {
  path: '/v1/oauth2_authenticate',
  request: Request,
  methodOf: ({ provider }) => (provider === 'OAUTH2_PROVIDER_X' ? 'x' : 'discord'),
  answer: async ({ provider, clientId, ...given }, { config: { organizationId }, query, submit }) => {
    const { oauth2Credentials } = readAnswer(Credentials, await query('list_oauth2_credentials', { organizationId }))
    const credential = oauth2Credentials.find((one) => one.provider === provider && one.clientId === clientId)
    if (credential === undefined)
      throw refuse(
        'OAUTH2_CREDENTIAL_NOT_FOUND',
        `unable to find an OAuth2 credential of ${provider} for this client id`,
      )
    return submit({
      type: 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE',
      path: 'oauth2_authenticate',
      organizationId,
      parameters: { oauth2CredentialId: credential.oauth2CredentialId, ...given },
      resultName: 'oauth2AuthenticateResult',
    })
  },
}
