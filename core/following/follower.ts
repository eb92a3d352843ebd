import type { Failure } from '../failure.ts'
import type { Held, Leasing } from '../leasing/leasing.ts'
import type { EventType } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import type { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Positioned } from './feed.ts'
import type { OwnCommits } from './own-commits.ts'
import type { Handle } from './handle.ts'
import type { OnParked, Parked } from './parked-organizations.ts'
import type { Kept } from './progress.ts'

/** Follows the log: takes each durable event, in the order of the store. Its checkpoint says how far it is. */
export type Follower = {
  readonly name: string
  /** The position up to which it has taken events. */
  readonly checkpoint: () => bigint
  /** How many positions are known to be durable and are not taken yet. */
  readonly lag: () => number
  /** Gives it events that just became durable, in order, so that it need not read them from the store. */
  readonly offer: (events: readonly Positioned[]) => void
  /** Resolves when all events up to the position are taken, and their rows are stored. */
  readonly passed: (position: bigint, signal?: AbortSignal) => Promise<E.Either<Failure, void>>
  /** The last failure, while it cannot go on. It keeps trying. */
  readonly stuck: () => Failure | undefined
  /** The parked organizations: it threw on one of their events, so their events are held back while others go on. */
  readonly parked: () => readonly Parked[]
  /** How many there are. */
  readonly parkedCount: () => number
  /** Whether an organization is parked. If so, it also checks whether another process has released the organization meanwhile. */
  readonly holds: (organization: string) => boolean
  /** Tries parked events again; gives the organizations that are still parked. */
  readonly retryParked: () => Promise<E.Either<Failure, readonly Parked[]>>
  /** Goes on from where the rows are right, or builds them again, because the store has lost events. It keeps trying. */
  readonly startOver: () => Promise<void>
  /** Changes rows between batches, and leaves the checkpoint where it is. */
  readonly write: (changes: readonly RowChange[]) => Promise<E.Either<Failure, void>>
  /** The lease under which it runs here; `undefined` where it runs elsewhere. */
  readonly held: () => Held | undefined
  /** Finishes the present batch. Aborts the signal of its work, and waits at most `closeWithinMs`. */
  readonly close: () => Promise<void>
}

/** One of those that follow the log for as long as an engine runs. */
export type FollowsLog = {
  /** The store has lost events: goes on from where what it has is right. */
  readonly startOver?: () => Promise<void>
  /** The failure, while it cannot go on, and commands should not be taken. */
  readonly stuck?: () => Failure | undefined
  readonly close: () => Promise<void>
}

export type FollowPorts = {
  readonly storage: Storage
  readonly clock: Clock
  /** Commits of this process. Without this, use `offer`; otherwise they are read when the store reports other events. */
  readonly commits?: Pick<OwnCommits, 'listen'> | undefined
  readonly onParked?: OnParked | undefined
  /** Tells of a bug: a batch threw, and is tried again. */
  readonly tell?: TellThrown | undefined
  /** Where several processes may run a follower with a checkpoint, one of them does, under a lease. Default: every process does. */
  readonly leasing?: Pick<Leasing, 'hold' | 'askAgainMs'> | undefined
  /** How long `close` waits for work that does not end; default 5,000 ms. */
  readonly closeWithinMs?: number | undefined
}

export type FollowerOptions = {
  /** The position behind which it begins. If a checkpoint is stored, it begins there instead. Default: 0, before the first event. */
  readonly after?: bigint
  /** Only events of these types; default: all. */
  readonly types?: readonly EventType[]
  /** Whether to read the parts of the events, too; default: true. */
  readonly parts?: boolean
  readonly handle: Handle
  /**
   * Whether the checkpoint is stored, in one transaction with the rows of `handle`. Otherwise the checkpoint is kept only in memory,
   * and rows are not kept. Default: true.
   */
  readonly isDurable?: boolean
  /** For rows that cannot be made again of the log. In place of `after`. */
  readonly kept?: Kept
  /** Called when it runs here from now on, and when changes of `handle` were stored here. */
  readonly onStored?: () => void
  /**
   * Called when rows may differ from what `handle` has seen and returned: its changes were not stored, or others have changed rows. What it
   * keeps of rows in memory is to be read again.
   */
  readonly onStale?: () => void
  /** Called when it has found that the store lost events, and goes on from where the store stands. */
  readonly onRewound?: () => void
}
