import { evolve, isFinished, type Activity } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { parseEnvelope } from '../activity/envelope.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { decodeRequestPart, type StampedRequest } from '../log/request-part.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { Asked, Cell, LiveActivity } from './cell.ts'
import { recentMap } from './recent-map.ts'

/** The activities of each organization by id: in memory while they are fresh, else folded from the store. */
export type LiveActivities = {
  /** Only what is in memory. */
  readonly peek: (cell: Cell, activityId: string) => LiveActivity | undefined
  /** Whether it was in memory, and so is in the store: no reason to decide on it as if it were new. */
  readonly isKnown: (cell: Cell, activityId: string) => boolean
  readonly find: (cell: Cell, activityId: string) => Promise<E.Either<Failure, LiveActivity | undefined>>
  /** Takes in an activity whose events are durable. It is forgotten with the cell: another process may change it then. */
  readonly keep: (cell: Cell, live: LiveActivity) => void
}

/** An activity in memory: what its requests asked for is read from their bytes again when it is wanted. */
type Kept = Pick<LiveActivity, 'activity' | 'requests'> & { readonly of: Owner }

/** Stands for a cell without keeping it in memory: what was kept for one cell is never shown to another one. */
type Owner = { readonly organizationId: string }

/** Activities that wait for votes or effects, and will be asked for again: about 10,000 small ones in a generation. */
const OPEN_BYTES = 32 * 1024 * 1024
/** Finished ones: hardly anybody asks, but for a client that got no answer and sends its request again. */
const FINISHED_BYTES = 4 * 1024 * 1024
const FINISHED = 64
const KNOWN = 20_000

export const liveActivities = (ports: {
  readonly store: EventStore
  readonly catalogue: Catalogue
}): LiveActivities => {
  const owners = new WeakMap<Cell, Owner>()
  const open = recentMap<ActivityKey, Kept>(OPEN_BYTES, weightOf)
  const finished = recentMap<ActivityKey, Kept>(FINISHED_BYTES, (kept) =>
    Math.max(weightOf(kept), FINISHED_BYTES / FINISHED),
  )
  const known = recentMap<ActivityKey, true>(KNOWN)

  const ownerOf = (cell: Cell): Owner => {
    const owner = owners.get(cell) ?? { organizationId: cell.organizationId }
    owners.set(cell, owner)
    return owner
  }

  const keyIn = ({ organizationId }: Cell, activityId: string): ActivityKey =>
    activityKey({ organizationId, activityId })

  const keep = (cell: Cell, { activity, requests }: LiveActivity): void => {
    const key = keyIn(cell, activity.activityId)
    known.set(key, true)
    const kept: Kept = { activity, requests, of: ownerOf(cell) }
    if (!isFinished(activity)) return open.set(key, kept)
    open.delete(key)
    finished.set(key, kept)
  }

  const peek = (cell: Cell, activityId: string): LiveActivity | undefined => {
    const unsettled = cell.unsettled.get(activityId)
    if (unsettled !== undefined) return unsettled
    const key = keyIn(cell, activityId)
    const kept = finished.get(key) ?? open.get(key)
    return kept?.of === ownerOf(cell) ? liveOf(ports.catalogue, kept) : undefined
  }

  return {
    peek,
    isKnown: (cell, activityId) => known.get(keyIn(cell, activityId)) === true,
    find: async (cell, activityId) => {
      const found = peek(cell, activityId)
      if (found !== undefined) return E.right(found)
      const recorded = await ports.store.readActivity(cell.organizationId, activityId)()
      if (E.isLeft(recorded)) return recorded
      const overtaking = peek(cell, activityId) // decided while the store was reading
      if (overtaking !== undefined) return E.right(overtaking)
      const live = foldRecorded(ports.catalogue, recorded.right)
      if (E.isRight(live) && live.right !== undefined && !cell.isDropped) keep(cell, live.right)
      return live
    },
    keep,
  }
}

const ENTRY_BYTES = 1_024
const VOTE_BYTES = 1_024
const EVALUATION_BYTES = 128

/** About how many bytes an activity takes. */
export const weightOf = ({ activity, requests }: Pick<LiveActivity, 'activity' | 'requests'>): number => {
  let bytes = ENTRY_BYTES + lengthOf(activity.result) + lengthOf(activity.failure)
  for (const { decision } of activity.votes)
    bytes += VOTE_BYTES + decision.verdict.evaluations.length * EVALUATION_BYTES
  for (const { body, stamp } of requests.values()) bytes += body.length + stamp.length
  return bytes
}

const lengthOf = (json: Json | Failure | undefined): number => (json === undefined ? 0 : JSON.stringify(json).length)

/** Folds an activity's stream, with what its requests said. */
export const foldRecorded = (
  catalogue: Catalogue,
  recorded: readonly Recorded[],
): E.Either<Failure, LiveActivity | undefined> => {
  let activity: Activity | undefined
  const requests = new Map<string, StampedRequest>()
  for (const { line, parts } of recorded) {
    const event = decodeEvent(line)
    if (E.isLeft(event)) return event
    activity = evolve(activity, event.right)
    const part = parts.find(({ name }) => name === 'request')
    const request = part === undefined ? undefined : decodeRequestPart(part.bytes)
    if (request !== undefined && E.isRight(request)) requests.set(event.right.id, request.right)
  }
  return E.right(activity === undefined ? undefined : liveOf(catalogue, { activity, requests }))
}

/** Reads what was asked for only when it is wanted, and once: parsed, a large request takes more memory than its bytes. */
const liveOf = (
  catalogue: Catalogue,
  { activity, requests }: Pick<LiveActivity, 'activity' | 'requests'>,
): LiveActivity => {
  let read: { readonly asked: Asked | undefined } | undefined
  return {
    activity,
    requests,
    get asked() {
      read ??= { asked: askedOf(catalogue, activity, requests) }
      return read.asked
    },
  }
}

/** What the requester asked for: read again from the very bytes that were stamped. */
const askedOf = (
  catalogue: Catalogue,
  activity: Activity,
  requests: ReadonlyMap<string, StampedRequest>,
): Asked | undefined => {
  const first = activity.votes[0]
  const request = first === undefined ? undefined : requests.get(first.id)
  const found = catalogue.byType(activity.type)
  if (request === undefined || found === undefined) return undefined
  const envelope = parseEnvelope(request.body)
  if (E.isLeft(envelope)) return undefined
  const asked = found.version.decodeIntent(envelope.right.parameters)
  return E.isRight(asked) ? asked.right : undefined
}

/** The failure for an activity whose request was erased: nobody can decide on it any more. */
export const erased = failure(
  'ACTIVITY_NOT_FOUND',
  'the request of this activity was erased; it can no longer be decided on',
)
