import { encodeUtf8 } from '../../core/bytes.ts'
import { E, type TE } from '../../core/prelude.ts'
import { failure } from '../../core/failure.ts'
import type { Failure } from '../../core/failure.ts'
import { judge, type Lookups } from '../../core/ports/append-rules.ts'
import type { Appended, Commit, EventStore, Recorded } from '../../core/ports/event-store.ts'
import type { MemoryStoreOptions } from './index.ts'

export const memoryEventStore = (options: Required<MemoryStoreOptions>): EventStore => {
  const all: Recorded[] = []
  const logs = new Map<string, Recorded[]>()
  const activities = new Map<string, Recorded[]>()
  const ids = new Map<string, Recorded>()
  const watchers = new Set<() => void>()
  let importedTo = 0n
  let isClosed = false

  const lookups: Lookups = {
    head: (organization) => logs.get(organization)?.at(-1) ?? { sequence: 0n, position: 0n },
    revision: (organization, activity) => activities.get(nested(organization, activity))?.at(-1)?.revision ?? 0n,
    recorded: (id) => ids.get(id),
  }

  const write = ({ organization, events }: Commit): Appended => {
    const log = entry(logs, organization)
    for (const { id, activity, revision, line, parts } of events) {
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
    }
    const { sequence, position } = lookups.head(organization)
    return { _tag: 'committed', sequence, position }
  }

  const append = (commits: readonly Commit[]): readonly Appended[] => {
    const refusal = judge(lookups, { bytesMax: options.commitBytesMax })
    const answers: Appended[] = []
    for (const commit of commits) answers.push(refusal(commit) ?? write(commit))
    if (answers.some(({ _tag }) => _tag === 'committed')) for (const onAppended of watchers) queueMicrotask(onAppended)
    return answers
  }

  const erase = (organization: string, sequence: bigint, name: string): void => {
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
    capabilities: { soleWriter: false, durable: false, remembersIds: true },
    append: (commits) => attempt(() => append(commits)),
    readLog: (organization, after, limit) =>
      attempt(() => page(logs.get(organization) ?? [], after - options.firstSequence + 1n, limit)),
    readActivity: (organization, activity) =>
      attempt(() => [...(activities.get(nested(organization, activity)) ?? [])]),
    readAll: (after, limit, { bytesMax = Infinity } = {}) =>
      attempt(() => upTo(bytesMax, page(all, after - options.firstPosition + 1n, limit))),
    head: (organization) => attempt(() => headOf(logs.get(organization)?.at(-1))),
    lastPosition: () => attempt(() => all.at(-1)?.position ?? 0n),
    organizations: (after, limit) =>
      attempt(() =>
        [...logs.keys()]
          .filter((id) => compareUtf8(id, after) > 0)
          .sort(compareUtf8)
          .slice(0, limit),
      ),
    watch,
    importedTo: () => attempt(() => importedTo),
    setImportedTo: (position) => attempt(() => void (importedTo = position)),
    erasePart: (organization, sequence, name) => attempt(() => erase(organization, sequence, name)),
    close: async () => {
      isClosed = true
      watchers.clear()
    },
  }
}

/** JSON keeps the two names apart, whatever characters they have. */
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

/** The first of them, up to the one with which they have so many bytes. */
const upTo = (bytesMax: number, events: readonly Recorded[]): readonly Recorded[] => {
  let bytes = 0
  const last = events.findIndex(({ line, parts }) => {
    bytes += parts.reduce((sum, each) => sum + each.bytes.length, line.length)
    return bytes >= bytesMax
  })
  return last < 0 ? events : events.slice(0, last + 1)
}

const headOf = (last: Recorded | undefined) =>
  last === undefined ? undefined : { sequence: last.sequence, position: last.position, line: last.line }

/** A copy, so that what a caller does with its buffer later does not change history; `slice` of a Buffer would share it. */
const copied = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

const part = ({ name, salt, bytes }: Recorded['parts'][number]) => ({ name, salt: copied(salt), bytes: copied(bytes) })

/** The order of the text's UTF-8 bytes, as databases have it; JavaScript's own differs beyond the basic plane. */
const compareUtf8 = (a: string, b: string): number => {
  const [left, right] = [encodeUtf8(a), encodeUtf8(b)]
  const differing = left.findIndex((byte, i) => byte !== right[i])
  return differing === -1 ? left.length - right.length : (left[differing] ?? 0) - (right[differing] ?? -1)
}
