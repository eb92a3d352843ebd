import { setTimeout as pause } from 'node:timers/promises'
import { LeaderClient } from './worker-client.ts'
import { probe } from './server-probe.ts'
import { tooOld, type ServerVersion, versionOf } from './server-version.ts'
import { readAll, readStream } from './worker-read.ts'
import { unpackStored } from './worker-pack.ts'
import { isElecting, refusalOf, refused } from './worker-refusal.ts'
import { checkLeader } from './worker-write.ts'
import type { Answer, Refused, WorkerOptions } from './worker-messages.ts'

/** A client whose server is the leader, takes writes and lets its user read. */
export type Connected = { readonly client: LeaderClient; readonly version: ServerVersion }

const ATTEMPTS = 10
const INTERVAL_MS = 100

/**
 * Looks for the leader: as often as the URL says, as long as the servers answer that they have none yet. Whatever else is wrong is told
 * at once, and looked into.
 */
export const connect = async (options: WorkerOptions): Promise<Connected | Refused> => {
  const { target, checkStream, connectTimeoutMs, isAgain } = options
  const until = performance.now() + connectTimeoutMs
  const timeIsOver = pause(connectTimeoutMs, SILENT)
  const wrongNames = isAgain ? Promise.resolve(undefined) : probe.wrongName(target)
  const attempts = target.options.maxDiscoverAttempts ?? ATTEMPTS
  let last: Refused = SILENT
  for (let attempt = 0; attempt < attempts && performance.now() < until; attempt++) {
    if (attempt > 0) await pause(target.options.discoveryInterval ?? INTERVAL_MS)
    const client = made(target)
    if ('_tag' in client) return client
    const found = await Promise.race([examined(client, checkStream), timeIsOver])
    if (!('_tag' in found)) {
      const wrong = await wrongNames
      if (wrong === undefined) return found
      last = wrong
    } else last = found
    await client.end()
    if (!isElecting(last)) break
  }
  if (last.trouble._tag !== 'unavailable' || isElecting(last)) return last
  const reason = await probe.reason(target, isAgain)
  return reason ?? last
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

const examined = async (client: LeaderClient, checkStream: string): Promise<Connected | Refused> => {
  for (let redirects = 0; ; redirects++) {
    const version = await versionTold(client)
    if ('trouble' in version) return version
    const refusal = await leaderRefusal(client, checkStream, version)
    if (refusal === undefined) return { client, version }
    if (refusal.isLost !== true || redirects === REDIRECTS_MAX || !(await client.wasRedirected())) return refusal
  }
}

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
  checkStream: string,
  version: ServerVersion,
): Promise<Refused | undefined> => {
  const page = await readAll(client, { from: 'end', backwards: true, limit: 20, prefixes: [] }).answer
  if (page._tag === 'refused') return page
  const checked = await checkLeader(client, checkStream)
  if (checked._tag === 'refused') return checked
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
