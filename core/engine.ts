import type { Activity } from './activity/activity.ts'
import type { Catalogue } from './definition/catalogue.ts'
import type { Limits } from './definition/limits.ts'
import type { Services } from './definition/port.ts'
import type { Resource } from './definition/resource.ts'
import type { Failure, Json } from './failure.ts'
import type { Organization } from './organization/state.ts'
import type { Positioned } from './following/feed.ts'
import type { FollowOptions } from './following/iterate.ts'
import type { Parked } from './following/parked-organizations.ts'
import type { Projection } from './definition/projection.ts'
import type { Replayed, ReplayedRows, ReplayOptions } from './projection/replay.ts'
import type { Clock } from './ports/clock.ts'
import type { Ids } from './ports/ids.ts'
import type { TellNotice } from './ports/notice.ts'
import type { Outgoing } from './ports/outgoing.ts'
import type { Attestations } from './ports/attestations.ts'
import type { Signatures } from './ports/signatures.ts'
import type { Storage } from './ports/storage.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { TimeZones } from './ports/time-zones.ts'
import type { Turns } from './ports/turns.ts'
import type { TE } from './prelude.ts'
import type { DeploymentKey } from './resources/deployment-key/deployment-keys.ts'
import type { WebhookKey } from './resources/deployment-key/webhook-keys.ts'
import type { ActivityView, SubmittedView } from './view/activity-view.ts'
import type { Query } from './definition/query.ts'
import type { Request } from './request.ts'

/** The options of `createEngine`. The package's entry for Node has defaults for signatures, clock, ids and turns. */
export type EngineOptions = {
  /** The store of the logs, with its read models. The engine closes it when it closes. */
  readonly store: Storage
  /** Verifies stamps, and hashes. On Node: `nodeSignatures()`. */
  readonly signatures: Signatures
  /** Checks what authenticators say of new passkeys. On Node: `nodeAttestations()`. Without it no passkeys can be registered. */
  readonly attestations?: Attestations
  /**
   * The time zones of policies about times of day. On Node: `intlTimeZones()`. Without it, policies can ask for times of UTC alone. All
   * processes on one store need the same version of their data.
   */
  readonly timeZones?: TimeZones
  /** Decides which organization uses the thread of the process next. On Node: `eventLoopTurns()`. Without it nobody waits. */
  readonly turns?: Turns
  /** The time of day. On Node: `systemClock()`. */
  readonly clock: Clock
  /** The source of randomness. On Node: `nodeIds()`. */
  readonly ids: Ids
  /** The resources of the engine: `publicApi`, a part of it, and the host's own. On Node: `publicApi`. */
  readonly resources: readonly Resource[]
  /**
   * The services behind the ports of operations, by name. The resources determine the type of this option. If a service is missing,
   * the engine does not start. Exception: operations with `whenMissing: 'unsupported'` are then refused with `UNSUPPORTED`.
   * The public API has `mailer`, `sms` and `sandboxContacts`: without them, nothing is sent; and `oauth2`, which asks providers of OAuth2.
   */
  readonly ports?: Services | undefined
  /**
   * Whether the files of the store are a copy of another installation's files. Then effects that are started in it wait like imported
   * effects. After an import this option is not needed. Default: false.
   */
  readonly storeIsCopy?: boolean
  /** Tells endpoints what happens. On Node: `webhooks()` of `countersign/webhooks`. Without it, nobody is told. */
  readonly webhooks?: Telling | undefined
  /**
   * The URL at which the world finds this server, such as `https://id.example.com`: the issuer of its identity tokens, to the byte. Without it,
   * `oauth2_authenticate` is refused.
   */
  readonly publicUrl?: string | undefined
  /** How many things of each kind an organization may have. A missing limit keeps its default. */
  readonly limits?: Limits
  /**
   * How many activities of an organization may wait for approvals; the next that would wait is refused with
   * `RESOURCE_EXHAUSTED`. Default 10,000.
   */
  readonly waitingActivitiesMax?: number
  /**
   * How many denied activities of one user an organization stores per day (UTC, by the time of the log); the next one is refused with
   * `RESOURCE_EXHAUSTED`, and nothing is stored. Default 1,000.
   */
  readonly denialsPerDayMax?: number
  /**
   * Whether a query has to carry a fresh `timestampMs`, as a submit does. Clients of the public API send none; without a time, the stamp
   * of a query stays valid until its key is deleted or expires. Default false.
   */
  readonly queriesMustBeFresh?: boolean
  /**
   * How far the clock may be behind the log of an organization, in milliseconds, before its commands are refused with `UNAVAILABLE`: a log
   * gets ahead when a clock was wrong. Raise it only for a day on which somebody must go on. Default 300,000.
   */
  readonly clockLagMaxMs?: number
  /** Fairness, caches and waits. A missing member keeps its default. */
  readonly tuning?: Tuning
  /**
   * For tests and development: executes everything twice and compares. If an operation uses a clock, randomness or its own memory, the
   * caller gets `INTERNAL`, and a notice reports the operation. Default: false.
   */
  readonly executeTwice?: boolean
  /** Gets spans and metrics of the engine. Without it nothing is measured. */
  readonly telemetry?: Telemetry | undefined
  /** Gets notices that an operator should know; they contain no secrets. */
  readonly onNotice?: TellNotice
}

