import { randomUUID } from 'node:crypto'
import { IMPORT_UNFINISHED } from '../../core/ports/event-store.ts'
import { eachOf } from './bounded.ts'
import { followToEnd } from './follow-to-end.ts'
import type { LogClient, StoredEvent } from './log-client.ts'
import type { LogParts } from './log-parts.ts'
import { PART_TYPE } from './parts.ts'
import { loggedOf } from './recorded.ts'
import { TRIAL_TYPE } from './event-store.ts'

/** What was found of parts that no event names, and of trials that were not cleared away. */
export type PartsFound = {
  /** Those that are old enough. */
  readonly unnamed: number
  /** Those that are too young: their commit may be under way. */
  readonly young: number
  readonly removed: number
  /** Why nothing was removed: an import or a copy is not finished, or an event cannot be read, which may name parts. */
  readonly kept?: 'import' | 'unreadable' | undefined
}

export type PartsPorts = Pick<LogParts, 'names' | 'marks'> & { readonly client: LogClient }

export type PartsOptions = { readonly repair: boolean; readonly olderThanMs: number }

const AT_ONCE = 32

/**
 * Finds parts that no event names: those of a process that died between part and append, and those of commits that were refused. A part is
 * written before its event, so one way through the log finds them, and few are kept in memory at any time.
 */
export const examineParts = async (ports: PartsPorts, { repair, olderThanMs }: PartsOptions): Promise<PartsFound> => {
  const { client, names, marks } = ports
  const unnamed = new Map<string, number>()
  const isPart = ownStream(names.parts, UUID_AND_NAME)
  const isTrial = ownStream(names.trials, UUID_ONLY)
  let isUnreadable = false

  const take = (event: StoredEvent): void => {
    const { stream, type, createdMs } = event
    if (type === (isPart(stream) ? PART_TYPE : isTrial(stream) ? TRIAL_TYPE : '')) unnamed.set(stream, createdMs)
    else if (type.startsWith('$'))
      unnamed.delete(stream) // its end
    else if (names.organizationOf(stream) !== undefined) {
      const logged = loggedOf(event)
      if (logged === undefined) isUnreadable = true
      else for (const { name } of logged.parts) unnamed.delete(names.part(logged.id, name))
    }
  }

  const prefixes = [names.parts, names.trials, names.organizations]
  const end = await passed(client, prefixes, 'start', take)
  const nowMs = repair ? await serverTime(ports) : Date.now()
  if (repair) await passed(client, prefixes, end, take) // what was appended meanwhile
  const old = [...unnamed].filter(([, createdMs]) => createdMs < nowMs - olderThanMs).map(([stream]) => stream)
  const found = { unnamed: old.length, young: unnamed.size - old.length, removed: 0 }
  if (!repair || old.length === 0) return found
  // A copy that goes on after a day appends events whose parts are as old.
  if ((await marks.read()).importedTo === IMPORT_UNFINISHED) return { ...found, kept: 'import' }
  if (isUnreadable) return { ...found, kept: 'unreadable' }
  await eachOf(old, AT_ONCE, (stream) => client.tombstone(stream))
  return { ...found, removed: old.length }
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** Another store, whose prefix is the name of a part, has names that go on like one. */
const UUID_AND_NAME = new RegExp(`^${UUID}-(?!part-${UUID}-)`)
const UUID_ONLY = new RegExp(`^${UUID}$`)

const ownStream =
  (prefix: string, rest: RegExp) =>
  (stream: string): boolean =>
    stream.startsWith(prefix) && rest.test(stream.slice(prefix.length))

/** Passes all events behind a position up to the end of the log. Gives the position of the last one. */
const passed = async (
  client: LogClient,
  prefixes: readonly string[],
  after: 'start' | bigint,
  take: (event: StoredEvent) => void,
): Promise<'start' | bigint> => {
  let last = after
  await followToEnd(client, { prefixes, after, withoutData: true }, (events) => {
    for (const event of events) take(event)
    last = events.at(-1)?.position ?? last
    return false
  })
  return last
}

/** By the clock that the parts have their times from. */
const serverTime = async ({ client, names }: PartsPorts): Promise<number> => {
  const stream = names.trial(randomUUID())
  const trial = { id: randomUUID(), type: TRIAL_TYPE, data: new Uint8Array(1), metadata: new Uint8Array() }
  await client.append(stream, 'none', [trial])
  const found = await client.readStream(stream, { from: 'start', limit: 1 })
  await client.tombstone(stream)
  const [event] = typeof found === 'string' ? [] : found
  return event?.createdMs ?? 0
}
