import { setTimeout as pause } from 'node:timers/promises'
import { LeaderClient } from './worker-client.ts'
import { probe } from './server-probe.ts'
import { tooOld, type ServerVersion, versionOf } from './server-version.ts'
import { eventsOfAll, readAll, readStream } from './worker-read.ts'
import { unpackStored } from './worker-pack.ts'
import { isElecting, refusalOf, refused } from './worker-refusal.ts'
import { checkLeader } from './worker-write.ts'
import type { Answer, Refused, WorkerOptions } from './worker-messages.ts'

/** A client whose server is the leader, takes writes and lets its user read. */
export type Connected = {
  readonly client: LeaderClient
  readonly version: ServerVersion
  /** The ids of the first events of its log. */
  readonly firstIds: readonly string[]
}

const INTERVAL_MS = 100
/** In a cluster another node may answer where one hangs, so none gets all the time. */
const PARTS = 4

/**
 * Looks for the leader: as often as the URL says, or as long as there is time, while one may be elected. Whatever else is wrong is told
 * at once, and looked into.
 */
export const connect = async (options: WorkerOptions): Promise<Connected | Refused> => {
  const { target, connectTimeoutMs } = options
  const isAgain = options.firstIds !== undefined
  const { maxDiscoverAttempts = Infinity, discoveryInterval = INTERVAL_MS } = target.options
  const isCluster = target.discovers || target.hosts.length > 1
  const until = performance.now() + connectTimeoutMs
  const wrongName = isAgain ? Promise.resolve(undefined) : probe.wrongName(target)
  for (let attempt = 1; ; attempt++) {
    const left = until - performance.now()
    const found = await attempted(options, isCluster ? Math.min(left, connectTimeoutMs / PARTS) : left)
    const refusal = '_tag' in found ? found : await wrongName
    if (refusal === undefined || refusal.trouble._tag !== 'unavailable') return refusal ?? found
    if (!isElecting(refusal)) {
      const reason = await probe.reason(target, isAgain)
      if (reason !== undefined || !isCluster) return reason ?? refusal
    }
    if (attempt >= maxDiscoverAttempts || performance.now() + discoveryInterval >= until) return refusal
    await pause(discoveryInterval)
  }
}

const attempted = async (options: WorkerOptions, timeoutMs: number): Promise<Connected | Refused> => {
  const client = made(options.target)
  if ('_tag' in client) return client
  const over = new AbortController()
  const timeIsOver = pause(timeoutMs, SILENT, { signal: over.signal }).catch(() => SILENT)
  const examining = examined(client, options).catch((error: unknown) => refusalOf(error, false))
  const found = await Promise.race([examining, timeIsOver])
  over.abort()
  if ('_tag' in found) await client.end()
  return found
}

const SILENT = refused({ _tag: 'unavailable' }, 'the server does not answer: try again')

const made = (target: WorkerOptions['target']): LeaderClient | Refused => {
  try {
    return new LeaderClient(target)
  } catch {
    return refused({ _tag: 'unusable' }, 'the certificates or the key that the URL of the store names cannot be used')
  }
}

const REDIRECTS_MAX = 3

const examined = async (client: LeaderClient, options: WorkerOptions): Promise<Connected | Refused> => {
  for (let redirects = 0; ; redirects++) {
    const version = await versionTold(client)
    if ('trouble' in version) return version
    const refusal = await leaderRefusal(client, options, version)
    if (refusal === undefined) return sameLog({ client, version, firstIds: await firstIdsOf(client) }, options)
    if (refusal.isLost !== true || redirects === REDIRECTS_MAX || !(await client.wasRedirected())) return refusal
  }
}

/** So many that a scavenge does not remove all of them while the process runs. */
const FIRST = 10

const firstIdsOf = async (client: LeaderClient): Promise<readonly string[]> =>
  (await eventsOfAll(client, { from: 'start', limit: FIRST, prefixes: [] })).map(({ id }) => id)

/** A list of hosts may name nodes of two clusters, and a server may come back with an empty log: neither has our events. */
const sameLog = (connected: Connected, { firstIds }: WorkerOptions): Connected | Refused =>
  firstIds === undefined || firstIds.length === 0 || connected.firstIds.some((id) => firstIds.includes(id))
    ? connected
    : refused(
        { _tag: 'unusable' },
        'the server has another log than before: the URL names two, or its data was replaced',
      )

const versionTold = async (client: LeaderClient): Promise<ServerVersion | Refused> => {
  try {
    const version = versionOf(await client.version())
    return tooOld(version) ?? version
  } catch (error) {
    return refusalOf(error, false)
  }
}

/** Reads as the store reads, and asks for a write that cannot happen. */
const leaderRefusal = async (
  client: LeaderClient,
  { checkStream, readOnly }: WorkerOptions,
  version: ServerVersion,
): Promise<Refused | undefined> => {
  const page = await readAll(client, { from: 'end', backwards: true, limit: 20, prefixes: [] }).answer
  if (page._tag === 'refused') return page
  const checked = await checkLeader(client, checkStream)
  const isEnough = readOnly && checked._tag === 'refused' && checked.trouble._tag === 'denied'
  if (checked._tag === 'refused' && !isEnough) return checked
  return version.release === undefined ? positionRefusal(client, page) : undefined
}

/** If the server's version says nothing, an event that is read from its stream does. */
const positionRefusal = async (client: LeaderClient, page: Answer): Promise<Refused | undefined> => {
  const events = page._tag === 'read' && typeof page.packed === 'object' ? unpackStored(page.packed) : []
  for (const { stream, revision } of events) {
    const read = await readStream(client, stream, { from: revision, limit: 1 }).answer
    if (read._tag === 'refused') return read
    if (read._tag === 'read' && typeof read.packed === 'object') return undefined
  }
  return undefined
}
