import { failure, type Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { LINES } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { rowChanges } from '../ports/row-changes.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { storedName, type Projection } from './projection.ts'
import type { Positioned } from './runner.ts'

/** An organization whose events a projection holds back, from this sequence on: on the first of them it threw. */
export type Parked = { readonly organization: string; readonly sequence: bigint }

/**
 * What becomes of events on which a projection throws. One is tried again a few times; then it is parked, and every later
 * one of its organization with it, so that order is kept. Other organizations go on. What is parked is known to the rows'
 * own transaction, and is tried again when somebody asks for it.
 */
export type Parking = {
  readonly list: () => readonly Parked[]
  readonly holds: (organization: string) => boolean
  /** The changes that a batch makes. A failure where an event is to be tried again later. */
  readonly project: (batch: readonly Positioned[]) => E.Either<Failure, readonly RowChange[]>
  /** Tries again what is parked, up to the checkpoint. */
  readonly retry: (checkpoint: bigint) => Promise<E.Either<Failure, void>>
}

const THROWS_MAX = 3
const PAGE = 500
/** Stands for an organization among the rows: no id is spelled so. */
const SPACE = '!parked'

export const parking = async (
  { store, readModels }: Storage,
  projection: Projection,
  onParked: (parked: Parked) => void,
): Promise<E.Either<Failure, Parking>> => {
  const name = storedName(projection)
  const rows = await readModels.rows(name, SPACE, { limit: Number.MAX_SAFE_INTEGER, ascending: true })()
  if (E.isLeft(rows)) return rows
  const parked = new Map(rows.right.map(({ key, order }) => [key, order]))
  let thrown = { position: 0n, times: 0 }

  const attempt = ({ event, position }: Positioned): readonly RowChange[] | undefined => {
    try {
      return rowChanges(projection.project(event, position))
    } catch {
      return undefined
    }
  }

  const park = (organization: string, sequence: bigint): RowChange => {
    parked.set(organization, sequence)
    onParked({ organization, sequence })
    return { _tag: 'put', organization: SPACE, key: organization, order: sequence, facets: {}, value: null }
  }

  const release = (organization: string): RowChange => {
    parked.delete(organization)
    return { _tag: 'delete', organization: SPACE, key: organization }
  }

  const project = (batch: readonly Positioned[]): E.Either<Failure, readonly RowChange[]> => {
    const changes: RowChange[] = []
    for (const positioned of batch) {
      const { organization, sequence } = positioned.event
      if (parked.has(organization)) continue
      const made = attempt(positioned)
      if (made !== undefined) {
        for (const change of made) changes.push(change)
        continue
      }
      const { position } = positioned
      thrown = { position, times: thrown.position === position ? thrown.times + 1 : 1 }
      if (thrown.times < THROWS_MAX) return E.left(threw(projection.name, position))
      changes.push(park(organization, sequence))
    }
    return E.right(changes)
  }

  const retryOne = async (
    organization: string,
    first: bigint,
    checkpoint: bigint,
  ): Promise<E.Either<Failure, void>> => {
    for (let after = first - 1n; ;) {
      const page = await store.readLog(organization, after, PAGE, LINES)()
      if (E.isLeft(page)) return page
      const changes: RowChange[] = []
      let isDone = page.right.length < PAGE
      for (const { line, position, sequence } of page.right) {
        const event = decodeEvent(line)
        if (E.isLeft(event)) return event
        isDone ||= position > checkpoint
        if (position > checkpoint) break
        const made = attempt({ event: event.right, position })
        if (made === undefined) {
          changes.push(park(organization, sequence))
          return readModels.move(name, checkpoint, checkpoint, changes)()
        }
        for (const change of made) changes.push(change)
        after = sequence
      }
      if (isDone) changes.push(release(organization))
      const moved = await readModels.move(name, checkpoint, checkpoint, changes)()
      if (E.isLeft(moved) || isDone) return moved
    }
  }

  return E.right({
    list: () => [...parked].map(([organization, sequence]) => ({ organization, sequence })),
    holds: (organization) => parked.has(organization),
    project,
    retry: async (checkpoint) => {
      for (const [organization, sequence] of [...parked]) {
        const retried = await retryOne(organization, sequence, checkpoint)
        if (E.isLeft(retried)) return retried
      }
      return E.right(undefined)
    },
  })
}

const threw = (name: string, position: bigint): Failure =>
  failure('INTERNAL', `the projection ${name} threw at position ${position}`)
