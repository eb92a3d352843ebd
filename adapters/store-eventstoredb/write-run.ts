import type { NewEvent } from '../../core/ports/event-store.ts'
import { refuse } from '../../core/ports/refusal.ts'
import { crashPoint } from '../crash-point.ts'
import { troubleOf, unreadable } from './failures.ts'
import { notStored, type Accepted } from './judge.ts'
import type { ExpectedEnd, LogClient, StreamEvent } from './log-client.ts'
import type { StreamNames } from './names.ts'
import { writeParts, type Parts } from './parts.ts'
import { streamEvent } from './recorded.ts'
import type { Tail } from './tail.ts'

export type WrittenRun = {
  /** False if commits without a fate are left, which have to be judged anew. */
  readonly isWhole: boolean
  /** Whether the tail has to be opened again, because nobody knows what the stream has. */
  readonly isOutdated?: boolean
  readonly position: bigint | undefined
}

/** Writes commits of one organization, one behind the other, with as few appends as the server takes. Gives each a fate. */
export type WriteRun = (organization: string, run: readonly Accepted[], tail: Tail) => Promise<WrittenRun>

/** What several commits may have together at first: the smallest bound of a server as it comes is 1 MiB. */
const TOGETHER_BYTES = 960 * 1024
const TOGETHER_EVENTS = 2_000
/** About what an event takes beside its bytes. */
const EVENT_BYTES = 128

/** After this time, parts that no event names may be removed soon: a process that stood still looks for its own again. */
const PARTS_GOOD_MS = 600_000

export const runWriter = (client: LogClient, names: StreamNames, parts: Parts): WriteRun => {
  let togetherMax = TOGETHER_BYTES

  return async (organization, run, tail) => {
    const stream = names.organization(organization)
    let position: bigint | undefined
    let ready: Awaited<ReturnType<typeof withParts>>
    try {
      ready = await withParts(parts, run)
    } catch (error) {
      return failed(organization, run, error, position)
    }
    const writtenMs = Date.now()
    for (let rest = ready.pieces; rest.length > 0;) {
      const some = rest.slice(0, countOf(rest, togetherMax))
      const [first] = some
      if (first === undefined) break
      const events = some.flatMap((piece) => piece.events)
      const last = first.after + BigInt(events.length)
      try {
        if (Date.now() - writtenMs > PARTS_GOOD_MS) throw refuse('UNAVAILABLE', 'the process stood still: try again')
        const expected: ExpectedEnd = first.after === 0n ? 'none' : first.after - 1n
        const at = await client.append(stream, expected, events)
        if (at.revision !== last - 1n)
          throw unreadable(organization, first.after + 1n, 'is gone: the stream was cut off')
        tail.appended(first.after, some.flatMap(eventsOf), at.position)
        position = at.position
        for (const { entry, after } of some)
          entry.fate = { _tag: 'written', sequence: after + BigInt(entry.commit.events.length) }
        rest = rest.slice(some.length)
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble?._tag === 'wrong-end') return { isWhole: false, position }
        if (trouble?._tag !== 'too-large') return failed(organization, rest, error, position)
        const bytes = some.reduce((sum, piece) => sum + piece.bytes, 0)
        const bytesMax = trouble.bytesMax ?? bytes - 1
        if (some.length === 1) {
          first.entry.fate = { _tag: 'refused', answer: { _tag: 'too-large', bytes, bytesMax } }
          return { isWhole: false, position }
        }
        togetherMax = Math.min(togetherMax, trouble.bytesMax ?? Infinity, Math.floor(bytes / 2))
      }
    }
    return { isWhole: ready.isWhole, position }
  }
}

type Piece = Accepted & { readonly events: readonly StreamEvent[]; readonly bytes: number }

const eventsOf = ({ entry }: Piece): readonly NewEvent[] => entry.commit.events

/** Nobody knows what was written: the callers are told so, and the stream is read again before the next commit is judged. */
const failed = (
  organization: string,
  rest: readonly Accepted[],
  error: unknown,
  position: bigint | undefined,
): WrittenRun => {
  const isGone = troubleOf(error)?._tag === 'deleted'
  const told = isGone ? unreadable(organization, 1n, 'is gone: the stream was deleted') : error
  for (const { entry } of rest) entry.fate = notStored(told)
  return { isWhole: true, isOutdated: true, position }
}

/** The commits up to the first whose parts are taken: another log has an event with its id, or an earlier attempt at it was cleared away. */
const withParts = async (
  parts: Parts,
  run: readonly Accepted[],
): Promise<{ readonly pieces: readonly Piece[]; readonly isWhole: boolean }> => {
  const { names, taken } = await writeParts(
    parts,
    run.flatMap(({ entry }) => entry.commit.events),
  )
  crashPoint('after-parts')
  const pieces: Piece[] = []
  for (const accepted of run) {
    const { entry } = accepted
    if (entry.commit.events.some(({ id }) => taken.has(id))) {
      entry.fate = { _tag: 'refused', answer: { _tag: 'partial-duplicate' } }
      return { pieces, isWhole: accepted === run.at(-1) }
    }
    const events = entry.commit.events.map((event) => streamEvent(event, names.get(event.id) ?? []))
    const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length + EVENT_BYTES, 0)
    pieces.push({ ...accepted, events, bytes })
  }
  return { pieces, isWhole: true }
}

/** How many of the first pieces go into one append; at least one. */
const countOf = (pieces: readonly Piece[], bytesMax: number): number => {
  let [bytes, events] = [0, 0]
  const end = pieces.findIndex((piece, index) => {
    bytes += piece.bytes
    events += piece.events.length
    return index > 0 && (bytes > bytesMax || events > TOGETHER_EVENTS)
  })
  return end < 0 ? pieces.length : end
}
