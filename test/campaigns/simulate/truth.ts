import { evolve, type Activity } from '../../../core/activity/activity.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { decodeEvent, GENESIS_PREVIOUS, type Event } from '../../../core/log/event.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { checkStamp, directoryAfter, stagesBetween, type Directory, type DirectoryStage } from './directory.ts'
import { deleteSubOrganization } from '../../../core/resources/sub-organization/delete-sub-organization.ts'
import type { Violation } from './journal.ts'
import { ORGANIZATION } from './processes.ts'
import { simulatedSignatures } from './simulated-signatures.ts'

/** The log of an organization as it stands: folded anew each time, by nothing that the engine keeps. */
export type Truth = {
  readonly organization: string
  readonly events: readonly Event[]
  /** Of each event. */
  readonly positions: readonly bigint[]
  readonly activities: ReadonlyMap<string, Activity>
  readonly head: bigint
  /** An activity as it was when the log ended there. */
  readonly activityAt: (activityId: string, head: bigint) => Activity | undefined
  /** What was registered when the log ended there. */
  readonly directoryAt: (head: bigint) => Directory
  /** What was registered at each moment between these two. */
  readonly directoriesBetween: (from: bigint, to: bigint) => readonly Directory[]
  /** Whether the organization has ended. */
  readonly hasEnded: boolean
  /** The other organizations of the store. */
  readonly others: () => readonly Truth[]
}

/** What is known of a store: each log, and the position up to which somebody has looked. */
type KnownStore = { readonly logs: Map<string, Known>; last: bigint }

type Known = {
  readonly events: Event[]
  readonly positions: bigint[]
  readonly activities: Map<string, Activity>
  readonly stages: Map<string, { readonly sequence: bigint; readonly activity: Activity }[]>
  readonly directories: DirectoryStage[]
  previous: string
  hasEnded: boolean
}

/** Folded as far as somebody has looked: a log only grows, unless its disk is replaced. */
const truths = new WeakMap<Storage, KnownStore>()

const nothing = (): Known => ({
  events: [],
  positions: [],
  activities: new Map(),
  stages: new Map(),
  directories: [{ sequence: 0n, directory: [] }],
  previous: GENESIS_PREVIOUS,
  hasEnded: false,
})

export const truthOf = async (
  storage: Storage,
  violate: (violation: Violation) => void,
  organization: string = ORGANIZATION,
): Promise<Truth> => {
  const store: KnownStore = truths.get(storage) ?? { logs: new Map(), last: 0n }
  truths.set(storage, store)
  const recorded = await storage.store.readAll(store.last, Number.MAX_SAFE_INTEGER)()
  for (const one of E.isRight(recorded) ? recorded.right : []) {
    const { line, sequence } = one
    const known = store.logs.get(one.organization) ?? nothing()
    store.logs.set(one.organization, known)
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
    take(known, event.right, one, violate)
    known.previous = hashOf(simulatedSignatures, line)
    store.last = one.position
  }
  return truthIn(store, organization)
}

const truthIn = (store: KnownStore, organization: string): Truth => {
  const known = store.logs.get(organization) ?? nothing()
  return {
    organization,
    events: known.events,
    positions: known.positions,
    activities: known.activities,
    head: BigInt(known.events.length),
    activityAt: (activityId, head) =>
      known.stages.get(activityId)?.findLast(({ sequence }) => sequence <= head)?.activity,
    directoryAt: (head) => known.directories.findLast(({ sequence }) => sequence <= head)?.directory ?? [],
    directoriesBetween: (from, to) => stagesBetween(known.directories, from, to),
    hasEnded: known.hasEnded,
    others: () => [...store.logs.keys()].filter((one) => one !== organization).map((one) => truthIn(store, one)),
  }
}

const take = (known: Known, event: Event, recorded: Recorded, violate: (violation: Violation) => void): void => {
  known.events.push(event)
  known.positions.push(recorded.position)
  register(known, event, recorded, violate)
  const { activity: id, sequence } = event
  if (event.type === 'ActivityCompleted' && event.data.type === deleteSubOrganization.type) known.hasEnded = true
  try {
    const activity = evolve(known.activities.get(id), event)
    known.activities.set(id, activity)
    known.stages.set(id, [...(known.stages.get(id) ?? []), { sequence, activity }])
  } catch {
    violate({ promise: 'streams begin with ActivityCreated', detail: id })
  }
}

const register = (
  { directories }: Known,
  event: Event,
  recorded: Recorded,
  violate: (violation: Violation) => void,
): void => {
  const before = directories.at(-1)?.directory ?? []
  if (event.sequence > 1n) checkStamp(before, event, recorded, violate) // the first registers the key that stamps it
  const directory = directoryAfter(before, event, violate)
  if (directory !== before) directories.push({ sequence: event.sequence, directory })
}
