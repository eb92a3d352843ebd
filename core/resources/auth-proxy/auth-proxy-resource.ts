import { resource } from '../../definition/resource.ts'
import { authProxy } from '../../organization/auth-proxy.ts'
import { disableAuthProxy } from './disable-auth-proxy.ts'
import { enableAuthProxy } from './enable-auth-proxy.ts'
import { getAuthProxyConfig } from './get-auth-proxy-config.ts'
import { updateAuthProxyConfig } from './update-auth-proxy-config.ts'

export { authProxy, disableAuthProxy, enableAuthProxy, getAuthProxyConfig, updateAuthProxyConfig }

export const authProxyResource = resource({
  name: 'auth-proxy',
  states: [authProxy],
  operations: [enableAuthProxy, updateAuthProxyConfig, disableAuthProxy],
  queries: [getAuthProxyConfig],
})