/** By what endpoints are told. */
export type Telling = { readonly outgoing: Pick<Outgoing, 'post' | 'close'> }

/**
 * The options with a bug on purpose, which only the tests of the crash harness set: answers leave before the events that they rest on are
 * durable.
 */
export type OptionsWithBug = EngineOptions & { readonly answersFromPendingState?: boolean }

/** What tunes an engine. */
export type Tuning = {
  /** How many organizations are kept in memory; default 5,000. */
  readonly organizationsMax?: number
  /** After how many new events of an organization the next snapshot is written; default 1,000. */
  readonly snapshotEvery?: number
  /** How many submits are decided at once; others wait, and organizations take turns. Default 64. */
  readonly commandsAtOnce?: number
  /** How many pieces of work (`perform`) run at once; the rest waits, and organizations take turns. Default 256. */
  readonly effectsAtOnce?: number
  /** How many of these are of one organization; default 32. */
  readonly effectsAtOncePerOrganization?: number
  /**
   * How long a lease lasts: if a process dies or stands still, so long others leave its work alone. A process that stands still for
   * nearly as long aborts its work when it goes on. Matters where the store has leases and several processes. Default 15,000 ms.
   */
  readonly leaseMs?: number
  /**
   * How long a submit waits for the first attempt of work with effects outside before it answers PENDING; default 5,000 ms. If this
   * attempt fails and another one follows, the submit answers PENDING at once.
   */
  readonly waitForEffectsMs?: number
  /**
   * How many submits of one organization wait for work at once; default 128. The next ones are answered at once: with PENDING if the
   * work has effects outside, and with `RATE_LIMIT_EXCEEDED` if it has none.
   */
  readonly waitForEffectsMax?: number
  /** How long the `inspect` of an operation may take before the request is refused with `UNAVAILABLE`; default 5,000 ms. */
  readonly inspectWithinMs?: number
  /** How many requests are inspected at once; others wait. One organization has at most a quarter of the places. Default 64. */
  readonly inspectionsAtOnce?: number
  /** How long `close` waits for work and queries to end; after that it no longer waits for them. Default 5,000 ms. */
  readonly closeWithinMs?: number
}

export type { Notice } from './ports/notice.ts'

/** Options of one command or query. */
export type CommandOptions = {
  /** Stops waiting. Events that are committed by then stay: the same request, sent again, gets their activity. */
  readonly signal?: AbortSignal
  /** The id of the request, for spans and notices that belong to it. It contains no data of the request. */
  readonly requestId?: string | undefined
}

/** Options of one submit. */
export type SubmitOptions = CommandOptions & {
  /**
   * For how long the submit may have to wait for its turn, in milliseconds. If it would have to wait longer, it is refused at once with
   * `RATE_LIMIT_EXCEEDED`, as a rule before its signature is verified. Then nothing of it is stored, and the same request can be sent
   * again. A caller whose submits wait already has half of this time. Without it, a submit waits for as long as it takes.
   */
  readonly waitForTurnMaxMs?: number
}

/** An activity whose effects outside another installation had started. */
export type ImportedEffect = { readonly organizationId: string; readonly activityId: string }

/** A projection that runs besides those of the engine's resources. */
export type Subscription = {
  /** The position up to which its rows are stored. */
  readonly checkpoint: () => bigint
  /** Finishes the present batch, and stops. The rows and the checkpoint stay. */
  readonly close: () => Promise<void>
}

