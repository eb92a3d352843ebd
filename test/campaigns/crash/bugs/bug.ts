import type { LogClient } from '../../../../adapters/store-eventstoredb/log-client.ts'
import type { OptionsWithBug } from '../../../../core/engine.ts'
import type { Storage } from '../../../../core/ports/storage.ts'

/**
 * Mistakes that an engine or a store could make, each by name: the harness has to find every one of them, or it would not
 * find a real one.
 */
export type Bug = {
  /** A store that makes the mistake. */
  readonly storage: (storage: Storage) => Promise<Storage>
  /** Options that make the engine make it. */
  readonly engine: Pick<OptionsWithBug, 'answersFromPendingState'>
  /** What stands between a store and its EventStoreDB, and makes the mistake. */
  readonly logClient?: (client: LogClient) => LogClient
}

export const BUGS = [
  'answer-before-commit',
  'answer-from-pending-state',
  'no-fsync',
  'half-group',
  'checkpoint-ahead',
  'conflict-not-decided-anew',
] as const
/** Those that show where several servers are on one PostgreSQL. */
export const BUGS_OF_SEVERAL = ['commit-not-awaited', 'reads-not-fresh'] as const
/** Those that show where several servers have one log on EventStoreDB. */
export const BUGS_ON_EVENTSTOREDB = ['append-not-awaited', 'part-not-awaited', 'reads-not-fresh'] as const
export type BugName = (typeof BUGS)[number] | (typeof BUGS_OF_SEVERAL)[number] | (typeof BUGS_ON_EVENTSTOREDB)[number]

/** How many engines it takes to see the mistake: one of them shows when somebody else writes to the same log. */
export const enginesFor = (name: BugName): 1 | 2 => (name === 'conflict-not-decided-anew' ? 2 : 1)

export const bugOf = async (name: BugName | undefined): Promise<Bug> => {
  switch (name) {
    case undefined:
      return none
    case 'answer-from-pending-state':
      return { ...none, engine: { answersFromPendingState: true } }
    case 'answer-before-commit':
      return inStore((await import('./answer-before-commit.ts')).answeringBeforeCommit)
    case 'no-fsync':
      return inStore((await import('./no-fsync.ts')).withoutFsync)
    case 'half-group':
      return inStore((await import('./half-group.ts')).inHalves)
    case 'checkpoint-ahead':
      return inStore((await import('./checkpoint-ahead.ts')).withCheckpointAhead)
    case 'conflict-not-decided-anew':
      return inStore((await import('./conflict-not-decided-anew.ts')).neverDecidingAnew)
    case 'commit-not-awaited':
      return inDriver((await import('./lying-driver.ts')).commitNotAwaited)
    case 'append-not-awaited':
      return { ...none, logClient: (await import('./lying-log.ts')).appendNotAwaited }
    case 'part-not-awaited':
      return { ...none, logClient: (await import('./lying-log.ts')).partNotAwaited }
    case 'reads-not-fresh':
      return inStore((await import('./reads-not-fresh.ts')).readsNotFresh)
    default:
      return name satisfies never
  }
}

const none: Bug = { storage: async (storage) => storage, engine: {} }

/** The driver of the database makes the mistake, for everything that is opened later. */
const inDriver = (lie: () => void): Bug => {
  lie()
  return none
}

const inStore = (storage: (storage: Storage) => Storage | Promise<Storage>): Bug => ({
  ...none,
  storage: async (sound) => storage(sound),
})
