import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { authProxy, AuthProxySettings } from '../../organization/auth-proxy.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { sessionLimits } from '../session/session-limits.ts'
import { NewSettings, settingsWith } from './settings.ts'

/** The configuration is the organization's only one, and has the organization's id. It can be set before the proxy is enabled. */
export const updateAuthProxyConfig = operation({
  type: 'ACTIVITY_TYPE_UPDATE_AUTH_PROXY_CONFIG',
  path: 'update_auth_proxy_config',
  summary:
    'Sets how the auth proxy signs users up and in: what is left out stays, and what is empty is not set any more.',
  resource: 'AUTH_PROXY',
  action: 'UPDATE',
  intent: NewSettings,
  result: t.fields({ configId: t.string }),
  change: AuthProxySettings,

  execute: (intent, { organization, limits }) => {
    onlyOnTop(organization)
    const { sessionExpirationSeconds: seconds } = intent
    if (seconds !== undefined) mustBeWithin(seconds, sessionLimits.of({ limits }).sessionSeconds)
    const change = settingsWith(authProxy.of(organization).settings, intent)
    return { result: { configId: organization.organizationId }, change }
  },

  evolve: (draft, settings) => {
    authProxy.in(draft).settings = settings
  },
})

const mustBeWithin = (seconds: number, most: number): void => {
  if (seconds > most) throw refuse.field('sessionExpirationSeconds', `at most ${most} seconds`)
}
