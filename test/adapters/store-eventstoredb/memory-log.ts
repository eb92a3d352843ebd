import { randomUUID } from 'node:crypto'
import {
  LogClientError,
  type AllPage,
  type AppendedAt,
  type ExpectedEnd,
  type FirstEvent,
  type FollowFrom,
  type FollowListener,
  type Following,
  type LogClient,
  type StoredEvent,
  type StreamEvent,
  type StreamPage,
  type Trouble,
} from '../../../adapters/store-eventstoredb/log-client.ts'

/** A log of a server in the memory of this process, which any number of clients use. */
export type MemoryLog = {
  readonly connect: () => LogClient
  /** Everything that was written, of whichever stream. */
  readonly all: () => readonly StoredEvent[]
  /** How many appends there were of streams that begin so, answered or not. */
  readonly appends: (prefix: string) => number
  readonly faults: Faults
  /** Drops all followers. */
  readonly dropFollowers: () => void
  /** From now on, all clients are connected anew. */
  readonly cutConnections: () => void
  /** Forgets all events behind a position, as a server that was restored from a backup. */
  readonly goBackTo: (position: bigint) => void
  /** Removes a stream, so that it can begin again behind its last event, as the server's tools do. */
  readonly softDelete: (stream: string) => void
}

/** Each is asked before, or after, a write; what it gives is thrown. */
export type Faults = {
  beforeAppend?: ((stream: string) => Trouble | undefined | Promise<Trouble | undefined>) | undefined
  afterAppend?: ((stream: string) => Trouble | undefined) | undefined
}

type Follower = { isStopped: boolean; wake: () => void; drop: () => void }

/** An event takes this much of the log at least, so that positions have gaps. */
const OVERHEAD = 97n

type MemoryLogOptions = { readonly appendBytesMax?: number; readonly nowMs?: () => number }

