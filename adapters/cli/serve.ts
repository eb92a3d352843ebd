import type { Logger } from 'pino'
import type { Engine } from '../../core/engine.ts'
import type { Timestamps } from '../http/wire-activity.ts'
import { clientAddress } from '../http/client-address.ts'
import { CONSOLE } from '../http/front-page.ts'
import { httpServer } from '../http/index.ts'
import { consoleFiles } from '../console/index.ts'
import { erasure } from '../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../core/resources/public-api.ts'
import { webhookOperations } from '../../core/resources/webhook-endpoint/webhook-operations.ts'
import { withQosVersions } from '../../core/resources/tvc/tvc-resource.ts'
import { webhooks } from '../outgoing/index.ts'
import { prometheus } from '../telemetry/prometheus.ts'
import { begin, mustBegin, type Begun } from '../credentials/begin.ts'
import { underLease } from '../credentials/under-lease.ts'
import { callerFlags } from './caller.ts'
import { versionOf } from './define-command.ts'
import { boxOf, hintsOf } from './hints.ts'
import { hostModule } from './known-resources.ts'
import { keepUrl } from './keep-url.ts'
import { logNotice, logRequest, openLog, type LogForm, type LogLevel } from './open-log.ts'
import { openAuthProxy, type AuthProxyFlags } from './open-auth-proxy.ts'
import { openIdentityTokens, type IdentityTokensFlags } from './open-identity-tokens.ts'
import { openMessages, type MessageOptions } from './open-messages.ts'
import { openOauth2, type Oauth2Options } from './open-oauth2.ts'
import { openKeystore } from './open-keystore.ts'
import { writing, type BesideFlags } from './open-store.ts'
import { printLines, sayStyled } from './print.ts'
import { formOf, listen, mustBeFree, stopSignal } from './serving.ts'
import { startEngine } from './start-engine.ts'
import { resultOf, unusable } from './stop.ts'

export type ServeOptions = BesideFlags &
  MessageOptions &
  AuthProxyFlags &
  IdentityTokensFlags &
  Oauth2Options & {
    readonly store: string
    readonly host: string
    readonly port: number
    /** Whether to begin an organization if the store has none. */
    readonly init: boolean
    /** The file for the key of an organization that is begun. */
    readonly credentials: string
    readonly organizationName: string
    /** Where the keystore is: `file:PATH` or `env:NAME`. */
    readonly keystore?: string
    readonly activityTimestamps: Timestamps
    readonly trustedProxy: readonly string[]
    readonly logLevel: LogLevel
    /** The form of the log; `auto` is `pretty` on a terminal, otherwise `json`. */
    readonly log: LogForm | 'auto'
    readonly metrics: boolean
    /** Whether to serve the page of the console. */
    readonly console: boolean
    /** Whether queries need a fresh `timestampMs`. */
    readonly freshQueries: boolean
    /** In seconds. */
    readonly clockLagMax: number
    /** Whether personal data can be erased: not every client of the public API knows that operation. */
    readonly erasure: boolean
    /** Whether endpoints are told what happens. */
    readonly webhooks: boolean
    /** Whether deliveries can be sent again, and endpoints be tested: not every client of the public API knows these operations. */
    readonly webhookOperations: boolean
    /** The versions of QuorumOS that deployments may name, the latest last. None: any. */
    readonly qosVersion: readonly string[]
    /** A module that exports the resources of the host, and the services that they need. */
    readonly resources?: string
  }

