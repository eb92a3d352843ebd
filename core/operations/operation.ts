import type * as t from 'io-ts'
import { decode } from '../codec.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { Draft, Organization } from '../organization/organization.ts'
import { E, TE } from '../prelude.ts'
import { hostOutcome, unawaited } from './host-outcome.ts'
import type { Limits } from './limits.ts'

/** What `execute` may look at. There is no clock, no randomness and no I/O: an auditor executes it again. */
export type ExecuteContext<P> = {
  readonly organization: Organization
  readonly activityId: string
  /** The user who submitted the activity. */
  readonly requester: string
  readonly atMs: number
  /** The next id for something that this activity creates. */
  readonly ids: () => string
  readonly limits: Limits
  /** What `perform` brought; `undefined` for an operation without. */
  readonly performed: P
}

export type Executed<R, C> = { readonly result: R; readonly change: C }

/** What `admit` may look at. */
export type AdmitContext = Pick<ExecuteContext<unknown>, 'organization' | 'atMs'>

/** What `evolve` may look at: replay gives it the same. */
export type EvolveContext = { readonly activityId: string; readonly atMs: number }

export type PerformContext = {
  readonly organization: Organization
  /** Also the key for the idempotency of effects: the same in every attempt. */
  readonly activityId: string
  readonly requester: string
  /** 1 for the first. */
  readonly attempt: number
  /** Aborted when the engine closes. */
  readonly signal: AbortSignal
}

/** Work that computes or waits, done outside the organization's turn. */
export type Perform<I, P> = {
  /**
   * Whether the work has effects outside. Then `ActivityStarted` is durable before it begins, and it happens at least
   * once, unless `whenInterrupted` is `fail`.
   */
  readonly outside: boolean
  /** After how long another attempt may begin when one was interrupted, or failed with `UNAVAILABLE`. */
  readonly resumeAfterMs: number
  /** Attempts in all; after the last the activity fails. */
  readonly attemptsMax: number
  /** What to do when the process died between start and conclusion. */
  readonly whenInterrupted: 'retry' | 'fail'
  /** What the work brings; it becomes part of the log. Never a secret. */
  readonly performed: t.Type<P, unknown, unknown>
  /** The work. `UNAVAILABLE` is tried again, any other failure is the activity's end. */
  readonly run: (intent: I, context: PerformContext) => TE.TaskEither<Failure, P>
}

/** An older or newer form of an operation on the wire: it translates on the way in and out; replay never sees it. */
export type VersionSpec<I, R> = {
  /** Of the wire, with its version suffix. */
  readonly type: string
  /** What the intent looks like, for the reference; with `decodeIntent` what `decodes` gives. */
  readonly codec?: t.Mixed
  /** The member of `activity.intent`; derived from path and type where it is left out. */
  readonly intentName?: string
  readonly resultName?: string
  readonly decodeIntent: (parameters: unknown) => E.Either<Failure, { readonly echo: Json; readonly intent: I }>
  readonly encodeResult?: (result: R) => Json
}

export type OperationSpec<I, R, C, P> = {
  /** `ACTIVITY_TYPE_…`, with the version suffix of its newest form. */
  readonly type: string
  /** The route's last segment. */
  readonly path: string
  /** One sentence for the reference. */
  readonly summary: string
  /** `activity.resource` of the policy language; without it only the root quorum may allow the operation. */
  readonly resource?: string
  readonly action?: string
  readonly resultName?: string
  readonly intent: t.Type<I, unknown, unknown>
  readonly result: t.Type<R, unknown, unknown>
  readonly change: t.Type<C, unknown, unknown>
  readonly versions?: readonly VersionSpec<NoInfer<I>, NoInfer<R>>[]
  /** The fields of `activity.params` that policies may use. */
  readonly params?: (intent: I) => { readonly [field: string]: Json }
  /** Whether the request manages its requester's own credentials: allowed unless a policy says otherwise. */
  readonly isOwnCredentials?: (intent: I, requester: string) => boolean
  /** How long the credentials live that the request registers: the longest of them. Default: 0, for there are none. */
  readonly credentialsLiveMs?: (intent: I) => number
  /**
   * Refuses what would take too much time or space: a new request before anything else, and the approval that would complete
   * an activity which has waited. What stands in a log was admitted, so an audit does not ask, and the bounds may change.
   */
  readonly admit?: (intent: I, context: AdmitContext) => E.Either<Failure, unknown>
  /** For an operation with `perform`: what can be refused before the work. */
  readonly check?: (intent: I, context: ExecuteContext<undefined>) => E.Either<Failure, unknown>
  readonly perform?: Perform<I, P>
  /** Pure: a failure, or the result and what changes. */
  readonly execute: (intent: I, context: ExecuteContext<P>) => E.Either<Failure, Executed<R, C>>
  /** Pure: works the change into the state. What replay runs, too. */
  readonly evolve: (draft: Draft, change: C, context: EvolveContext) => void
  /** To be raised when `evolve` comes to make another state of old changes: snapshots of before are thrown away. */
  readonly evolveVersion?: number
}

