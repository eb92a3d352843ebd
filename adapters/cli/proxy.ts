import type { TellNotice } from '../../core/ports/notice.ts'
import { nodeContainer, tokens } from '../container.ts'
import type { HttpServer } from '../http/index.ts'
import type { CaptchaService } from '../proxy/captcha.ts'
import { proxyServer, type ProxyServerOptions } from '../proxy/proxy-server.ts'
import { readProxyKeys } from './proxy-keys.ts'
import { logNotice, logRequest, openLog, type LogForm, type LogLevel } from './open-log.ts'
import { printLines } from './print.ts'
import { readText } from './read-text.ts'
import { seldom } from './seldom.ts'
import { formOf, listen, stopSignal } from './serving.ts'
import { unusable } from './stop.ts'

export type ProxyOptions = CaptchaFlags & {
  /** The server whose API is asked. */
  readonly api?: string
  /** The file that `proxy init` has written. */
  readonly config?: string
  readonly host: string
  readonly port: number
  readonly trustedProxy: readonly string[]
  readonly requireOrigin: boolean
  readonly logLevel: LogLevel
  readonly log: LogForm | 'auto'
  readonly metrics: boolean
}

type CaptchaFlags = {
  /** The URL of the service that examines captchas. */
  readonly captcha?: string
  /** `@FILE`; in the variable also the secret itself. */
  readonly captchaSecret?: string
  readonly captchaSiteKey?: string
}

/** Serves until a signal to stop; then answers the requests in flight, and ends. */
export const proxy = async (options: ProxyOptions): Promise<number> => {
  const { api, config, requireOrigin, metrics, trustedProxy: trustedProxies } = options
  if (api === undefined) throw unusable('expected --api, the URL of the server whose API is asked')
  if (config === undefined) throw unusable('expected --config, the file of keys that proxy init has written')
  const signal = stopSignal()
  const form = formOf(options)
  const log = openLog(options.logLevel, form)
  const server = serverFor({
    ...{ api, requireOrigin, metrics, trustedProxies },
    keys: await readProxyKeys(config),
    captcha: await captchaOf(options),
    clock: nodeContainer().resolve(tokens.clock),
    onRequest: logRequest(log, form),
    onNotice: nowAndThen(logNotice(log)),
  })
  try {
    const url = await listen(server, { ...options, variable: 'COUNTERSIGN_PROXY_PORT' })
    printLines([`listening on ${url}`])
    log.info({ url }, 'serving')
    log.info({ signal: await signal }, 'draining')
  } finally {
    await server.close()
  }
  log.info('stopped')
  return 0
}

/** The errors of its options, in the words of flags. */
const serverFor = (options: ProxyServerOptions): HttpServer => {
  try {
    return proxyServer(options)
  } catch (error) {
    if (error instanceof TypeError) throw unusable(`--api: ${error.message}`)
    throw error instanceof RangeError ? unusable(error.message.replace(/^trustedProxies/, '--trusted-proxy')) : error
  }
}

const captchaOf = async ({
  captcha: url,
  captchaSecret: secret,
  captchaSiteKey: siteKey,
}: CaptchaFlags): Promise<CaptchaService | undefined> => {
  if (url === undefined) return undefined
  if (!/^https?:\/\/[^\s#]+$/.test(url) || !URL.canParse(url))
    throw unusable('--captcha: expected a URL such as https://challenges.cloudflare.com/turnstile/v0/siteverify')
  if (secret === undefined || secret === '' || siteKey === undefined)
    throw unusable('--captcha needs --captcha-secret and --captcha-site-key, which its service has given you')
  return { url, siteKey, secret: secret.startsWith('@') ? (await readText(secret.slice(1))).trim() : secret }
}

/** The same notice at most once a minute: every request may give it. */
const nowAndThen = (tell: TellNotice): TellNotice => {
  const due = seldom()
  return (notice) => {
    const leftOut = due(notice.message)
    if (leftOut !== undefined) tell({ ...notice, context: { ...notice.context, leftOut } })
  }
}
