import { failure, type Failure } from '../failure.ts'
import type { Part, ReadOptions, Recorded } from '../ports/event-store.ts'
import { E, type TE } from '../prelude.ts'
import type { Event } from './event.ts'
import { namesParts, noParts, partsOf, REQUEST, type Parts } from './parts.ts'
import { PERSONAL } from './personal-part.ts'

/** Reads lines with the parts that most folds need: personal data. Requests, which are most of the bytes of a log, are not read. */
export const WITH_PERSONAL: ReadOptions = { parts: [PERSONAL] }

/**
 * The parts of events whose lines were read `WITH_PERSONAL` parts. Where an event names others, too, they are read now. Call it for events
 * in order, because it reads the parts of the next events, too.
 *
 * @param place  the sequence or position of the event, as `read` counts
 * @param there  the parts that were read with the line
 */
export type PartReader = (
  event: Event,
  place: bigint,
  there: readonly Part[],
) => E.Either<Failure, Parts> | Promise<E.Either<Failure, Parts>>

/** @param read  reads events behind a place, with their parts: a store's `readLog` or `readAll` */
export const partReader = (
  read: (after: bigint, limit: number, options: ReadOptions) => TE.TaskEither<Failure, readonly Recorded[]>,
): PartReader => {
  let near: ReadonlyMap<string, readonly Part[]> = new Map()
  let covered: ReadonlySet<string> = new Set()
  const readHere = async (
    event: Event,
    place: bigint,
    wanted: readonly string[],
  ): Promise<E.Either<Failure, Parts>> => {
    if (!near.has(event.id) || !wanted.every((kind) => covered.has(kind))) {
      covered = new Set([PERSONAL, ...wanted])
      const page = await read(place - 1n, EVENTS_MAX, { bytesMax: BYTES_MAX, parts: [...covered] })()
      if (E.isLeft(page)) return page
      near = new Map(page.right.map(({ id, parts }) => [id, parts]))
    }
    const there = near.get(event.id)
    return there === undefined ? E.left(gone) : E.right(partsOf(event, there))
  }
  return (event, place, there) => {
    if (!namesParts(event)) return NONE
    return hasOnlyPersonal(event) ? E.right(partsOf(event, there)) : readHere(event, place, kindsOf(event))
  }
}

const NONE: E.Either<never, Parts> = E.right(noParts)

/** Whether all parts of the event were read with its line. */
const hasOnlyPersonal = ({ parts }: Event): boolean => {
  for (const name in parts) if (name !== REQUEST && !name.startsWith(PERSONAL)) return false
  return true
}

/** The kinds of parts that an event names, except its request: names, or how they begin. */
const kindsOf = ({ parts }: Event): readonly string[] =>
  Object.keys(parts)
    .filter((name) => name !== REQUEST)
    .map((name) => /^[^.:]*[.:]/.exec(name)?.[0] ?? name)

const EVENTS_MAX = 200
const BYTES_MAX = 4 * 1024 * 1024

const gone = failure('STORE_UNREADABLE', 'the store does not have an event any more that it had')
