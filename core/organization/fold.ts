import { failure, type Failure, type Json } from '../failure.ts'
import { millis, type Event } from '../log/event.ts'
import { E } from '../prelude.ts'
import type { Draft } from './organization.ts'

/** How changes are worked into a state: the part of an operation that replay needs. A `Catalogue` is one. */
export type Evolutions = {
  readonly byType: (type: string) => { readonly operation: Evolution } | undefined
}

export type Evolution = {
  /** The newest type: the one that completed activities carry. */
  readonly type: string
  readonly evolve: (
    draft: Draft,
    change: Json,
    context: { readonly activityId: string; readonly atMs: number },
  ) => E.Either<Failure, void>
}

/**
 * Works an event of the organization's log into its state. Only completed activities change an organization; the others are
 * counted as long as they wait for approvals.
 *
 * @returns `ORGANIZATION_CLOSED` for an operation that is not among the known ones, or whose change is not in the form
 *   that its codec reads: the state may then be half worked, and nothing may be decided on it
 */
export const foldEvent = (draft: Draft, event: Event, operations: Evolutions): E.Either<Failure, void> => {
  draft.waiting += waitingAfter(event)
  if (event.type !== 'ActivityCompleted') return E.right(undefined)
  const found = operations.byType(event.data.type)
  if (found === undefined) {
    return E.left(failure('ORGANIZATION_CLOSED', `this version does not know the operation ${event.data.type}`))
  }
  const atMs = millis(event.at)
  const evolved = found.operation.evolve(draft, event.data.change, { activityId: event.activity, atMs })
  if (E.isLeft(evolved)) {
    return E.left(
      failure('ORGANIZATION_CLOSED', `a change of ${event.data.type} is not in the form that this version reads`),
    )
  }
  draft.updatedAtMs = atMs
  return evolved
}

/** How an event changes the number of activities that wait. */
const waitingAfter = ({ type, data }: Event): -1 | 0 | 1 => {
  const isWaiting = 'decision' in data && data.decision.verdict.outcome === 'CONSENSUS_NEEDED'
  if (type === 'ActivityCreated') return isWaiting ? 1 : 0
  return type === 'ActivityVoted' && !isWaiting ? -1 : 0 // only on what waits is voted
}
