import { evolve, isFinished, type Activity } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { decodedIn, type DecodedIntent } from '../definition/operation.ts'
import { withInspected, type LiveActivity } from '../deciding/live-activity.ts'
import type { Failure, Json } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { noParts, partsLength, partsOf, REQUEST } from '../log/parts.ts'
import { decodeRequestPart, type StampedRequest } from '../log/request-part.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { Cell } from './cell.ts'
import type { Inspect } from './inspections.ts'
import { boundedMap } from '../collections/bounded-map.ts'

/** The activities of each organization by id: in memory while they are fresh, else folded from the store. */
export type LiveActivities = {
  /** Only what is in memory. */
  readonly peek: (cell: Cell, activityId: string) => LiveActivity | undefined
  /** Whether the activity was in memory before. Then it is in the store, and must not be decided on as a new one. */
  readonly isKnown: (cell: Cell, activityId: string) => boolean
  readonly find: (cell: Cell, activityId: string) => Promise<E.Either<Failure, LiveActivity | undefined>>
  /** Keeps an activity whose events are durable. It is forgotten with the cell, because another process may change it then. */
  readonly keep: (cell: Cell, live: LiveActivity) => void
  /** Lets a cell go on with what was kept for another one, except for these activities, which have new events. */
  readonly passOn: (from: Cell, to: Cell, activities: ReadonlySet<string>) => void
  /** Forgets all activities of an organization, because parts of them were erased. */
  readonly forget: (organizationId: string) => void
}

/** An activity in memory. Its intent is not kept: it is decoded from the bytes of the request when somebody needs it. */
type Kept = Pick<LiveActivity, 'activity' | 'requests'> & {
  readonly of: Owner
  /** The inspected intent, where the operation has `inspect`, which may be slow. `decoded` is `undefined` where it was refused. */
  readonly inspected: { readonly decoded: DecodedIntent | undefined } | undefined
}

/** Stands for a cell, without keeping the cell in memory. What was kept for one cell is never shown to another one. */
type Owner = { readonly organizationId: string }

/** The bytes for activities that wait for votes or effects: about 20,000 small ones. */
const OPEN_BYTES = 64 * 1024 * 1024
/** The bytes for finished activities. Hardly anybody asks for them, except a client that got no answer and sends its request again. */
const FINISHED_BYTES = 8 * 1024 * 1024
const FINISHED_MAX = 128
const KNOWN_MAX = 40_000

export const liveActivities = (ports: {
  readonly store: EventStore
  readonly catalogue: Catalogue
  readonly inspect: Inspect
}): LiveActivities => {
  const owners = new WeakMap<Cell, Owner>()
  const open = boundedMap<ActivityKey, Kept>(OPEN_BYTES, {
    weightOf: (kept) => weightOf(kept) * (kept.inspected === undefined ? 1 : INSPECTED_WEIGHT),
  })
  const finished = boundedMap<ActivityKey, Kept>(FINISHED_BYTES, {
    weightOf: (kept) => Math.max(weightOf(kept), FINISHED_BYTES / FINISHED_MAX),
  })
  const known = boundedMap<ActivityKey, true>(KNOWN_MAX)

  const ownerOf = (cell: Cell): Owner => {
    const owner = owners.get(cell) ?? { organizationId: cell.organizationId }
    owners.set(cell, owner)
    return owner
  }

  const keyIn = ({ organizationId }: Cell, activityId: string): ActivityKey =>
    activityKey({ organizationId, activityId })

  const inspects = ({ type }: Activity): boolean => ports.catalogue.byType(type)?.operation.inspect !== undefined

  const keep = (cell: Cell, live: LiveActivity): void => {
    const { activity, requests } = live
    const key = keyIn(cell, activity.activityId)
    known.set(key, true)
    const inspected = !isFinished(activity) && inspects(activity) ? { decoded: live.decoded } : undefined
    const kept: Kept = { activity, requests, of: ownerOf(cell), inspected }
    if (!isFinished(activity)) return open.set(key, kept)
    open.delete(key)
    finished.set(key, kept)
  }

  const peek = (cell: Cell, activityId: string): LiveActivity | undefined => {
    const pending = cell.pending.get(activityId)
    if (pending !== undefined) return pending
    const key = keyIn(cell, activityId)
    const kept = finished.get(key) ?? open.get(key)
    if (kept?.of !== ownerOf(cell)) return undefined
    const { activity, requests, inspected } = kept
    return inspected === undefined ? liveOf(ports.catalogue, kept) : { activity, requests, ...inspected }
  }

  /** The activity with its request inspected, where a decision on it can still come. */
  const inspectedOf = async (
    { organizationId }: Cell,
    live: LiveActivity,
  ): Promise<E.Either<Failure, LiveActivity>> => {
    const { activity, decoded } = live
    const operation = ports.catalogue.byType(activity.type)?.operation
    if (operation === undefined || isFinished(activity) || decoded === undefined) return E.right(live)
    if (!operation.inspects(decoded)) return E.right(live)
    return withInspected(live, await ports.inspect(organizationId, operation, decoded))
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
      const folded = foldRecorded(ports.catalogue, recorded.right)
      if (E.isLeft(folded) || folded.right === undefined) return folded
      const live = await inspectedOf(cell, folded.right)
      const meanwhile = peek(cell, activityId)
      if (meanwhile !== undefined) return E.right(meanwhile)
      if (E.isRight(live) && !cell.isDropped) keep(cell, live.right)
      return live
    },
    keep,
    passOn: (from, to, activities) => {
      owners.set(to, ownerOf(from))
      owners.delete(from) // whoever still looks at it has to look into the store
      for (const activityId of activities) {
        const key = keyIn(to, activityId)
        known.set(key, true)
        open.delete(key)
        finished.delete(key)
      }
    },
    forget: (organizationId) => {
      for (const kept of [open, finished])
        for (const { activity } of [...kept.values()])
          if (activity.organizationId === organizationId) kept.delete(activityKey(activity))
    },
  }
}

