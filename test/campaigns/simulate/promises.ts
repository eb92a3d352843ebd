import type { Activity } from '../../../core/activity/activity.ts'
import type { Catalogue } from '../../../core/definition/catalogue.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { initial } from '../../../core/organization/state.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { compareStandings } from '../../../core/projection/compare-standings.ts'
import { storedName } from '../../../core/definition/projection.ts'
import { replayProjection } from '../../../core/projection/replay.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { activityRows } from '../../core/world/activity-rows.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import type { Directory } from './directory.ts'
import type { Disk } from './disk.ts'
import type { Members, Violation } from './journal.ts'
import { steps } from './steps.ts'
import type { Truth } from './truth.ts'

type Violate = (violation: Violation) => void

const finished = new Set(['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'])

/** What somebody was told of an activity stands in the log: the activity, its end if it had one, and each vote. */
export const checkTold = (truth: Truth, view: ActivityView, violate: Violate): void => {
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

/** An answer shows everything of its activity that was durable when it was asked for, whichever process answers. */
export const checkSeen = (before: Activity | undefined, view: ActivityView, violate: Violate): void => {
  if (before === undefined) return
  const promise = 'an answer sees what was durable when it was asked for'
  if (finished.has(before.status) && view.status !== before.status)
    violate({ promise, detail: `${view.id} was ${before.status} before, and is shown as ${view.status}` })
  const shown = new Set(view.votes.map(({ id }) => id))
  if (!before.votes.every(({ id }) => shown.has(id)))
    violate({ promise, detail: `a vote on ${view.id} was there before, and is not shown` })
}

/** The tags that a list showed were those at some moment between the question and its answer. */
export const checkTags = (
  truth: Truth,
  catalogue: Catalogue,
  asked: bigint,
  answer: Members,
  violate: Violate,
): void => {
  const list = answer['userTags'] as readonly { readonly tagId: string; readonly tagName: string }[] // the query's answer
  const seen = JSON.stringify(list.map(({ tagId, tagName }) => [tagId, tagName]))
  const state = initial(truth.events[0]?.organization ?? '')
  for (const event of truth.events) {
    foldEvent(state, event, catalogue)
    if (event.sequence < asked) continue
    const then = [...userTags.of(state).values()].map(({ tagId, tagName }) => [tagId, tagName])
    if (JSON.stringify(then) === seen) return
  }
  violate({
    promise: 'a query sees what was durable when it was asked',
    detail: `the answer fits no state since ${asked}, and the log ends at ${truth.head}`,
  })
}

/** The passkeys that a list showed of a user were those at some of the moments between the question and its answer. */
export const checkPasskeys = (
  moments: readonly Directory[],
  userId: string | undefined,
  answer: Members,
  violate: Violate,
): void => {
  const list = answer['authenticators'] as readonly { readonly authenticatorId: string }[] // the query's answer
  const seen = list.map(({ authenticatorId }) => authenticatorId).join(' ')
  const then = moments.map((directory) =>
    directory
      .filter((own) => own.userId === userId && own.signer.header === 'X-Stamp-WebAuthn')
      .map(({ credentialId }) => credentialId)
      .join(' '),
  )
  if (!then.includes(seen))
    violate({
      promise: 'a query sees what was durable when it was asked',
      detail: `the passkeys of ${userId}: ${seen}`,
    })
}

/** A list of rows has those of all events up to one that is not before the question, and none of another log. */
export const checkSteps = (truth: Truth, asked: bigint, answer: Members, violate: Violate): void => {
  const promise = 'a list shows what was durable when it was asked for, and nothing else'
  const rows = answer['steps'] as readonly { readonly sequence: string; readonly position: string }[] // the query's answer
  const wrong = rows.findIndex(
    ({ sequence, position }, index) =>
      sequence !== String(index + 1) || position !== String(truth.positions[index] ?? 'not there'),
  )
  if (wrong >= 0) {
    const { sequence, position } = rows[wrong] ?? { sequence: '', position: '' }
    violate({ promise, detail: `row ${wrong + 1} of ${rows.length} is step ${sequence} at ${position}` })
  } else if (BigInt(rows.length) < asked) {
    violate({ promise, detail: `${rows.length} rows, and there were ${asked} events` })
  }
}

/** Whether the stored rows go up to a position. */
export const hasSteps = async ({ readModels }: Storage, position = 0n): Promise<boolean> => {
  const checkpoint = await readModels.checkpoint(storedName(steps))()
  return E.isRight(checkpoint) && checkpoint.right >= position
}

/** The stored rows are those that the projections make of the log, and the store lists each activity as its events say. */
export const checkRows = async (disk: Disk, organization: string, violate: Violate): Promise<void> => {
  const storage = disk.storage()
  const wrong = await compareStandings(storage.store)
  if (!E.isRight(wrong) || wrong.right?.length !== 0)
    violate({ promise: 'the list of activities is that of the log', detail: JSON.stringify(wrong) })
  for (const projection of [activityRows, steps]) {
    if (disk.hasForeignRows(storedName(projection))) continue // all who knew the lost events are gone
    const replayed = await replayProjection(storage.store, projection)()
    const rows = await storage.readModels.rows(storedName(projection), organization, { limit: 10_000 })()
    const completed = await storage.readModels.rows(storedName(projection), organization, {
      limit: 10_000,
      first: ['ACTIVITY_STATUS_COMPLETED'],
    })()
    if (E.isLeft(replayed) || E.isLeft(rows) || E.isLeft(completed)) continue
    const expected = replayed.right.state.get(organization) ?? new Map<string, never>()
    const done = [...expected.values()].filter(({ first }) => first === 'ACTIVITY_STATUS_COMPLETED').length
    if (rows.right.length !== expected.size || completed.right.length !== done) {
      violate({
        promise: 'read models equal a rebuild',
        detail: `${rows.right.length} rows, ${completed.right.length} completed; a rebuild has ${expected.size} and ${done}`,
      })
    }
  }
}
