/** The log of an emulated EventStoreDB: streams, their numbers, and what the server decides on an append. In memory. */
import { randomUUID } from 'node:crypto'
import { NOTHING_KEPT_BACK, readStreamMetadata, withTruncateBefore, type StreamMetadata } from './stream-metadata.ts'

export type ProposedEvent = {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export type LogRecord = ProposedEvent & {
  readonly stream: string
  readonly revision: bigint
  /** The commit position and, as the server writes events that commit themselves, the prepare position. */
  readonly position: bigint
  readonly createdMs: number
}

/** Where the writer expects the end of the stream. */
export type Expected = 'any' | 'exists' | 'none' | bigint

export type Outcome =
  | { readonly _tag: 'appended'; readonly revision: bigint; readonly position: bigint | undefined }
  /** `current` is -1 where the stream is missing. */
  | { readonly _tag: 'wrong-version'; readonly current: bigint }
  | { readonly _tag: 'deleted' }
  /** The server falls over the request, and never answers. */
  | { readonly _tag: 'silent' }

export type EventLog = {
  readonly append: (stream: string, expected: Expected, events: readonly ProposedEvent[]) => Outcome
  /** Soft: a later append opens the stream again, with its numbers going on. Hard: a tombstone, for ever. */
  readonly remove: (stream: string, expected: Expected, kind: 'soft' | 'hard') => Outcome
  /** What a reader of the stream sees: what metadata holds back is left out. */
  readonly stream: (name: string) => 'missing' | 'deleted' | StreamView
  /** Everything that was ever written and not scavenged, in order of position. */
  readonly all: () => readonly LogRecord[]
  /** The index in `all` of the first record at the position or behind it. */
  readonly indexAt: (position: bigint) => number
  /** Whether a record begins there, or began there before it was scavenged, or the next one will. */
  readonly isBoundary: (position: bigint) => boolean
  readonly endPosition: () => bigint
  readonly metadataOf: (stream: string) => StreamMetadata
  /** Called after each append, before it is answered. Returns the way to stop. */
  readonly onAppended: (listener: () => void) => () => void
  /** Puts a record back that was in a log before, in order of position. */
  readonly restore: (record: LogRecord) => void
  /** Forgets the ids that are remembered for expectation `any`, as a server does that starts again. */
  readonly forgetRecentIds: () => void
  /** The same log as it is now, to which nothing of what follows comes. */
  readonly copy: () => EventLog
  /** Takes out the events of removed streams, and those that metadata holds back. */
  readonly scavenge: () => void
}

export type StreamView = { readonly records: readonly LogRecord[]; readonly last: bigint }

type Stream = { records: LogRecord[]; last: bigint; deleted: boolean }
type Checked = { readonly _tag: 'write'; readonly after: bigint; readonly reopens: boolean } | Outcome

/** The number of a tombstone, and the bound of a stream that was deleted softly. */
export const LAST_REVISION = 2n ** 63n - 1n

/** What a record takes in the log beside its own bytes: headers, lengths, the name of the stream. About what the server needs. */
const RECORD_OVERHEAD = 103

export type EventLogOptions = {
  readonly nowMs?: () => number
  /** How many ids are remembered for expectations that name no number. */
  readonly recentIdsMax?: number
}

type Contents = {
  readonly streams: Map<string, Stream>
  readonly boundaries: Set<bigint>
  readonly all: LogRecord[]
  readonly end: bigint
}

export const createEventLog = (options: EventLogOptions = {}): EventLog =>
  logOf({ streams: new Map(), boundaries: new Set(), all: [], end: 0n }, options)

const logOf = (contents: Contents, options: EventLogOptions): EventLog => {
  const { nowMs = Date.now, recentIdsMax = 5000 } = options
  const { streams, boundaries } = contents
  const recentIds = new Map<string, { readonly stream: string; readonly revision: bigint }>()
  const listeners = new Set<() => void>()
  let { all, end } = contents

  const metadataOf = (stream: string): StreamMetadata => {
    const last = streams.get(`$$${stream}`)?.records.at(-1)
    return last === undefined ? NOTHING_KEPT_BACK : readStreamMetadata(last.data)
  }

  /** The position of a record of so many bytes. */
  const advance = (bytes: number): bigint => {
    const position = end
    boundaries.add(position)
    end += BigInt(RECORD_OVERHEAD + bytes)
    return position
  }

  const write = (stream: Stream, name: string, revision: bigint, event: ProposedEvent): LogRecord => {
    const position = advance(bytesOf(event, name))
    const record = { ...event, stream: name, revision, position, createdMs: nowMs() }
    add(stream, record)
    remember(event.id, name, revision)
    return record
  }

  const add = (stream: Stream, record: LogRecord): void => {
    stream.records.push(record)
    stream.last = record.revision
    if (record.revision === LAST_REVISION) stream.deleted = true
    all.push(record)
  }

  const remember = (id: string, stream: string, revision: bigint): void => {
    // An id that is written twice is known by the first time.
    if (!recentIds.has(id)) recentIds.set(id, { stream, revision })
    const oldest = recentIds.size > recentIdsMax ? recentIds.keys().next() : { done: true as const }
    if (oldest.done !== true) recentIds.delete(oldest.value)
  }

  const recordAt = (stream: Stream, revision: bigint): LogRecord | undefined => {
    const first = stream.records[0]
    return first === undefined ? undefined : stream.records[Number(revision - first.revision)]
  }

  const softlyDeleted = (name: string): boolean => metadataOf(name).truncateBefore === LAST_REVISION

  const check = (name: string, expected: Expected, ids: readonly string[]): Checked => {
    const stream = streams.get(name)
    if (stream?.deleted === true) return { _tag: 'deleted' }
    const current = stream?.last ?? -1n
    if (expected === 'exists') {
      if (softlyDeleted(name)) return { _tag: 'deleted' }
      if (current < 0n && !streams.has(`$$${name}`)) return { _tag: 'wrong-version', current }
    }
    const write: Checked = { _tag: 'write', after: current, reopens: softlyDeleted(name) }
    if (expected === 'any' || expected === 'exists') return knownRecently(name, ids, current) ?? write
    const after = expected === 'none' ? -1n : expected
    if (after > current) return { _tag: 'wrong-version', current }
    if (after === current) return write
    // An older number: only what stands there under the same ids is a success, however long ago it was.
    for (const [index, id] of ids.entries()) {
      const there = stream === undefined ? undefined : recordAt(stream, after + BigInt(index) + 1n)
      if (there?.id === id) continue
      return index === 0 && after === -1n && write.reopens ? write : { _tag: 'wrong-version', current }
    }
    return ids.length === 0 || stream === undefined
      ? { _tag: 'wrong-version', current }
      : answered(name, stream, after + BigInt(ids.length))
  }

  /** Numbers of what was written before. Undefined if the first event is new; a set that is known in part is refused. */
  const knownRecently = (name: string, ids: readonly string[], current: bigint): Outcome | undefined => {
    const known = ids.map((id) => recentIds.get(id)).map((found) => (found?.stream === name ? found : undefined))
    if (known[0] === undefined) return undefined
    const last = known.at(-1)
    const stream = streams.get(name)
    if (known.includes(undefined) || last === undefined || stream === undefined)
      return { _tag: 'wrong-version', current }
    // Known ids in a wrong order: a server of 23.10 throws where nobody catches it, and never answers.
    if (known[0].revision > last.revision + 1n) return { _tag: 'silent' }
    return answered(name, stream, last.revision)
  }

  /** The server looks the position up, and finds none where metadata holds the event back. */
  const answered = (name: string, stream: Stream, revision: bigint): Outcome => {
    const record = softlyDeleted(name) ? undefined : visible(name, stream).find((one) => one.revision === revision)
    return { _tag: 'appended', revision, position: record?.position }
  }

  const streamOf = (name: string): Stream => {
    const stream = streams.get(name) ?? { records: [], last: -1n, deleted: false }
    streams.set(name, stream)
    return stream
  }

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }

  const writeMetadata = (name: string, data: Buffer): bigint => {
    const stream = streamOf(`$$${name}`)
    const event = { id: randomUUID(), type: '$metadata', contentType: 'application/json', data, metadata: NO_BYTES }
    return write(stream, `$$${name}`, stream.last + 1n, event).position
  }

  /** Opens a stream again that was deleted softly: its numbers go on, and what was before stays hidden. */
  const reopen = (name: string, from: bigint): void => {
    const last = streams.get(`$$${name}`)?.records.at(-1)
    if (last !== undefined) writeMetadata(name, withTruncateBefore(last.data, from))
  }

  const indexAt = (position: bigint): number => {
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const record = all[middle]
      if (record !== undefined && record.position < position) low = middle + 1
      else high = middle
    }
    return low
  }

  const visible = (name: string, stream: Stream): readonly LogRecord[] => {
    const { maxCount, maxAgeSeconds, truncateBefore } = metadataOf(name)
    const first = maxCount === undefined ? 0n : stream.last - BigInt(maxCount) + 1n
    const from = truncateBefore !== undefined && truncateBefore > first ? truncateBefore : first
    if (from <= 0n && maxAgeSeconds === undefined) return stream.records
    const oldest = maxAgeSeconds === undefined ? -Infinity : nowMs() - maxAgeSeconds * 1000
    return stream.records.filter(({ revision, createdMs }) => revision >= from && createdMs >= oldest)
  }

  return {
    append: (name, expected, events) => {
      const checked = check(
        name,
        expected,
        events.map(({ id }) => id),
      )
      if (checked._tag !== 'write') return checked
      // The server writes a record even of nothing.
      if (events.length === 0) return { _tag: 'appended', revision: checked.after, position: advance(0) }
      const stream = streamOf(name)
      let last: LogRecord | undefined
      const original = name.startsWith('$$') && softlyDeleted(name.slice(2)) ? name.slice(2) : undefined
      for (const event of events) last = write(stream, name, stream.last + 1n, event)
      if (checked.reopens) reopen(name, checked.after + 1n)
      if (original !== undefined) reopen(original, (streams.get(original)?.last ?? -1n) + 1n)
      tell()
      return { _tag: 'appended', revision: last?.revision ?? stream.last, position: last?.position }
    },
    remove: (name, expected, kind) => {
      const checked = check(name, expected, ['an id that is new'])
      if (checked._tag !== 'write') return checked
      if (kind === 'soft') {
        if (checked.after < 0n) return { _tag: 'wrong-version', current: checked.after }
        const position = writeMetadata(name, Buffer.from(`{"$tb":${LAST_REVISION}}`))
        tell()
        return { _tag: 'appended', revision: checked.after, position }
      }
      const stream = streamOf(name)
      const tombstone = { id: randomUUID(), type: '$streamDeleted', contentType: 'application/octet-stream' }
      const { position } = write(stream, name, LAST_REVISION, { ...tombstone, data: NO_BYTES, metadata: NO_BYTES })
      tell()
      return { _tag: 'appended', revision: LAST_REVISION, position }
    },
    stream: (name) => {
      const stream = streams.get(name)
      if (stream?.deleted === true || streams.get(name.replace(/^\$\$/, ''))?.deleted === true) return 'deleted'
      if (stream === undefined) return 'missing'
      return softlyDeleted(name) ? 'missing' : { records: visible(name, stream), last: stream.last }
    },
    all: () => all,
    indexAt,
    isBoundary: (position) => position === end || boundaries.has(position),
    endPosition: () => end,
    metadataOf,
    onAppended: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    restore: (record) => {
      end = record.position
      advance(bytesOf(record, record.stream))
      add(streamOf(record.stream), record)
    },
    forgetRecentIds: () => recentIds.clear(),
    copy: () => {
      const copies = new Map<string, Stream>()
      for (const [name, stream] of streams) copies.set(name, { ...stream, records: [...stream.records] })
      return logOf({ streams: copies, boundaries: new Set(boundaries), all: [...all], end }, options)
    },
    scavenge: () => {
      for (const [name, stream] of streams) {
        const kept = stream.deleted ? stream.records.slice(-1) : softlyDeleted(name) ? [] : [...visible(name, stream)]
        if (kept.length < stream.records.length) stream.records = kept
      }
      const kept = new Set([...streams.values()].flatMap(({ records }) => records))
      all = all.filter((record) => kept.has(record))
    },
  }
}

const bytesOf = ({ data, metadata, type }: ProposedEvent, stream: string): number =>
  data.length + metadata.length + Buffer.byteLength(type) + Buffer.byteLength(stream)

const NO_BYTES = new Uint8Array()