export type Engine = {
  readonly catalogue: Catalogue
  readonly queries: readonly Query[]
  /**
   * Submits an activity, or votes on one: `path` is the last segment of the route, e.g. `create_users` or
   * `approve_activity`. The answer leaves when all events that it rests on are durable.
   *
   * @returns the activity as the wire shows it to the caller. If a policy denies the activity, this is a failure
   *   (`REQUEST_NOT_AUTHORIZED`), and the activity is stored all the same.
   */
  readonly submit: (path: string, request: Request, options?: SubmitOptions) => TE.TaskEither<Failure, SubmittedView>
  /** Asks a query; `path` is the last segment of the route. The answer is as the codec of the query says. */
  readonly query: (
    path: string,
    request: Request,
    options?: CommandOptions,
  ) => TE.TaskEither<Failure, { readonly [member: string]: Json }>
  /** Begins an organization: `request` is a create-organization activity, stamped by a root key that it registers. */
  readonly createOrganization: (
    request: Request,
  ) => TE.TaskEither<Failure, { readonly activity: ActivityView; readonly genesisHash: string }>
  /**
   * The organization that was begun first, if it has not ended; otherwise the first by id that has not. One below another one is never it.
   * `undefined` if there is none.
   */
  readonly firstOrganization: () => TE.TaskEither<Failure, string | undefined>
  /**
   * What is public of the keys of the deployment, such as the one that signs bundles; none without a keyring. Whoever wants to trust them pins
   * them.
   */
  readonly deploymentKeys: () => TE.TaskEither<Failure, readonly DeploymentKey[]>
  /** That of the options. */
  readonly publicUrl: string | undefined
  /** What is public of the keys that sign, or will soon, what endpoints are told; none without a keyring. */
  readonly webhookKeys: () => TE.TaskEither<Failure, readonly WebhookKey[]>
  /** A projection's rows at a moment. Runs its reducer over the log in memory, and does not use the stored rows. */
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
  /**
   * Gives durable events with their positions and parts, in the order of the store: first the existing events, then new ones of this and
   * of other processes. The next page is read when all events of the page before were taken, so a slow reader blocks nobody and
   * costs no memory. The iterable ends when the signal aborts or the engine closes. Leaving the loop stops it, too.
   *
   * The engine does not remember which events were taken. A host that goes on after a restart stores the last position together with
   * its result, and begins behind that position. Each loop over the same iterable begins again.
   *
   * @throws CountersignError (the loop throws it): the failure of the store if it cannot be read; `STORE_UNREADABLE` or
   *   `ORGANIZATION_CLOSED` if this version cannot read a selected event; `CONFIGURATION_INVALID` if `after` is behind the end of the
   *   store, or a type is unknown
   * @example for await (const { event, position } of engine.follow({ after: 'end', types: ['ActivityCompleted'] })) …
   */
  readonly follow: (options?: FollowOptions) => AsyncIterable<Positioned>
  /** Runs a projection from its checkpoint on, until the subscription or the engine is closed. */
  readonly subscribe: (projection: Projection) => TE.TaskEither<Failure, Subscription>
  /** The parked organizations of a projection: it threw on one of their events, so their events are held back while others go on. */
  readonly parked: (projection: string) => TE.TaskEither<Failure, readonly Parked[]>
  /** Tries parked events again, for example after a release that mends the projection; gives the organizations that are still parked. */
  readonly retryParked: (projection: string) => TE.TaskEither<Failure, readonly Parked[]>
  /** Resolves when the projection has passed the position. Fails with `ABORTED` if the signal aborts first. */
  readonly whenProcessed: (position: bigint, projection: string, signal?: AbortSignal) => TE.TaskEither<Failure, void>
  /** The position of the last event of the store. */
  readonly lastPosition: () => TE.TaskEither<Failure, bigint>
  /**
   * Effects outside that another installation started before the log was imported, and that are not concluded. This engine does not
   * know whether they were done, and a service may have forgotten their keys. So it leaves them alone until `resumeImported` or
   * `failImported` is called.
   */
  readonly importedEffects: () => TE.TaskEither<Failure, readonly ImportedEffect[]>
  /**
   * Takes up one imported effect, or all of them, as if this installation had started them: with another attempt, or with a failure if
   * they must not be repeated. Gives their number. After a call for all, later starts take up the remaining ones.
   */
  readonly resumeImported: (which?: ImportedEffect) => TE.TaskEither<Failure, number>
  /** Makes one imported effect fail with `INTERRUPTED`, or all of them. Gives the number of failed ones. */
  readonly failImported: (which?: ImportedEffect) => TE.TaskEither<Failure, number>
  /**
   * Fails if commands cannot be taken now: the store does not answer, it refused the last write, a projection is stuck, or the engine is
   * closing. After a refused write the engine asks the store every few seconds whether it takes writes again.
   */
  readonly isReady: () => TE.TaskEither<Failure, void>
  /** Finishes running commands, writes snapshots, closes the store. Commands that arrive later fail with `UNAVAILABLE`. */
  readonly close: () => Promise<void>
}
