import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { failure, type Failure } from '../failure.ts'
import { IMPORT_UNFINISHED, type EventStore, type Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { ActivityName } from './attempt-turns.ts'

/**
 * Effects that another installation had started before the log was imported. A service outside may have forgotten their idempotency
 * keys, so they wait until an operator decides about them.
 */
export type ImportedEffects = {
  /** The position up to which starts are another installation's. */
  readonly position: () => bigint
  /** Whether the effects of an activity that is not finished were started there. */
  readonly areTheirs: (activity: ActivityName) => Promise<E.Either<Failure, boolean>>
  /** Whether they were started there and wait. */
  readonly areHeld: (activity: ActivityName) => Promise<E.Either<Failure, boolean>>
  /** Releases one of them, until this process ends. Its next start belongs to this installation. */
  readonly release: (activity: ActivityName) => void
  /** Releases all of them for good: this is durable. */
  readonly releaseAll: () => Promise<E.Either<Failure, void>>
}

type Ports = { readonly store: Pick<EventStore, 'importedTo' | 'setImportedTo' | 'lastPosition' | 'readActivity'> }

/**
 * @param isCopy  whether the files of the store are a copy of another installation's: then all its events count as imported
 * @returns `STORE_UNREADABLE` if an import did not finish
 */
export const importedEffects = async (
  { store }: Ports,
  isCopy: boolean,
): Promise<E.Either<Failure, ImportedEffects>> => {
  const found = await store.importedTo()()
  if (E.isLeft(found)) return found
  if (found.right === IMPORT_UNFINISHED) return E.left(unfinished)
  const marked = isCopy ? await markAll(store) : found
  if (E.isLeft(marked)) return marked
  let position = marked.right
  const released = new Set<ActivityKey>()
  const areTheirs: ImportedEffects['areTheirs'] = async ({ organizationId, activityId }) => {
    if (position === 0n) return E.right(false)
    const recorded = await store.readActivity(organizationId, activityId)()
    // If an activity was started and has no end, its start is its last event.
    return E.map((events: readonly Recorded[]) => {
      const last = events[events.length - 1]
      return last !== undefined && last.position <= position
    })(recorded)
  }
  return E.right({
    position: () => position,
    areTheirs,
    areHeld: (activity) =>
      released.has(activityKey(activity)) ? Promise.resolve(E.right(false)) : areTheirs(activity),
    release: (activity) => void released.add(activityKey(activity)),
    releaseAll: async () => {
      const lifted = await store.setImportedTo(0n)()
      if (E.isRight(lifted)) position = 0n
      return lifted
    },
  })
}

const markAll = async (store: Ports['store']): Promise<E.Either<Failure, bigint>> => {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) return last
  return E.map(() => last.right)(await store.setImportedTo(last.right)())
}

const unfinished = failure(
  'STORE_UNREADABLE',
  'an import or a copy into this store did not finish: repeat the command, which finishes it; or throw the store away, and use a new one',
)
