import { httpServer } from '../../../adapters/http/index.ts'
import type { HandledRequest } from '../../../adapters/http/options.ts'
import { identityTokens } from '../../../adapters/identity-tokens/index.ts'
import { smtpMailer } from '../../../adapters/mail/index.ts'
import { newProxyKeys, publicHalves } from '../../../adapters/proxy/keys.ts'
import { proxyServer } from '../../../adapters/proxy/proxy-server.ts'
import type { Client } from '../../../examples/sign-in/bundle.ts'
import { pageServer } from '../../../examples/sign-in/page-server.ts'
import { mailServer, type Arrived } from '../../adapters/mail/mail-server.ts'
import { begin, world, type Place, type World } from '../../core/world/world.ts'
import { clientOf, type IdentityProvider } from '../../system/conformance/identity-provider.ts'
import { runningClock } from './running-clock.ts'

/* A server and an auth proxy that several organizations have enabled, each for the pages of one origin. */

export type Shop = {
  readonly w: World
  readonly arrived: readonly Arrived[]
  readonly proxyUrl: string
  /** What was asked of the proxy. */
  readonly requests: readonly HandledRequest[]
  readonly provider: IdentityProvider
  /** Serves the page, for an organization of its own that lets this page in, and no other. */
  readonly pageWith: (client: Client) => Promise<{ readonly origin: string; readonly place: Place }>
  /** Begins an organization that lets pages of one origin in. */
  readonly placeFor: (origin: string) => Promise<Place>
}

export const inShop = async (provider: IdentityProvider, play: (shop: Shop) => Promise<void>): Promise<void> => {
  const post = await mailServer()
  const clock = runningClock()
  const keys = newProxyKeys()
  const ports = {
    mailer: smtpMailer({ url: post.url, from: 'office@example.com', clock }),
    identityTokens: identityTokens({ allowPrivateNetwork: true }),
    authProxy: publicHalves(keys),
    sandboxContacts: false,
  }
  const w = await world({ testClock: clock, ports })
  const server = httpServer(w.engine)
  const { url } = await server.listen()
  const requests: HandledRequest[] = []
  const proxy = proxyServer({ api: url, keys, clock, onRequest: (request) => void requests.push(request) })
  const { url: proxyUrl } = await proxy.listen()
  const closings: (() => void)[] = []

  const letIn = async ({ done, root }: Place, origin: string): Promise<void> => {
    await done(root, 'enable_auth_proxy', {})
    await done(root, 'update_auth_proxy_config', {
      allowedOrigins: [origin],
      verificationTokenRequiredForGetAccountPii: true,
      emailCustomizationParams: { appName: 'Shop' },
    })
    // No proxy stands before a sign-in by passkey, and to a passkey all ports of a host are one.
    await done(root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: origin })
  }
  const pageWith: Shop['pageWith'] = async (client) => {
    const place = await begin(w)
    const { organizationId } = place
    const atProvider = { authorizationEndpoint: `${provider.issuer}/auth`, clientId: clientOf('RS256') }
    const page = await pageServer({ url, proxyUrl, organizationId, provider: atProvider }, 0, client)
    closings.push(() => page.server.close().closeAllConnections())
    await letIn(place, page.origin)
    return { origin: page.origin, place }
  }
  const placeFor: Shop['placeFor'] = async (origin) => {
    const place = await begin(w)
    await letIn(place, origin)
    return place
  }
  try {
    await play({ w, arrived: post.arrived, proxyUrl, requests, provider, pageWith, placeFor })
  } finally {
    for (const close of closings) close()
    await proxy.close()
    await server.close()
    await w.close()
    await post.close()
  }
}
