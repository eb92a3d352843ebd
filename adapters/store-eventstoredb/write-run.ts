import type { NewEvent } from '../../core/ports/event-store.ts'
import { refuse } from '../../core/ports/refusal.ts'
import { crashPoint, stopsIn } from '../crash-point.ts'
import { troubleOf, unreadable } from './failures.ts'
import { notReadable, notStored, type Accepted } from './judge.ts'
import type { AppendedAt, ExpectedEnd, FirstEvent, LogClient, StreamEvent } from './log-client.ts'
import type { PartName } from './metadata.ts'
import type { StreamNames } from './names.ts'
import { writeParts, type Parts } from './parts.ts'
import { streamEvent } from './recorded.ts'
import type { Tail } from './tail.ts'

export type WrittenRun = {
  /** False if commits without an outcome are left, which have to be judged anew. */
  readonly isWhole: boolean
  /** Whether the tail has to be opened again, because nobody knows what the stream has. */
  readonly isOutdated?: boolean
  readonly position: bigint | undefined
}

/** Writes commits of one organization, one behind the other, with as few appends as the server takes. Gives each an outcome. */
export type WriteRun = (organization: string, run: readonly Accepted[], tail: Tail) => Promise<WrittenRun>

/** What several commits may have together at first: the smallest bound of a server as it comes is 1 MiB. */
const TOGETHER_BYTES = 960 * 1024
const TOGETHER_EVENTS = 2_000
/** About what an event takes beside its bytes. */
const EVENT_BYTES = 128
/** Parts that are sent with the append behind them: larger than most, and well below what the server takes. */
const SMALL_BYTES = 64 * 1024

/** After this time, parts that no event names may be removed soon: a process that stood still looks for its own again. */
const PARTS_GOOD_MS = 600_000

export const runWriter = (client: LogClient, names: StreamNames, parts: Parts): WriteRun => {
  let togetherMax = TOGETHER_BYTES

  return async (organization, run, tail) => {
    const stream = names.organization(organization)
    let position: bigint | undefined
    let ready: Ready
    try {
      ready = isSmall(run)
        ? { pieces: run.map((one) => withFirst(parts, one)), isWhole: true }
        : await withParts(parts, run)
    } catch (error) {
      return failed(organization, run, error, position)
    }
    const writtenMs = Date.now()
    for (let rest = ready.pieces; rest.length > 0;) {
      const some = rest.slice(0, countOf(rest, togetherMax))
      const [head] = some
      if (head === undefined) break
      const events = some.flatMap((piece) => piece.events)
      const last = head.after + BigInt(events.length)
      try {
        if (Date.now() - writtenMs > PARTS_GOOD_MS) throw refuse('UNAVAILABLE', 'the process stood still: try again')
        const expected: ExpectedEnd = head.after === 0n ? 'none' : head.after - 1n
        const appending = client.append(stream, expected, events, { first: some.flatMap(({ first }) => first) })
        const places = placesOf(some, (from, count) => client.positions(stream, from - 1n, count))
        const at = await appending
        if (at.revision !== last - 1n)
          throw unreadable(organization, head.after + 1n, 'is gone: the stream was cut off')
        tail.appended(head.after, some.flatMap(eventsOf), at.position)
        position = at.position
        settle(some, at, places)
        rest = rest.slice(some.length)
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble?._tag === 'wrong-end') return { isWhole: false, position }
        if (trouble?._tag === 'first-refused') {
          // An earlier attempt, or another process, has written some of them, or something else stands there.
          try {
            ready = await withParts(parts, rest)
          } catch (refused) {
            return failed(organization, rest, refused, position)
          }
          rest = ready.pieces
          continue
        }
        if (trouble?._tag !== 'too-large') return failed(organization, rest, error, position)
        const bytes = some.reduce((sum, piece) => sum + piece.bytes, 0)
        const bytesMax = trouble.bytesMax ?? bytes - 1
        if (some.length === 1) {
          head.entry.outcome = { _tag: 'refused', answer: { _tag: 'too-large', bytes, bytesMax } }
          return { isWhole: false, position }
        }
        togetherMax = Math.min(togetherMax, trouble.bytesMax ?? Infinity, Math.floor(bytes / 2))
        rest = rest.map((piece, index) => (index < some.length ? { ...piece, first: [] } : piece)) // they are there
      }
    }
    return { isWhole: ready.isWhole, position }
  }
}

