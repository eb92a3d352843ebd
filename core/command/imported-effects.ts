import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { failure, type Failure } from '../failure.ts'
import { IMPORT_UNFINISHED, type EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { ActivityName } from './attempt-turns.ts'

/**
 * Effects that another installation had started when the log was imported. A service outside may have forgotten their keys: they
 * wait until somebody says what becomes of them.
 */
export type ImportedEffects = {
  /** The position up to which starts are another installation's. */
  readonly position: () => bigint
  /** Whether those of an activity were started there, and wait. */
  readonly areHeld: (activity: ActivityName) => Promise<E.Either<Failure, boolean>>
  /** Holds one of them no longer, as long as this process lives: its next start is this installation's own. */
  readonly release: (activity: ActivityName) => void
  /** Holds none of them any more, durably. */
  readonly releaseAll: () => Promise<E.Either<Failure, void>>
}

type Ports = { readonly store: Pick<EventStore, 'importedTo' | 'setImportedTo' | 'lastPosition' | 'readActivity'> }

/**
 * @param isCopy  the files of the store are a copy of another installation's: all that it holds now counts as imported
 * @returns `STORE_UNREADABLE` where an import did not finish
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
  return E.right({
    position: () => position,
    areHeld: async ({ organizationId, activityId }) => {
      if (position === 0n || released.has(activityKey({ organizationId, activityId }))) return E.right(false)
      const recorded = await store.readActivity(organizationId, activityId)()
      if (E.isLeft(recorded)) return recorded
      // Of an activity that was started and has no end, the start is the last event.
      const last = recorded.right[recorded.right.length - 1]
      return E.right(last !== undefined && last.position <= position)
    },
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
  'an import into this store did not finish: throw the store away, and import into a new one',
)