export const memoryLog = ({ appendBytesMax = 1024 * 1024, nowMs = Date.now }: MemoryLogOptions = {}): MemoryLog => {
  let all: StoredEvent[] = []
  let streams = new Map<string, StoredEvent[]>()
  const deleted = new Set<string>()
  const hidden = new Map<string, bigint>()
  const followers = new Set<Follower>()
  const counts: string[] = []
  const faults: Faults = {}
  let end = 1000n
  let connections = 1

  const fail = (trouble: Trouble): never => {
    throw new LogClientError(trouble, `the server says ${trouble._tag}`)
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  const write = (stream: string, expected: ExpectedEnd, events: readonly StreamEvent[]): AppendedAt => {
    if (deleted.has(stream)) fail({ _tag: 'deleted' })
    const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)
    if (bytes > appendBytesMax) fail({ _tag: 'too-large' })
    const own = streams.get(stream) ?? []
    const from = expected === 'none' ? 0 : expected === 'any' ? own.length : Number(expected) + 1
    const known = own.slice(from, from + events.length)
    const isSame = known.length === events.length && known.every(({ id }, i) => id === events[i]?.id)
    const last = own.at(-1)
    if (isSame && expected !== 'any') {
      const original = known.at(-1)
      if (original !== undefined) return { revision: original.revision, position: original.position }
    }
    const isGone = hidden.get(stream) === BigInt(own.length)
    if (from !== own.length && !(isGone && expected === 'none'))
      fail({ _tag: 'wrong-end', actual: last === undefined ? 'none' : last.revision })
    for (const { id, type, data, metadata } of events) {
      end += OVERHEAD + BigInt(data.length)
      const one = { id, type, data: data.slice(), metadata: metadata.slice() }
      const stored = { ...one, stream, revision: BigInt(own.length), position: end, createdMs: nowMs() }
      own.push(stored)
      all.push(stored)
    }
    streams.set(stream, own)
    for (const { wake } of followers) queueMicrotask(wake)
    return { revision: BigInt(own.length - 1), position: end }
  }

  const append: LogClient['append'] = async (stream, expected, events, { first = [] } = {}) => {
    await turn()
    if (first.length > 0) await appendFirst(first)
    const before = await faults.beforeAppend?.(stream)
    if (before !== undefined) fail(before)
    counts.push(stream)
    const answer = write(stream, expected, events)
    const after = faults.afterAppend?.(stream)
    await turn()
    if (after !== undefined) fail(after)
    return answer
  }

  const appendFirst = async (first: readonly FirstEvent[]): Promise<void> => {
    const outcomes = await Promise.allSettled(first.map(({ stream, event }) => append(stream, 'none', [event])))
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && outcome.reason instanceof LogClientError ? [outcome.reason] : [],
    )
    if (refusals.length === 0) return
    const worse = refusals.find(({ trouble }) => !['wrong-end', 'deleted', 'too-large'].includes(trouble._tag))
    if (worse !== undefined) throw worse
    fail({ _tag: 'first-refused' })
  }

  const readStream = async (stream: string, { from, backwards = false, limit }: StreamPage) => {
    await turn()
    if (deleted.has(stream)) return 'deleted'
    const own = streams.get(stream)?.filter(({ revision }) => revision >= (hidden.get(stream) ?? 0n)) ?? []
    if (own.length === 0) return 'missing'
    const at = from === 'start' ? 0n : from === 'end' ? 2n ** 62n : from
    if (!backwards) return own.filter(({ revision }) => revision >= at).slice(0, limit)
    return own
      .filter(({ revision }) => revision <= at)
      .toReversed()
      .slice(0, limit)
  }

  const readAll = async ({
    from,
    backwards = false,
    limit,
    prefixes,
    withoutData,
  }: AllPage): Promise<readonly StoredEvent[]> => {
    await turn()
    const at = from === 'start' ? 0n : from === 'end' ? 2n ** 63n : from
    // It begins only where an event stands, or behind all of them.
    if (typeof from === 'bigint' && all[indexOf(all, at)]?.position !== at && at < (all.at(-1)?.position ?? 0n))
      fail({ _tag: 'unusable' })
    // Backwards, the server begins before the position.
    const page = backwards ? all.filter(({ position }) => position < at).toReversed() : all.slice(indexOf(all, at))
    const isWanted = ({ stream }: StoredEvent) => prefixes?.some((prefix) => stream.startsWith(prefix)) !== false
    const none = new Uint8Array()
    return page
      .slice(0, limit)
      .map((one) => (isWanted(one) ? one : { ...one, data: none, metadata: none }))
      .map((one) => (withoutData === true ? omitting(one) : one))
  }

  const follow = ({ prefixes, after, withoutData }: FollowFrom, listener: FollowListener): Following => {
    let at = after === 'start' ? 0n : after === 'end' ? (all.at(-1)?.position ?? 0n) : after
    let resting = (): void => undefined
    const follower: Follower = {
      isStopped: false,
      wake: () => resting(),
      drop: () => {
        follower.isStopped = true
        followers.delete(follower)
        resting()
        listener.onDropped(new LogClientError({ _tag: 'unavailable' }, 'dropped'))
      },
    }
    followers.add(follower)
    const run = async (): Promise<void> => {
      let isBehind = true
      while (!follower.isStopped) {
        await turn()
        const page = all.slice(indexOf(all, at + 1n)).slice(0, 200)
        const ours = page.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)))
        if (ours.length > 0) await listener.onEvents(withoutData === true ? ours.map(omitting) : ours)
        at = page.at(-1)?.position ?? at
        if (follower.isStopped || page.length > 0) continue
        if (isBehind) listener.onCaughtUp()
        isBehind = false
        await new Promise<void>((resolve) => (resting = resolve))
      }
    }
    void run()
    return {
      stop: async () => {
        follower.isStopped = true
        followers.delete(follower)
        resting()
      },
    }
  }

  return {
    connect: () => ({
      append,
      positions: async (stream, from, limit) => {
        const found = await readStream(stream, { from, limit })
        return typeof found === 'string' ? [] : found.map(({ position }) => position)
      },
      readStream,
      readAll,
      follow,
      tombstone: async (stream) => {
        await turn()
        if (deleted.has(stream)) return
        deleted.add(stream)
        end += OVERHEAD
        const one = { id: randomUUID(), type: '$streamDeleted', data: new Uint8Array(), metadata: new Uint8Array() }
        all.push({ ...one, stream, revision: 2n ** 63n - 1n, position: end, createdMs: nowMs() })
      },
      deleteSoftly: async (stream, last) => {
        await turn()
        const actual = BigInt((streams.get(stream)?.length ?? 0) - 1)
        if (actual !== last) fail({ _tag: 'wrong-end', actual: actual < 0n ? 'none' : actual })
        hidden.set(stream, actual + 1n)
      },
      checkLeader: async () => undefined,
      connections: () => connections,
      close: async () => undefined,
    }),
    all: () => all,
    appends: (prefix) => counts.filter((stream) => stream.startsWith(prefix)).length,
    faults,
    dropFollowers: () => {
      for (const { drop } of [...followers]) drop()
    },
    cutConnections: () => void (connections += 1),
    goBackTo: (position) => {
      all = all.filter((one) => one.position <= position)
      streams = new Map()
      for (const one of all) streams.set(one.stream, [...(streams.get(one.stream) ?? []), one])
    },
    softDelete: (stream) => void hidden.set(stream, BigInt(streams.get(stream)?.length ?? 0)),
  }
}

const omitting = (one: StoredEvent): StoredEvent => ({ ...one, data: new Uint8Array(), omitted: one.data.length })

/** The first event at the position or behind it. */
const indexOf = (all: readonly StoredEvent[], position: bigint): number => {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.position ?? position) < position) low = middle + 1
    else high = middle
  }
  return low
}
