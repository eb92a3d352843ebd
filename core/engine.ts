import type { Activity } from './activity/activity.ts'
import type { Catalogue } from './operations/catalogue.ts'
import type { Limits } from './operations/limits.ts'
import type { Operation } from './operations/operation.ts'
import type { Failure, Json } from './failure.ts'
import type { Organization } from './organization/organization.ts'
import type { Parked } from './projection/parking.ts'
import type { Projection } from './projection/projection.ts'
import type { Replayed, ReplayedRows, ReplayOptions } from './projection/replay.ts'
import type { Clock } from './ports/clock.ts'
import type { Ids } from './ports/ids.ts'
import type { TellNotice } from './ports/notice.ts'
import type { Signatures } from './ports/signatures.ts'
import type { Storage } from './ports/storage.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { Turns } from './ports/turns.ts'
import type { TE } from './prelude.ts'
import type { ActivityView } from './query/activity-view.ts'
import type { Query, Timestamps } from './query/query.ts'
import type { Request } from './request.ts'

/** What an engine is made of. The package's entry for Node fills in signatures, clock and ids. */
export type EngineOptions = {
  /** The store of the logs, with its read models. The engine closes it when it closes. */
  readonly store: Storage
  /** Verifies stamps, and hashes. On Node: `nodeSignatures()`. */
  readonly signatures: Signatures
  /** Who goes on next where many share the thread of the process. On Node: `eventLoopTurns()`. Without it nobody waits. */
  readonly turns?: Turns
  /** The time of day. On Node: `systemClock()`. */
  readonly clock: Clock
  /** Where randomness comes from. On Node: `nodeIds()`. */
  readonly ids: Ids
  /** What can be submitted: `publicApi`, a part of it, a host's own. On Node: `publicApi`. */
  readonly operations: readonly Operation[]
  /** What can be asked; the public queries where it is left out. */
  readonly queries?: readonly Query[]
  /**
   * Whether the files of the store are a copy of another installation's. Then effects that are started in it wait as imported
   * ones do. An import says so by itself. Default: false.
   */
  readonly storeIsCopy?: boolean
  /** Read models of the host. */
  readonly projections?: readonly Projection[]
  /** How many resources an organization may have; what is left out keeps its default. */
  readonly limits?: Partial<Limits>
  /** How many organizations are kept in memory; default 5,000. */
  readonly organizationsMax?: number
  /** How many events an organization's log grows by until the next snapshot of it is written; default 1,000. */
  readonly snapshotEvery?: number
  /** How many submits are decided at once; others wait, and organizations take turns. Default 64. */
  readonly commandsAtOnce?: number
  /**
   * How many activities of an organization may wait for approvals; the next that would wait is refused with
   * `RESOURCE_EXHAUSTED`. Default 10,000.
   */
  readonly waitingActivitiesMax?: number
  /**
   * Whether a query has to carry a fresh `timestampMs`, as a submit does. Clients of the public API send none, so a stamp on a
   * query is good for as long as its key. Default false.
   */
  readonly queriesMustBeFresh?: boolean
  /** How much work of operations (`perform`) runs at once; the rest waits, and organizations take turns. Default 256. */
  readonly effectsAtOnce?: number
  /** How much of that is of one organization; default 32. */
  readonly effectsAtOncePerOrganization?: number
  /** How long a submit waits for work with effects outside before it answers PENDING; default 5,000 ms. */
  readonly waitForEffectsMs?: number
  /**
   * How many submits of one organization wait for work at once; default 128. The next are answered at once: with PENDING where
   * the work has effects outside, and with `RATE_LIMIT_EXCEEDED` where it has none.
   */
  readonly waitForEffectsMax?: number
  /** How long `close` waits for work and queries that do not end; then it leaves them behind. Default 5,000 ms. */
  readonly closeWithinMs?: number
  /** Told what the engine does, in spans and numbers. Without it nothing is measured. */
  readonly telemetry?: Telemetry
  /** Told of what an operator should know; never of secrets. */
  readonly onNotice?: TellNotice
  /**
   * A mistake on purpose, for the tests of the crash harness and nobody else: answers leave before what they rest on is
   * durable.
   *
   * @internal
   */
  readonly answersFromPendingState?: boolean
}

export type { Notice } from './ports/notice.ts'

