import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Logger } from 'pino'
import type { Engine } from '../../core/engine.ts'
import type { Timestamps } from '../../core/query/query.ts'
import { clientAddress } from '../http/client-address.ts'
import { httpServer, type HttpServer } from '../http/index.ts'
import { prometheus } from '../telemetry/index.ts'
import { begin, mustBegin, writeCredentials, type Begun } from './begin.ts'
import { hintsOf } from './hints.ts'
import { logNotice, logRequest, openLog, type LogLevel } from './open-log.ts'
import { writing } from './open-store.ts'
import { isTerminal, printLines, say } from './print.ts'
import { startEngine } from './start-engine.ts'
import { resultOf, systemReason, unusable, type Stop } from './stop.ts'

export type ServeOptions = {
  readonly store: string
  readonly host: string
  readonly port: number
  readonly init?: string
  readonly organizationName: string
  readonly activityTimestamps: Timestamps
  readonly trustedProxy: readonly string[]
  readonly logLevel: LogLevel
  readonly metrics: boolean
  /** Whether queries have to say when they were asked. */
  readonly freshQueries: boolean
}

/** Serves until a signal says stop; then answers what is in flight, and ends. */
export const serve = async (options: ServeOptions): Promise<number> => {
  const signal = stopSignal()
  const log = openLog(options.logLevel)
  await check(options)
  const onNotice = logNotice(log)
  const numbers = options.metrics ? prometheus() : undefined
  const { telemetry, text: metrics } = numbers ?? {}
  await writing(options.store, { onNotice, discard: 'if-empty' }, async (storage, keep) => {
    const engine = await startEngine(storage, {
      onNotice,
      queriesMustBeFresh: options.freshQueries,
      ...(telemetry === undefined ? {} : { telemetry }),
    })
    try {
      const { init: file, organizationName } = options
      const begun =
        file === undefined ? undefined : await begin({ engine, store: storage.store, file, organizationName })
      const { activityTimestamps, trustedProxy: trustedProxies } = options
      const more = { onRequest: logRequest(log), ...(metrics === undefined ? {} : { metrics }) }
      const server = httpServer(engine, { activityTimestamps, trustedProxies, ...more })
      try {
        const url = await listen(server, options)
        if (file !== undefined && begun !== undefined)
          await writeCredentials(file, { ...begun.credentials, baseUrl: url }, 'replace')
        await tell(log, engine, options, url, begun)
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

/** Stops the command where it is certain that it cannot serve, before anything is made for it. */
const check = async ({ trustedProxy, host, port, init: file, organizationName }: ServeOptions): Promise<void> => {
  try {
    clientAddress(trustedProxy)
  } catch (error) {
    throw error instanceof RangeError ? unusable(error.message.replace(/^trustedProxies/, '--trusted-proxy')) : error
  }
  if (file !== undefined) await mustBegin({ file, organizationName })
  await mustBeFree({ host, port })
}

/**
 * Resolves at the first signal. Later ones change nothing: npm passes on a Ctrl-C that the terminal has sent already, and
 * draining has an end of its own.
 */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })

const listen = async (server: HttpServer, { host, port }: Place): Promise<string> => {
  try {
    return (await server.listen({ host, port })).url
  } catch (error) {
    throw cannotListen({ host, port }, error)
  }
}

type Place = Pick<ServeOptions, 'host' | 'port'>

/** Listens for a moment. Whoever connects meanwhile is turned away. */
const mustBeFree = async (place: Place): Promise<void> => {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(place)
    await once(server, 'listening') // or its error
  } catch (error) {
    throw cannotListen(place, error)
  }
  server.close()
  await once(server, 'close')
}

const cannotListen = ({ host, port }: Place, error: unknown): Stop =>
  unusable(`cannot listen on ${host}, port ${port}: ${systemReason(error)}`)

/** What was done, and what to try next: as text to a person at a terminal, as lines of the log to everyone else. */
const tell = async (
  log: Logger,
  engine: Engine,
  options: ServeOptions,
  url: string,
  begun: Begun | undefined,
): Promise<void> => {
  if (begun?.isNew === true) {
    const hints = hintsOf({ url, store: options.store, file: options.init ?? '', begun })
    if (isTerminal('stderr')) say(...hints)
    else for (const hint of hints) if (hint !== '') log.info(hint.trim())
  } else if ((await resultOf(engine.firstOrganization())) === undefined) {
    log.warn('the store has no organization, and nobody can use it: begin one with --init FILE')
  }
  log.info({ url, store: options.store.split(':', 1)[0] }, 'serving')
}
