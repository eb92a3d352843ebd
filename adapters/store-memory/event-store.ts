import { E, type TE } from '../../core/prelude.ts'
import { failure } from '../../core/failure.ts'
import type { Failure } from '../../core/failure.ts'
import { appendRules, type Lookups } from '../../core/ports/append-rules.ts'
import type {
  ActivityStanding,
  Appended,
  Commit,
  EventStore,
  PartPlace,
  ReadOptions,
  Recorded,
  StoreCapabilities,
} from '../../core/ports/event-store.ts'
import { selectsPart } from '../../core/ports/part-selection.ts'
import { compareUtf8 } from './compare-utf8.ts'
import type { MemoryStoreOptions } from './index.ts'
import { memoryStandings } from './standings.ts'

export const memoryEventStore = (options: Required<Omit<MemoryStoreOptions, 'now'>>): EventStore => {
  const all: Recorded[] = []
  const logs = new Map<string, Recorded[]>()
  const activities = new Map<string, Recorded[]>()
  const ids = new Map<string, Recorded>()
  const watchers = new Set<() => void>()
  const standings = memoryStandings(nested)
  let standingsVersion = 0n
  let importedTo = 0n
  let isClosed = false

  const lookups: Lookups = {
    head: (organization) => logs.get(organization)?.at(-1) ?? { sequence: 0n, position: 0n },
    revision: (organization, activity) => activities.get(nested(organization, activity))?.at(-1)?.revision ?? 0n,
    recorded: (id) => ids.get(id),
  }

  const write = ({ organization, events }: Commit): Appended => {
    const log = entry(logs, organization)
    for (const { id, activity, revision, line, parts, standing } of events) {
      const position = options.firstPosition + BigInt(all.length)
      const sequence = options.firstSequence + BigInt(log.length)
      const recorded = {
        position,
        organization,
        sequence,
        activity,
        revision,
        id,
        line: copied(line),
        parts: parts.map(part),
      }
      all.push(recorded)
      log.push(recorded)
      entry(activities, nested(organization, activity)).push(recorded)
      ids.set(id, recorded)
      if (standing !== undefined) standings.set({ organization, activity, ...standing })
    }
    const { sequence, position } = lookups.head(organization)
    return { _tag: 'committed', sequence, position }
  }

  const append = (commits: readonly Commit[]): readonly Appended[] => {
    const refusal = appendRules(lookups, { bytesMax: options.commitBytesMax })
    const answers: Appended[] = []
    for (const commit of commits) answers.push(refusal(commit) ?? write(commit))
    if (answers.some(({ _tag }) => _tag === 'committed')) for (const onAppended of watchers) queueMicrotask(onAppended)
    return answers
  }

  const restand = (made: readonly ActivityStanding[], version: bigint): void => {
    for (const one of made) if (activities.has(nested(one.organization, one.activity))) standings.set(one)
    standingsVersion = version
  }

  const erase = (organization: string, { sequence, name }: PartPlace): void => {
    const index = Number(sequence - options.firstSequence)
    const found = logs.get(organization)?.[index]
    if (found === undefined) return
    const erased = { ...found, parts: found.parts.filter((kept) => kept.name !== name) }
    const inActivity = entry(activities, nested(organization, found.activity))
    entry(logs, organization)[index] = erased
    all[Number(found.position - options.firstPosition)] = erased
    inActivity[inActivity.indexOf(found)] = erased
    ids.set(found.id, erased)
  }

  const watch = (onAppended: () => void): (() => void) => {
    const own = () => onAppended() // one entry per call, even for the same function
    watchers.add(own)
    return () => void watchers.delete(own)
  }

  const attempt =
    <A>(run: () => A): TE.TaskEither<Failure, A> =>
    () =>
      Promise.resolve(isClosed ? E.left(failure('UNAVAILABLE', 'the store is closed')) : E.right(run()))

  return {
    capabilities: CAPABILITIES,
    append: (commits) => attempt(() => append(commits)),
    readLog: (organization, after, limit, wanted) =>
      attempt(() => selected(wanted, page(logs.get(organization) ?? [], after - options.firstSequence + 1n, limit))),
    readActivity: (organization, activity, wanted) =>
      attempt(() => selected(wanted, [...(activities.get(nested(organization, activity)) ?? [])])),
    readAll: (after, limit, wanted = {}) =>
      attempt(() => upTo(wanted.bytesMax, selected(wanted, page(all, after - options.firstPosition + 1n, limit)))),
    head: (organization) => attempt(() => headOf(logs.get(organization)?.at(-1))),
    lastPosition: () => attempt(() => all.at(-1)?.position ?? 0n),
    organizations: (after, limit) =>
      attempt(() =>
        [...logs.keys()]
          .filter((id) => compareUtf8(id, after) > 0)
          .sort(compareUtf8)
          .slice(0, limit),
      ),
    activities: (organization, selection) => attempt(() => standings.select(logs.get(organization) ?? [], selection)),
    pending: (after, limit) => attempt(() => standings.pending(all, after, limit)),
    setStandings: (made, version) => attempt(() => restand(made, version)),
    standingsVersion: () => attempt(() => standingsVersion),
    watch,
    importedTo: () => attempt(() => importedTo),
    setImportedTo: (position) => attempt(() => void (importedTo = position)),
    eraseParts: (organization, parts) =>
      attempt(() => {
        for (const part of parts) erase(organization, part)
      }),
    checkWritable: () => attempt(() => undefined),
    close: async () => {
      isClosed = true
      watchers.clear()
    },
  }
}

const CAPABILITIES: StoreCapabilities = {
  soleWriter: false,
  durable: false,
  remembersIds: true,
  tellsDuplicates: true,
  gaplessPositions: true,
  ordersCommits: true,
  checksWithAppend: true,
}

/** A key of both names. As JSON, two different pairs never have the same key. */
const nested = (organization: string, activity: string): string => JSON.stringify([organization, activity])

const entry = (lists: Map<string, Recorded[]>, key: string): Recorded[] => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

const page = (list: readonly Recorded[], from: bigint, limit: number): readonly Recorded[] => {
  const start = from < 0n ? 0 : Number(from)
  return list.slice(start, start + limit)
}

/** The events with those of their parts that a list selects, or with all of them. */
const selected = ({ parts }: ReadOptions = {}, events: readonly Recorded[]): readonly Recorded[] => {
  if (parts === undefined || typeof parts === 'boolean') return events
  return events.map((event) =>
    event.parts.length === 0 ? event : { ...event, parts: event.parts.filter(({ name }) => selectsPart(parts, name)) },
  )
}

/** The first events, up to the one that reaches `bytesMax`. */
const upTo = (bytesMax = Infinity, events: readonly Recorded[]): readonly Recorded[] => {
  let bytes = 0
  const last = events.findIndex(({ line, parts }) => {
    bytes += parts.reduce((sum, each) => sum + each.bytes.length, line.length)
    return bytes >= bytesMax
  })
  return last < 0 ? events : events.slice(0, last + 1)
}

const headOf = (last: Recorded | undefined) =>
  last === undefined ? undefined : { sequence: last.sequence, position: last.position, line: last.line }

/** A copy, so that a caller that changes its buffer later does not change the log; `slice` of a Buffer would share the memory. */
const copied = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

const part = ({ name, salt, bytes }: Recorded['parts'][number]) => ({ name, salt: copied(salt), bytes: copied(bytes) })
