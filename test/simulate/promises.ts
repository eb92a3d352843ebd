import { evolve, type Activity } from '../../core/activity/activity.ts'
import { decodeEvent, type Event } from '../../core/log/event.ts'
import { GENESIS_PREVIOUS } from '../../core/log/event.ts'
import { hashOf } from '../../core/log/chain.ts'
import type { Catalogue } from '../../core/definition/catalogue.ts'
import { foldEvent } from '../../core/organization/fold.ts'
import { initial, type Draft } from '../../core/organization/state.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { compareStandings } from '../../core/projection/compare-standings.ts'
import { storedName } from '../../core/definition/projection.ts'
import { replayProjection } from '../../core/projection/replay.ts'
import { activityRows } from '../activity-rows.ts'
import type { ActivityView } from '../../core/view/activity-view.ts'
import type { Members, Violation } from './journal.ts'
import { simulatedSignatures } from './simulated-signatures.ts'

/** The log as it stands: folded anew each time, by nothing that the engine keeps. */
export type Truth = {
  readonly events: readonly Event[]
  readonly activities: ReadonlyMap<string, Activity>
  readonly head: bigint
}

/** Folded as far as somebody has looked: a log only grows, unless its disk is replaced. */
const truths = new WeakMap<Storage, { events: Event[]; activities: Map<string, Activity>; previous: string }>()

export const truthOf = async (storage: Storage, violate: (violation: Violation) => void): Promise<Truth> => {
  const known = truths.get(storage) ?? {
    events: [],
    activities: new Map<string, Activity>(),
    previous: GENESIS_PREVIOUS,
  }
  truths.set(storage, known)
  const recorded = await storage.store.readAll(BigInt(known.events.length), Number.MAX_SAFE_INTEGER)()
  for (const { line, sequence } of E.isRight(recorded) ? recorded.right : []) {
    if (sequence <= BigInt(known.events.length)) continue // somebody else read it meanwhile
    const event = decodeEvent(line)
    if (E.isLeft(event)) {
      violate({ promise: 'every line is an event', detail: event.left.message })
      break
    }
    if (event.right.sequence !== sequence || event.right.previous !== known.previous) {
      violate({
        promise: 'the log is one chain',
        detail: `sequence ${sequence} says ${event.right.sequence}, or follows another line`,
      })
    }
    known.previous = hashOf(simulatedSignatures, line)
    known.events.push(event.right)
    try {
      known.activities.set(event.right.activity, evolve(known.activities.get(event.right.activity), event.right))
    } catch {
      violate({ promise: 'streams begin with ActivityCreated', detail: event.right.activity })
    }
  }
  return { events: known.events, activities: known.activities, head: BigInt(known.events.length) }
}

const finished = new Set(['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'])

/** What somebody was told of an activity stands in the log: the activity, its end if it had one, and each vote. */
export const checkTold = (truth: Truth, view: ActivityView, violate: (violation: Violation) => void): void => {
  const activity = truth.activities.get(view.id)
  if (activity === undefined)
    return violate({ promise: 'what was told is durable', detail: `activity ${view.id} is not in the log` })
  if (finished.has(view.status) && activity.status !== view.status) {
    violate({ promise: 'what was told is durable', detail: `${view.id} was ${view.status}, and is ${activity.status}` })
  }
  const votes = new Set(activity.votes.map(({ id }) => id))
  for (const { id } of view.votes) {
    if (!votes.has(id))
      violate({ promise: 'what was told is durable', detail: `a vote on ${view.id} is not in the log` })
  }
}

/** What a list of users and tags showed was so at some moment between the question and its answer. */
export const checkShown = (
  truth: Truth,
  catalogue: Catalogue,
  asked: bigint,
  answer: Members,
  shownBy: (state: Draft) => string,
  shown: (answer: Members) => string,
  violate: (violation: Violation) => void,
): void => {
  const seen = shown(answer)
  const state = initial(truth.events[0]?.organization ?? '')
  for (const event of truth.events) {
    foldEvent(state, event, catalogue)
    if (event.sequence >= asked && shownBy(state) === seen) return
  }
  violate({
    promise: 'a query sees what was durable when it arrived',
    detail: 'the answer fits no state since the question',
  })
}

/** The stored rows are those that the projection makes of the log, and the store lists each activity as its events say. */
export const checkRows = async (
  storage: Storage,
  organization: string,
  violate: (violation: Violation) => void,
): Promise<void> => {
  const replayed = await replayProjection(storage.store, activityRows)()
  const rows = await storage.readModels.rows(storedName(activityRows), organization, { limit: 10_000 })()
  const completed = await storage.readModels.rows(storedName(activityRows), organization, {
    limit: 10_000,
    first: ['ACTIVITY_STATUS_COMPLETED'],
  })()
  const wrong = await compareStandings(storage.store)
  if (!E.isRight(wrong) || wrong.right?.length !== 0)
    violate({ promise: 'the list of activities is that of the log', detail: JSON.stringify(wrong) })
  if (E.isLeft(replayed) || E.isLeft(rows) || E.isLeft(completed)) return
  const expected = replayed.right.state.get(organization) ?? new Map<string, never>()
  const done = [...expected.values()].filter(({ first }) => first === 'ACTIVITY_STATUS_COMPLETED').length
  if (rows.right.length !== expected.size || completed.right.length !== done) {
    violate({
      promise: 'read models equal a rebuild',
      detail: `${rows.right.length} rows, ${completed.right.length} completed; a rebuild has ${expected.size} and ${done}`,
    })
  }
}