/** How one type of the wire is read and answered. */
export type Version = {
  readonly type: string
  readonly intentName: string
  readonly resultName: string
  /** Reads `parameters`: what is echoed, and the intent in its newest form. */
  readonly decodeIntent: (parameters: unknown) => E.Either<Failure, { readonly echo: Json; readonly intent: Intent }>
  /** The result as this version names it. */
  readonly encodeResult: (result: Json) => Json
  /** Whether that is as the operation's own codec writes it. */
  readonly isPlainResult: boolean
  /** The codec of `parameters`, for the reference. */
  readonly codec: t.Mixed | undefined
}

declare const decodedBy: unique symbol
/** An intent that its operation's codec has read. Only that operation can use it. */
export type Intent = { readonly [decodedBy]: 'operation' }

/** The definition of one kind of activity, with its types sealed inside. Made by `operation`. */
export type Operation = {
  readonly type: string
  readonly path: string
  readonly summary: string
  /** The name without prefix and version: `activity.kind`. */
  readonly kind: string
  readonly resource: string | undefined
  readonly action: string | undefined
  readonly versions: readonly Version[]
  readonly codecs: { readonly intent: t.Mixed; readonly result: t.Mixed; readonly change: t.Mixed }
  readonly params: (intent: Intent) => { readonly [field: string]: Json }
  readonly isOwnCredentials: (intent: Intent, requester: string) => boolean
  readonly credentialsLiveMs: (intent: Intent) => number
  readonly admit: (intent: Intent, context: AdmitContext) => E.Either<Failure, unknown>
  readonly check: (intent: Intent, context: ExecuteContext<undefined>) => E.Either<Failure, unknown>
  readonly perform: Omit<Perform<never, never>, 'run' | 'performed'> | undefined
  readonly run: (intent: Intent, context: PerformContext) => TE.TaskEither<Failure, Json>
  readonly execute: (
    intent: Intent,
    context: ExecuteContext<Json | undefined>,
  ) => E.Either<Failure, Executed<Json, Json>>
  /** Left when the change is not in the form that this version writes. */
  readonly evolve: (draft: Draft, change: Json, context: EvolveContext) => E.Either<Failure, void>
  readonly evolveVersion: number
}

/**
 * Defines an operation. The built-in catalogue is made with this same function, and has no privileges.
 *
 * @throws when the definition contradicts itself (a bug of the host's, seen at start-up)
 */
