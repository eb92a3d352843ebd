import { evolve, isFinished, type Activity } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { parseEnvelope } from '../activity/envelope.ts'
import { failure, type Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { decodeRequestPart, type StampedRequest } from '../log/request-part.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { boundedMap } from './bounded-map.ts'
import type { Asked, Cell, LiveActivity } from './cell.ts'
import { recentMap } from './recent-map.ts'

/** The activities of each organization by id: in memory while they are fresh, else folded from the store. */
export type LiveActivities = {
  /** Only what is in memory. */
  readonly peek: (cell: Cell, activityId: string) => LiveActivity | undefined
  /** Whether it was in memory, and so is in the store: no reason to decide on it as if it were new. */
  readonly isKnown: (cell: Cell, activityId: string) => boolean
  readonly find: (cell: Cell, activityId: string) => Promise<E.Either<Failure, LiveActivity | undefined>>
  /** Takes in an activity whose events are durable. */
  readonly keep: (live: LiveActivity) => void
  /** Forgets those of an organization: another process may have changed them. */
  readonly forget: (organizationId: string) => void
}

/** Activities that wait for votes or effects, and will be asked for again. */
const OPEN_MAX = 20_000
/** Finished ones: hardly anybody asks, but for a client that got no answer and sends its request again. */
const FINISHED_MIN = 64
const KNOWN_MIN = 20_000

export const liveActivities = (ports: {
  readonly store: EventStore
  readonly catalogue: Catalogue
}): LiveActivities => {
  /** The keys of those that are open. */
  const byOrganization = new Map<string, Set<ActivityKey>>()
  const isNoLongerOpen = ({ activity }: LiveActivity): boolean => {
    const keys = byOrganization.get(activity.organizationId)
    const wasOpen = keys?.delete(activityKey(activity)) === true
    if (keys?.size === 0) byOrganization.delete(activity.organizationId)
    return wasOpen
  }
  const open = boundedMap<ActivityKey, LiveActivity>(OPEN_MAX, () => true, isNoLongerOpen)
  const finished = recentMap<ActivityKey, LiveActivity>(FINISHED_MIN)
  const known = recentMap<ActivityKey, true>(KNOWN_MIN)
  const keep = (live: LiveActivity): void => {
    const { organizationId } = live.activity
    const key = activityKey(live.activity)
    known.set(key, true)
    if (isFinished(live.activity)) {
      finished.set(key, live)
      if (isNoLongerOpen(live)) open.delete(key)
    } else {
      open.set(key, live)
      const keys = byOrganization.get(organizationId)
      if (keys === undefined) byOrganization.set(organizationId, new Set([key]))
      else keys.add(key)
    }
  }
  const keyIn = ({ organizationId }: Cell, activityId: string): ActivityKey =>
    activityKey({ organizationId, activityId })
  const peek = (cell: Cell, activityId: string): LiveActivity | undefined => {
    const key = keyIn(cell, activityId)
    return cell.unsettled.get(activityId) ?? finished.get(key) ?? open.get(key)
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
      if (E.isRight(live) && live.right !== undefined && !cell.isDropped) keep(live.right)
      return live
    },
    keep,
    forget: (organizationId) => {
      finished.deleteWhere(({ activity }) => activity.organizationId === organizationId)
      for (const key of byOrganization.get(organizationId) ?? []) open.delete(key)
      byOrganization.delete(organizationId)
    },
  }
}

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
  if (activity === undefined) return E.right(undefined)
  return E.right({ activity, asked: askedOf(catalogue, activity, requests), requests })
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