/** How many times its weight an activity counts with what `inspect` found out. */
const INSPECTED_WEIGHT = 4

const ENTRY_BYTES = 1_024
const VOTE_BYTES = 1_024
const EVALUATION_BYTES = 128
const PART_BYTES = 256

/** About how many bytes an activity takes. */
export const weightOf = ({ activity, requests }: Pick<LiveActivity, 'activity' | 'requests'>): number => {
  let bytes = ENTRY_BYTES + lengthOf(activity.result) + lengthOf(activity.failure)
  for (const { decision } of activity.votes)
    bytes += VOTE_BYTES + decision.verdict.evaluations.length * EVALUATION_BYTES
  for (const { body, stamp } of requests.values()) bytes += body.length + stamp.length
  const { parts = noParts } = activity
  return bytes + parts.size * PART_BYTES + partsLength(parts)
}

const lengthOf = (json: Json | Failure | undefined): number => (json === undefined ? 0 : JSON.stringify(json).length)

/** Folds the stream of an activity, with its requests. */
export const foldRecorded = (
  catalogue: Catalogue,
  recorded: readonly Recorded[],
): E.Either<Failure, LiveActivity | undefined> => {
  let activity: Activity | undefined
  const requests = new Map<string, StampedRequest>()
  for (const { line, parts } of recorded) {
    const event = decodeEvent(line)
    if (E.isLeft(event)) return event
    activity = evolve(activity, event.right, partsOf(event.right, parts))
    const part = parts.find(({ name }) => name === REQUEST)
    const request = part === undefined ? undefined : decodeRequestPart(part.bytes)
    if (request !== undefined && E.isRight(request)) requests.set(event.right.id, request.right)
  }
  return E.right(activity === undefined ? undefined : liveOf(catalogue, { activity, requests }))
}

/** Decodes the intent when it is needed, and once. A large request takes more memory when it is parsed than as bytes. */
const liveOf = (
  catalogue: Catalogue,
  { activity, requests }: Pick<LiveActivity, 'activity' | 'requests'>,
): LiveActivity => {
  let read: { readonly decoded: DecodedIntent | undefined } | undefined
  return {
    activity,
    requests,
    get decoded() {
      read ??= { decoded: decodedOf(catalogue, activity, requests) }
      return read.decoded
    },
  }
}

/** The intent, decoded from the bytes that the requester stamped. */
const decodedOf = (
  catalogue: Catalogue,
  activity: Activity,
  requests: ReadonlyMap<string, StampedRequest>,
): DecodedIntent | undefined => {
  const first = activity.votes[0]
  const request = first === undefined ? undefined : requests.get(first.id)
  const found = catalogue.byType(activity.type)
  return request === undefined || found === undefined ? undefined : decodedIn(found.version, request.body)
}