export const operation = <I, R, C, P = undefined>(spec: OperationSpec<I, R, C, P>): Operation => {
  if (!/^ACTIVITY_TYPE_[A-Z0-9_]+$/.test(spec.type))
    throw new Error(`operation type must look like ACTIVITY_TYPE_NAME: ${spec.type}`)
  if (!/^[a-z0-9_]+$/.test(spec.path)) throw new Error(`operation path must be snake_case: ${spec.path}`)
  // The seal: an `Intent` is only ever made by this operation's `decodeIntent`, so inside it is an `I`.
  const seal = (intent: I): Intent => intent as unknown as Intent
  const open = (intent: Intent): I => intent as unknown as I
  const [changeName, resultName] = [`change of ${spec.type}`, `result of ${spec.type}`]
  const decodeChange = decode(spec.change, changeName)
  const newest: VersionSpec<I, R> = {
    type: spec.type,
    ...decodes(spec.intent, E.right),
    ...resultNamed(spec.resultName),
  }
  return {
    type: spec.type,
    path: spec.path,
    summary: spec.summary,
    evolveVersion: spec.evolveVersion ?? 1,
    kind: kindOf(spec.type),
    resource: spec.resource,
    action: spec.action,
    versions: [newest, ...(spec.versions ?? [])].map((version) => ({
      type: version.type,
      intentName: version.intentName ?? `${camelCase(spec.path)}Intent${versionSuffix(version.type)}`,
      resultName: version.resultName ?? spec.resultName ?? `${camelCase(spec.path)}Result`,
      decodeIntent: (parameters) =>
        E.map(({ echo, intent }: { echo: Json; intent: I }) => ({ echo, intent: seal(intent) }))(
          hostOutcome(`the codec of ${version.type}`, version.decodeIntent(parameters)),
        ),
      encodeResult: (result) => {
        const encode = version.encodeResult
        return encode === undefined ? result : unawaited(encode(result as R)) // `execute` encoded it with this operation's codec
      },
      isPlainResult: version.encodeResult === undefined,
      codec: version.codec,
    })),
    codecs: { intent: spec.intent, result: spec.result, change: spec.change },
    params: (intent) => unawaited(spec.params?.(open(intent)) ?? {}),
    isOwnCredentials: (intent, requester) => unawaited(spec.isOwnCredentials?.(open(intent), requester) ?? false),
    credentialsLiveMs: (intent) => unawaited(spec.credentialsLiveMs?.(open(intent)) ?? 0),
    admit: (intent, context) =>
      spec.admit === undefined
        ? E.right(undefined)
        : hostOutcome(`admit of ${spec.type}`, spec.admit(open(intent), context)),
    check: (intent, context) =>
      spec.check === undefined
        ? E.right(undefined)
        : hostOutcome(`check of ${spec.type}`, spec.check(open(intent), context)),
    perform: spec.perform,
    run: (intent, context) =>
      spec.perform === undefined
        ? TE.left(failure('INTERNAL', `${spec.type} has nothing to perform`))
        : TE.flatMapEither((performed: P) => written(`outcome of ${spec.type}`, spec.perform?.performed, performed))(
            unawaited(spec.perform.run(open(intent), context)),
          ),
    execute: (intent, context) => {
      const performed = performedOf(spec, context.performed)
      if (E.isLeft(performed)) return performed
      const given = spec.execute(open(intent), { ...context, performed: performed.right })
      const executed = hostOutcome(`execute of ${spec.type}`, given)
      if (E.isLeft(executed)) return executed
      const change = written(changeName, spec.change, executed.right.change)
      if (E.isLeft(change)) return change
      const result = written(resultName, spec.result, executed.right.result)
      return E.isLeft(result) ? result : E.right({ result: result.right, change: change.right })
    },
    evolve: (draft, change, context) => {
      const decoded = decodeChange(change)
      return E.isLeft(decoded) ? decoded : E.right(unawaited(spec.evolve(draft, decoded.right, context)))
    },
  }
}

/**
 * How a form of an operation is read: with one codec, then turned into the newest; `echo` is what the codec kept.
 *
 * @param upgrade  a failure where the older form asks for something that cannot be done
 * @example { type: 'ACTIVITY_TYPE_CREATE_USERS_V3', ...decodes(CreateUsersIntentV3, ({ users }) => E.right({ users: users.map(toV4) })) }
 */
export const decodes = <A, I>(
  codec: t.Type<A, unknown, unknown>,
  upgrade: (older: A) => E.Either<Failure, I>,
): Required<Pick<VersionSpec<I, never>, 'codec' | 'decodeIntent'>> => ({
  codec,
  decodeIntent: (parameters) =>
    E.flatMap((older: A) => E.map((intent: I) => ({ echo: codec.encode(older) as Json, intent }))(upgrade(older)))(
      // codecs of the wire give JSON
      decode(codec, 'parameters')(parameters),
    ),
})

// What replay cannot read must not enter a log: it would close the organization for ever.
const written = <A>(
  what: string,
  codec: t.Type<A, unknown, unknown> | undefined,
  value: A,
): E.Either<Failure, Json> => {
  const encoded = codec?.encode(value)
  return codec !== undefined && encoded !== undefined && E.isRight(codec.decode(encoded))
    ? E.right(encoded as Json) // codecs of the log give JSON
    : E.left(failure('INTERNAL', `the ${what} cannot be read back by its own codec`))
}

const performedOf = <I, R, C, P>(spec: OperationSpec<I, R, C, P>, performed: Json | undefined): E.Either<Failure, P> =>
  spec.perform === undefined
    ? E.right(undefined as P) // P is undefined where nothing is performed
    : decode(spec.perform.performed, `outcome of ${spec.type}`)(performed)

const resultNamed = (resultName: string | undefined): { readonly resultName?: string } =>
  resultName === undefined ? {} : { resultName }

const kindOf = (type: string): string => type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V[0-9]+$/, '')

const versionSuffix = (type: string): string => /_(V[0-9]+)$/.exec(type)?.[1] ?? ''

const camelCase = (path: string): string => path.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