type Piece = Accepted & {
  readonly events: readonly StreamEvent[]
  readonly bytes: number
  /** Its parts, if they are not written yet. */
  readonly first: readonly FirstEvent[]
}
/** `isWhole`: whether it has all commits that were accepted. */
type Ready = { readonly pieces: readonly Piece[]; readonly isWhole: boolean }

const eventsOf = ({ entry }: Piece): readonly NewEvent[] => entry.commit.events

/** Gives the position of an event, by its sequence. */
type Places = (sequence: bigint) => Promise<bigint>

/**
 * The append tells the position of its last event only: those where the other commits end are read. This is asked for together with the
 * append; the next group does not wait for it.
 */
const placesOf = (
  some: readonly Piece[],
  positions: (from: bigint, count: number) => Promise<readonly bigint[]>,
): Places => {
  const from = some[0] === undefined ? 0n : endOf(some[0])
  const count = Number((some.at(-1)?.after ?? 0n) - from) + 1
  const read = count > 0 ? positions(from, count) : Promise.resolve([])
  read.catch(() => undefined) // of no matter if the append fails
  return async (sequence) => {
    const index = Number(sequence - from)
    // It was asked over another connection than the append was, and came before it.
    const position = (await read)[index] ?? (await positions(sequence, 1))[0]
    if (position === undefined) throw notReadable()
    return position
  }
}

/** The sequence of the last event. */
const endOf = ({ entry, after }: Piece): bigint => after + BigInt(entry.commit.events.length)

const settle = (some: readonly Piece[], { position }: AppendedAt, places: Places): void => {
  for (const [index, piece] of some.entries()) {
    const sequence = endOf(piece)
    const own = index === some.length - 1 ? position : places(sequence)
    if (typeof own !== 'bigint') own.catch(() => undefined) // whoever is answered hears of it
    piece.entry.outcome = { _tag: 'written', sequence, position: own }
  }
}

/** Nobody knows what was written: the callers are told so, and the stream is read again before the next commit is judged. */
const failed = (
  organization: string,
  rest: readonly Accepted[],
  error: unknown,
  position: bigint | undefined,
): WrittenRun => {
  const isGone = troubleOf(error)?._tag === 'deleted'
  const told = isGone ? unreadable(organization, 1n, 'is gone: the stream was deleted') : error
  for (const { entry } of rest) entry.outcome = notStored(told)
  return { isWhole: true, isOutdated: true, position }
}

/** Whether all parts may go with the append, so that nobody waits for the one before sending the other. */
const isSmall = (run: readonly Accepted[]): boolean =>
  !stopsIn('within-parts', 'after-parts') &&
  run.every(({ entry }) =>
    entry.commit.events.every(({ parts }) =>
      parts.every(({ salt, bytes }) => salt.length + bytes.length <= SMALL_BYTES),
    ),
  )

/** The commit with its parts, as they are if nobody has written them before. */
const withFirst = (parts: Parts, accepted: Accepted): Piece => {
  const { events } = accepted.entry.commit
  const first = events.flatMap(({ id, parts: own }) => own.map((part) => parts.firstEvent(id, part)))
  return pieceOf(accepted, ({ parts: own }) => own.map(({ name }) => ({ name, chunks: 1 })), first)
}

const pieceOf = (
  accepted: Accepted,
  namesOf: (event: NewEvent) => readonly PartName[],
  first: readonly FirstEvent[],
): Piece => {
  const events = accepted.entry.commit.events.map((event) => streamEvent(event, namesOf(event)))
  const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length + EVENT_BYTES, 0)
  return { ...accepted, events, bytes, first }
}

/** The commits up to the first whose parts are taken: another log has an event with its id, or an earlier attempt at it was cleared away. */
const withParts = async (parts: Parts, run: readonly Accepted[]): Promise<Ready> => {
  const { names, taken } = await writeParts(
    parts,
    run.flatMap(({ entry }) => entry.commit.events),
  )
  crashPoint('after-parts')
  const pieces: Piece[] = []
  for (const accepted of run) {
    const { entry } = accepted
    if (entry.commit.events.some(({ id }) => taken.has(id))) {
      entry.outcome = { _tag: 'refused', answer: { _tag: 'partial-duplicate' } }
      return { pieces, isWhole: accepted === run.at(-1) }
    }
    pieces.push(pieceOf(accepted, ({ id }) => names.get(id) ?? [], []))
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
