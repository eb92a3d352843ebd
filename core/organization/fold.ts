import { countDenial } from './denials.ts'
import { history } from './history.ts'
import { profile } from './profile.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { millis, type Event } from '../log/event.ts'
import { noParts, type Parts } from '../log/parts.ts'
import { isWaiting, statusAfter } from '../log/standing.ts'
import { E } from '../prelude.ts'
import type { Draft } from './state.ts'

/** Finds the operation that applies the changes of a type. A `Catalogue` is one. */
export type Evolutions = {
  readonly generation: number
  readonly byType: (type: string) => { readonly operation: RevisedEvolution } | undefined
}

export type RevisedEvolution = Evolution & {
  readonly revision: number
  /** The form that applies changes of a revision; `undefined` if the revision is newer than this version of the code. */
  readonly formFrom: (revision: number) => Evolution | undefined
}

export type Evolution = {
  /** The newest type: completed activities have it. */
  readonly type: string
  readonly evolve: (
    draft: Draft,
    change: Json,
    context: {
      readonly activityId: string
      readonly sequence: bigint
      readonly atMs: number
      readonly parts: Parts
    },
  ) => E.Either<Failure, void>
}

/**
 * Applies an event of the organization's log to its state. Only completed activities change the states of resources. Activities that
 * wait for approvals are counted, and denied ones; and it is noted that the creation of an organization below was started.
 *
 * @param parts  the parts of the event, with erased ones marked as erased; `noParts` for events that name none
 * @returns `ORGANIZATION_CLOSED` for an unknown operation or revision, for a decision of a newer generation of the catalogue, or a change
 *   that its codec cannot read. Then no decision may use
 *   the draft, because it may have only a part of the event
 */
export const foldEvent = (
  draft: Draft,
  event: Event,
  operations: Evolutions,
  parts: Parts = noParts,
): E.Either<Failure, void> => {
  const waiting = waitingAfter(event)
  if (waiting !== 0) history.in(draft).waiting += waiting
  if (event.type === 'ActivityCreated' && event.data.decision.verdict.outcome === 'DENIED')
    countDenial(draft, event.data.requester, millis(event.at))
  if ('decision' in event.data) {
    const { generation } = event.data.decision.basis
    if (generation > operations.generation) return newerProgram
    if (generation > history.of(draft).generation) history.in(draft).generation = generation
  }
  if (event.type === 'ActivityStarted' && event.data.begins === true && profile.of(draft).firstChildAt === undefined)
    profile.in(draft).firstChildAt = String(event.sequence)
  if (event.type !== 'ActivityCompleted') return E.right(undefined)
  const found = operations.byType(event.data.type)
  if (found === undefined) {
    return E.left(failure('ORGANIZATION_CLOSED', `this version does not know the operation ${event.data.type}`))
  }
  const { revision } = event.data
  const { operation } = found
  const form = revision === operation.revision ? operation : operation.formFrom(revision)
  if (form === undefined) {
    return E.left(
      failure('ORGANIZATION_CLOSED', `this version does not know revision ${revision} of ${event.data.type}`),
    )
  }
  const atMs = millis(event.at)
  const evolved = form.evolve(draft, event.data.change, {
    activityId: event.activity,
    sequence: event.sequence,
    atMs,
    parts,
  })
  if (E.isLeft(evolved)) {
    return E.left(
      failure('ORGANIZATION_CLOSED', `a change of ${event.data.type} is not in the form that this version reads`),
    )
  }
  const folded = history.in(draft)
  folded.updatedAtMs = atMs
  const { type } = operation
  if (revision > (folded.operations.get(type) ?? 0)) folded.operations.set(type, revision)
  return evolved
}

// Its operations may decide otherwise: decisions of this program would stand behind those of a newer one.
const newerProgram = E.left(
  failure('ORGANIZATION_CLOSED', 'a program with newer revisions of operations has decided in this organization'),
)

/** By how much an event changes the number of waiting activities. */
const waitingAfter = (event: Event): -1 | 0 | 1 => {
  const waits = isWaiting(statusAfter(event))
  if (event.type === 'ActivityCreated') return waits ? 1 : 0
  return event.type === 'ActivityVoted' && !waits ? -1 : 0 // votes exist only on waiting activities
}
