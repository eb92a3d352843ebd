import { evolve, type Activity } from '../../../core/activity/activity.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { decodeEvent, GENESIS_PREVIOUS, type Event } from '../../../core/log/event.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { checkStamp, directoryAfter, stagesBetween, type Directory, type DirectoryStage } from './directory.ts'
import type { Violation } from './journal.ts'
import { simulatedSignatures } from './simulated-signatures.ts'

/** The log as it stands: folded anew each time, by nothing that the engine keeps. */
export type Truth = {
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
}

type Known = {
  readonly events: Event[]
  readonly positions: bigint[]
  readonly activities: Map<string, Activity>
  readonly stages: Map<string, { readonly sequence: bigint; readonly activity: Activity }[]>
  readonly directories: DirectoryStage[]
  previous: string
}

/** Folded as far as somebody has looked: a log only grows, unless its disk is replaced. */
const truths = new WeakMap<Storage, Known>()

const nothing = (): Known => ({
  events: [],
  positions: [],
  activities: new Map(),
  stages: new Map(),
  directories: [{ sequence: 0n, directory: [] }],
  previous: GENESIS_PREVIOUS,
})

export const truthOf = async (storage: Storage, violate: (violation: Violation) => void): Promise<Truth> => {
  const known = truths.get(storage) ?? nothing()
  truths.set(storage, known)
  const recorded = await storage.store.readAll(known.positions.at(-1) ?? 0n, Number.MAX_SAFE_INTEGER)()
  for (const one of E.isRight(recorded) ? recorded.right : []) {
    const { line, sequence } = one
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
  }
  return {
    events: known.events,
    positions: known.positions,
    activities: known.activities,
    head: BigInt(known.events.length),
    activityAt: (activityId, head) =>
      known.stages.get(activityId)?.findLast(({ sequence }) => sequence <= head)?.activity,
    directoryAt: (head) => known.directories.findLast(({ sequence }) => sequence <= head)?.directory ?? [],
    directoriesBetween: (from, to) => stagesBetween(known.directories, from, to),
  }
}

const take = (known: Known, event: Event, recorded: Recorded, violate: (violation: Violation) => void): void => {
  known.events.push(event)
  known.positions.push(recorded.position)
  register(known, event, recorded, violate)
  const { activity: id, sequence } = event
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