/** Serves until a signal to stop; then answers the requests in flight, and ends. */
export const serve = async (options: ServeOptions): Promise<number> => {
  const signal = stopSignal()
  const form = formOf(options)
  const log = openLog(options.logLevel, form)
  const ours = [...(options.erasure ? erasure : []), ...(options.webhookOperations ? webhookOperations : [])]
  const offered = withQosVersions([...publicApi, ...ours], options.qosVersion)
  const host = await hostModule(options.resources, offered)
  const services = {
    ...(await openMessages(options)),
    ...openIdentityTokens(options),
    ...openOauth2(options),
    ...(await openAuthProxy(options)),
  }
  const files = options.console ? consoleFiles() : []
  await check(options)
  const onNotice = logNotice(log)
  const keystore = await openKeystore(options.keystore, options.store, onNotice)
  const numbers = options.metrics ? prometheus() : undefined
  const { telemetry, text: metrics } = numbers ?? {}
  const waiting = { ms: STORE_WAIT_MS, until: signal }
  await writing(options.store, { onNotice, discard: 'if-empty', waiting, beside: options }, async (storage, keep) => {
    const engine = await startEngine(storage, {
      ...host,
      ports: { ...services, ...host.ports },
      keystore,
      onNotice,
      queriesMustBeFresh: options.freshQueries,
      clockLagMaxMs: 1_000 * options.clockLagMax,
      publicUrl: options.publicUrl,
      webhooks: options.webhooks ? webhooks({ allowPrivateNetwork: options.allowPrivateNetwork }) : undefined,
      telemetry,
    })
    if (keystore === undefined) log.info(NO_KEYSTORE)
    try {
      const { credentials: file, organizationName } = options
      const begun = options.init ? await begin({ engine, storage, nowMs: Date.now, file, organizationName }) : undefined
      const { activityTimestamps, trustedProxy: trustedProxies } = options
      const server = httpServer(engine, {
        activityTimestamps,
        trustedProxies,
        onRequest: logRequest(log, form),
        metrics,
        files,
      })
      try {
        const url = await listen(server, { ...options, variable: PORT })
        const known =
          begun && (await underLease(storage.leases, 'begin', () => keepUrl({ ...options, file, begun, url })))
        await tell({ log, form }, engine, options, { url, known, begun })
        printLines([`listening on ${url}`])
        keep()
        log.info({ signal: await signal }, 'draining')
      } finally {
        await server.close()
      }
    } finally {
      await engine.close()
    }
  })
  log.info('stopped')
  return 0
}

const NO_KEYSTORE =
  'no keystore is named, so there are no wallets, no private keys and no signed webhooks: name one with --keystore'

/** How long a database may take to start, when a machine starts both at once. */
const STORE_WAIT_MS = 60_000

/** Stops the command if it is certain that it cannot serve, before it makes any file. */
const check = async ({
  trustedProxy,
  host,
  port,
  init,
  credentials: file,
  organizationName,
}: ServeOptions): Promise<void> => {
  try {
    clientAddress(trustedProxy)
  } catch (error) {
    throw error instanceof RangeError ? unusable(error.message.replace(/^trustedProxies/, '--trusted-proxy')) : error
  }
  if (init) await mustBegin({ file, organizationName })
  await mustBeFree({ host, port, variable: PORT })
}

const PORT = 'COUNTERSIGN_PORT'

type Listening = {
  readonly url: string
  /** The URL in the credentials file. */
  readonly known: string | undefined
  readonly begun: Begun | undefined
}

/** Says what was done, and what to try next: as a box for people, otherwise as lines of the log. */
const tell = async (
  { log, form }: { readonly log: Logger; readonly form: LogForm },
  engine: Engine,
  { store, init, credentials, console: hasConsole }: ServeOptions,
  { url, known, begun }: Listening,
): Promise<void> => {
  const file = init ? credentials : undefined
  const page = hasConsole ? `${url}${CONSOLE}` : undefined
  const flags = callerFlags({ credentials, ...(known === url ? {} : { url }) })
  const organizationId = begun?.credentials.organizationId ?? (await resultOf(engine.firstOrganization()))
  if (form === 'pretty') {
    if (log.isLevelEnabled('info'))
      sayStyled(boxOf({ version: versionOf(), url, page, store, organizationId, file, flags, begun }))
  } else if (begun?.isNew === true) {
    const hints = hintsOf({ url, page, store, file: credentials, flags, begun })
    for (const hint of hints) if (hint !== '') log.info(hint.trim())
  }
  if (organizationId === undefined)
    log.warn('the store has no organization, and nobody can use it: begin one with --init')
  if (known !== undefined && known !== url) log.info(`commands that use ${credentials} go to ${known}`)
  if (form === 'json') log.info({ url, store: store.split(':', 1)[0] }, 'serving')
}
