import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { actingProxy, authProxy, SealedApiKey, settingsMembers } from '../../organization/auth-proxy.ts'
import { profile } from '../../organization/profile.ts'
import { InOrganization } from '../in-organization.ts'
import { ANY_ORIGIN } from '../../organization/origins.ts'

const { allowedOrigins, ...others } = settingsMembers

/** The settings that are set, and the proxy while it is let in. */
const AuthProxyConfig = t.named(
  'AuthProxyConfig',
  t.fields(
    {
      configId: t.described(t.Uuid, 'the id of the organization'),
      organizationId: t.Uuid,
      organizationName: t.string,
      isEnabled: t.boolean,
      allowedOrigins,
    },
    {
      userId: t.Uuid,
      publicKey: t.described(t.string, 'of the API key by which the proxy acts'),
      encryptedApiKey: t.described(SealedApiKey, "that key, which only the proxy opens; shown to the proxy's own key"),
      ...others,
    },
  ),
)

/** It is how the proxy, which keeps nothing, learns of an organization: by the key of its own that the organization has let in. */
export const getAuthProxyConfig = query({
  path: 'get_auth_proxy_config',
  summary: 'Shows how the auth proxy signs users up and in, and whether it is let in.',
  request: InOrganization,
  answer: t.fields({ authProxyConfig: AuthProxyConfig }),
  run: (_, { organization, issued }) => {
    const { organizationId } = organization
    const acting = actingProxy(organization)
    const { allowedOrigins: origins = [ANY_ORIGIN], ...set } = authProxy.of(organization).settings
    return {
      authProxyConfig: {
        configId: organizationId,
        organizationId,
        organizationName: profile.of(organization).name,
        isEnabled: acting !== undefined,
        userId: acting?.userId,
        publicKey: acting?.publicKey,
        encryptedApiKey: issued === 'AUTH_PROXY_CONFIG' ? acting?.encryptedApiKey : undefined,
        allowedOrigins: origins,
        ...set,
      },
    }
  },
})
