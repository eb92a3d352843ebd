import * as t from '../../../core/codec/t.ts'
import { directMethods, socialProviders } from '../../../core/organization/auth-proxy.ts'
import type { Endpoint, ProxyConfig } from '../endpoint.ts'
import { present } from './wire.ts'

/* What clients read before they show how somebody may sign in. Nobody asks the API for it. */

const Nothing = t.fields({})
type Nothing = t.TypeOf<typeof Nothing>

/** What counts where a configuration says nothing: clients would guess other values. */
const DEFAULTS = { sessionExpirationSeconds: 900, otpLength: 9, otpAlphanumeric: true }

export const walletKitConfig: Endpoint<Nothing> = {
  path: '/v1/wallet_kit_config',
  request: Nothing,
  answer: async (_request, { config }) => {
    const { sessionExpirationSeconds, otpLength, otpAlphanumeric, walletKitSettings } = config
    const { oauthClientIds = {}, oauthRedirectUrl } = walletKitSettings ?? {}
    const clientIds = present(Object.fromEntries(socialProviders.map((name) => [name, oauthClientIds[name]])))
    return present({
      enabledProviders: enabledProviders(config),
      sessionExpirationSeconds: String(sessionExpirationSeconds ?? DEFAULTS.sessionExpirationSeconds),
      organizationId: config.organizationId,
      oauthClientIds: Object.keys(clientIds).length > 0 ? clientIds : undefined,
      oauthRedirectUrl: oauthRedirectUrl || undefined,
      otpAlphanumeric: otpAlphanumeric ?? DEFAULTS.otpAlphanumeric,
      otpLength: String(otpLength ?? DEFAULTS.otpLength),
    })
  },
}

/** Providers of identities need client ids, so they are enabled only if a setting names them. */
const enabledProviders = ({ allowedAuthMethods: allowed, walletKitSettings }: ProxyConfig): readonly string[] => {
  const named = (walletKitSettings?.enabledSocialProviders ?? []).map((name) => name.toLowerCase())
  const isAllowed = (method: string): boolean => allowed === undefined || allowed.includes(method)
  const isEnabled = (social: string): boolean =>
    named.length > 0
      ? named.includes(social) && (isAllowed(social) || isAllowed('oauth'))
      : allowed?.includes(social) === true
  return [...directMethods.filter(isAllowed), ...socialProviders.filter(isEnabled)]
}

/** @param siteKey  by which clients show captchas; without it, none is asked for */
export const walletKitClientParams = (siteKey: string | undefined): Endpoint<Nothing> => ({
  path: '/v1/wallet_kit_client_params',
  request: Nothing,
  answer: async (_request, { config }) =>
    present({ turnstileSiteKey: config.captchaEnabled === true ? siteKey : undefined }),
})
