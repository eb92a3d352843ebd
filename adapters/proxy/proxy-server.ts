/** The auth proxy: it signs users of an app without a backend up and in, by one narrow key of the organization. */
import { valueOf } from '../../core/definition/refuse.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { TellNotice } from '../../core/ports/notice.ts'
import { pause } from '../client/pause.ts'
import { boundedBodies } from '../http/bounded-bodies.ts'
import { clientAddress } from '../http/client-address.ts'
import { nodePlatform } from '../http/node-exchange.ts'
import { settingsOf, type HandledRequest, type HttpServerOptions } from '../http/options.ts'
import { serverOf, type HttpServer } from '../http/server.ts'
import { keyStamper } from '../signatures/key-stamper.ts'
import { signingKey } from '../signatures/signer.ts'
import { apiClient } from './api-client.ts'
import { authProxy } from './auth-proxy.ts'
import { captchas, type CaptchaService } from './captcha.ts'
import { configurations } from './configurations.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints/endpoints.ts'
import { walletKitClientParams, walletKitConfig } from './endpoints/wallet-kit.ts'
import { limits, type Rates } from './limits.ts'
import { openedKeys } from './opened-key.ts'
import type { ProxyKeys } from './keys.ts'
import { requestCounts } from './request-counts.ts'

export type ProxyServerOptions = {
  /** The API, such as `https://countersign.example.com`. */
  readonly api: string
  /** The key that asks for configurations, and the one to which the engine seals API keys. */
  readonly keys: ProxyKeys
  readonly clock: Pick<Clock, 'now'>
  /** What examines captchas, where configurations want some. Default: nothing does. */
  readonly captcha?: CaptchaService | undefined
  /** Whether callers without `Origin` are refused: apps of phones send none. Default: false. */
  readonly requireOrigin?: boolean
  readonly trustedProxies?: readonly string[]
  /** Whether `GET /metrics` is answered. Default: false. */
  readonly metrics?: boolean
  /** Called for each request after its answer. */
  readonly onRequest?: (request: HandledRequest) => void
  readonly onNotice?: TellNotice
  /** How many requests are answered. Default: `RATES`. */
  readonly rates?: Rates
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch
  /** How long the API may take for one request, in all. Default: 20 seconds. */
  readonly timeLimit?: () => AbortSignal
  /** How long the service for captchas may take. Default: 3 seconds. */
  readonly captchaTimeLimit?: () => AbortSignal
  /** Limits of the server. */
  readonly server?: Pick<
    HttpServerOptions,
    'headersTimeoutMs' | 'requestTimeoutMs' | 'keepAliveTimeoutMs' | 'silenceTimeoutMs' | 'drainTimeoutMs'
  >
}

/** A sign-up by passkey with a long attestation, some tokens and the accounts of a wallet has about 30 KiB. */
const BODY_BYTES_MAX = 128 * 1024
const TIME_LIMIT_MS = 20_000
const CAPTCHA_TIME_LIMIT_MS = 3_000
/** Longer than the API may take. */
const DRAIN_MS = 25_000

/**
 * A server of its own. It speaks plain HTTP/1.1; a proxy in front of it provides TLS.
 *
 * @throws TypeError if the URL of the API or a key is wrong; RangeError if another option is
 */
export const proxyServer = (options: ProxyServerOptions): HttpServer => {
  const { api: url, keys, clock, captcha: service, requireOrigin = false, rates } = options
  const { timeLimit = () => AbortSignal.timeout(TIME_LIMIT_MS), onNotice = () => undefined } = options
  const send = options.fetch ?? fetch
  const api = apiClient({ url, fetch: send, nowMs: clock.now, pause })
  const stamper = keyStamper(valueOf(signingKey('API_KEY_CURVE_P256', keys.signing.privateKey)))
  const all = [...endpoints, walletKitConfig, walletKitClientParams(service?.siteKey)] as readonly Endpoint<unknown>[] // each gets what its own codec has read
  const counts = options.metrics === true ? requestCounts(all.map(({ path }) => path)) : undefined
  const settings = settingsOf({
    bodyBytesMax: BODY_BYTES_MAX,
    drainTimeoutMs: DRAIN_MS,
    trustedProxies: options.trustedProxies ?? [],
    onRequest: (request) => {
      counts?.count(request)
      options.onRequest?.(request)
    },
    ...options.server,
  })
  const { captchaTimeLimit = () => AbortSignal.timeout(CAPTCHA_TIME_LIMIT_MS) } = options
  const proxy = authProxy({
    endpoints: all,
    configurations: configurations({
      ask: (organizationId) => api.query({ stamper, signal: timeLimit() }, 'get_auth_proxy_config', { organizationId }),
      nowMs: clock.now,
    }),
    api,
    openedKey: openedKeys(keys.opening),
    limits: limits(rates),
    captcha: service && captchas({ service, fetch: send, timeLimit: captchaTimeLimit, onNotice }),
    requireOrigin,
    timeLimit,
    nowMs: clock.now,
    addressOf: clientAddress(settings.trustedProxies),
    bounded: boundedBodies(settings, nodePlatform),
    metrics: counts?.text,
  })
  return serverOf(proxy, settings)
}