/** What can be said about a command besides its request. */
export type CommandOptions = {
  /** Stops waiting. What was committed by then stays: the same request, sent again, meets it. */
  readonly signal?: AbortSignal
}

/** An activity whose effects outside another installation had started. */
export type ImportedEffect = { readonly organizationId: string; readonly activityId: string }

/** A projection that runs beside those that the engine was made with. */
export type Subscription = {
  /** How far its rows are. */
  readonly checkpoint: () => bigint
  /** Finishes the batch under way. The rows and the checkpoint stay. */
  readonly close: () => Promise<void>
}

export type Engine = {
  readonly catalogue: Catalogue
  readonly queries: readonly Query[]
  /**
   * Submits an activity, or votes on one: `path` is the last segment of the route, e.g. `create_users` or
   * `approve_activity`. The answer leaves when all that it was decided on is durable.
   *
   * @returns the activity as the caller may see it. An activity denied by policy is a failure (`REQUEST_NOT_AUTHORIZED`)
   *   and is stored all the same.
   */
  readonly submit: (path: string, request: Request, options?: CommandOptions) => TE.TaskEither<Failure, ActivityView>
  /** Asks a query; `path` is the last segment of the route. `timestamps` says how an activity's times are written. */
  readonly query: (
    path: string,
    request: Request,
    timestamps: Timestamps,
    options?: CommandOptions,
  ) => TE.TaskEither<Failure, { readonly [member: string]: Json }>
  /** Begins an organization: `request` is a create-organization activity, stamped by a root key that it registers. */
  readonly createOrganization: (
    request: Request,
  ) => TE.TaskEither<Failure, { readonly activity: ActivityView; readonly genesisHash: string }>
  /** Whether any organization exists, and the first by id. */
  readonly firstOrganization: () => TE.TaskEither<Failure, string | undefined>
  /** What a projection's rows were at a moment: its reducer over the log, in memory, beside the stored rows. */
  readonly replay: (projection: Projection, options?: ReplayOptions) => TE.TaskEither<Failure, Replayed<ReplayedRows>>
  /** An organization as it was at a moment. */
  readonly replayOrganization: (
    organizationId: string,
    options?: ReplayOptions,
  ) => TE.TaskEither<Failure, Replayed<Organization>>
  /** An activity as it was at a moment; `undefined` before it was created. */
  readonly replayActivity: (
    organizationId: string,
    activityId: string,
    options?: ReplayOptions,
  ) => TE.TaskEither<Failure, Replayed<Activity | undefined>>
  /** Runs a projection from its checkpoint on, until the subscription or the engine is closed. */
  readonly subscribe: (projection: Projection) => TE.TaskEither<Failure, Subscription>
  /** The organizations on whose events a projection threw: they are held back, in order, while others go on. */
  readonly parked: (projection: string) => TE.TaskEither<Failure, readonly Parked[]>
  /** Tries again what is parked, as after a release that mends the projection; gives what still is. */
  readonly retryParked: (projection: string) => TE.TaskEither<Failure, readonly Parked[]>
  /** Resolves when the projection has passed the position. `ABORTED` when the signal says so first. */
  readonly whenProcessed: (position: bigint, projection: string, signal?: AbortSignal) => TE.TaskEither<Failure, void>
  /** The position of the last event of the store. */
  readonly lastPosition: () => TE.TaskEither<Failure, bigint>
  /**
   * Effects outside that another installation had started when the log was imported, and that have no end. Whether they were
   * done is not known here, and a service may have forgotten their keys: nothing is done about them until somebody says so.
   */
  readonly importedEffects: () => TE.TaskEither<Failure, readonly ImportedEffect[]>
  /**
   * Takes up one of them, or all: as if this installation had started them, with another attempt, or with their failure where
   * they must not be repeated. Gives how many they are. Where it is said of all, later starts take up what is left.
   */
  readonly resumeImported: (which?: ImportedEffect) => TE.TaskEither<Failure, number>
  /** Lets one of them fail with `INTERRUPTED`, or all. Gives how many failed. */
  readonly failImported: (which?: ImportedEffect) => TE.TaskEither<Failure, number>
  /** Whether commands can be taken now: the store answers, and projections are not stuck. */
  readonly isReady: () => TE.TaskEither<Failure, void>
  /** Finishes what was begun, writes snapshots, closes the store. Commands that arrive later fail with `UNAVAILABLE`. */
  readonly close: () => Promise<void>
}
