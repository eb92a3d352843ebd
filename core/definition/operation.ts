import type * as t from 'io-ts'
import { decode } from '../codec/codec.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { noParts } from '../log/parts.ts'
import { personOf } from '../log/personal-part.ts'
import type { Draft, Organization } from '../organization/state.ts'
import type { ResourceFacts } from '../policy/approvers.ts'
import { E, TE } from '../prelude.ts'
import { partsAmong, withParts, type Executed } from './executed.ts'
import { earlierFormsOf, formsBy, type Forms } from './forms.ts'
import { frozen } from './frozen.ts'
import { hostOutcome, unawaited } from './host-outcome.ts'
import type { AdmitContext, EvolveContext, ExecuteContext, InspectContext, OperationSpec } from './operation-spec.ts'
import type { Perform, PerformContext, WhenMissing } from './perform.ts'
import type { Needs, Services } from './port.ts'
import { kindOf } from './operation-names.ts'
import { personalMembers, type PersonalMembers } from './personal-members.ts'
import { readIds } from './read-ids.ts'
import { userIds } from './user-ids.ts'
import { versionsOf, type Version } from './version.ts'
import { performedOf, written } from './written.ts'

export type { AdmitContext, EvolveContext, ExecuteContext, InspectContext, OperationSpec } from './operation-spec.ts'
export { resumeAfter, type Perform, type PerformContext } from './perform.ts'
export { decodedIn, decodes, type Version, type VersionSpec } from './version.ts'

declare const decodedBy: unique symbol
/** An intent that the codec of its operation has decoded. Only that operation can use it. */
export type Intent = { readonly [decodedBy]: 'operation' }

/** An intent in two forms: `echo` as the log and the wire carry it, `intent` as the operation uses it. */
export type DecodedIntent = { readonly echo: Json; readonly intent: Intent }

/** The names of an operation, and the codecs of its activities. */
export type Identity<Path extends string = string> = {
  readonly type: string
  readonly path: Path
  readonly summary: string
  /** The name without prefix and version: `activity.kind`. */
  readonly kind: string
  readonly resource: string | undefined
  readonly action: string | undefined
  /** The fields that `params` may give; undefined if the definition does not name them. */
  readonly paramNames: readonly string[] | undefined
  /** Those of them that an activity may lack. */
  readonly paramsMaybe: readonly string[]
  readonly codecs: { readonly intent: t.Mixed; readonly result: t.Mixed; readonly change: t.Mixed }
  readonly perform: Omit<Perform<never, never>, 'run' | 'performed'> | undefined
}

/** The functions of an operation, in one of its forms. */
export type Steps = {
  /** Returns the intent with the value of `inspect`. `undefined` if the operation has no `inspect`. */
  readonly inspect:
    ((decoded: DecodedIntent, context: InspectContext) => TE.TaskEither<Failure, DecodedIntent>) | undefined
  /** Whether `inspect` has to run before the decision. */
  readonly inspects: (decoded: DecodedIntent) => boolean
  /** The ids of other organizations that `check` and `execute` read: in order, each once, without its own. */
  readonly reads: (intent: Intent, organization: Organization) => readonly string[]
  readonly params: (intent: Intent) => { readonly [field: string]: Json }
  readonly facts: (intent: Intent, organization: Organization) => ResourceFacts
  /** Whether requests may give values to keywords of policies: whether the definition gives `facts`. */
  readonly hasFacts: boolean
  readonly isOwnCredentials: (intent: Intent, requester: string) => boolean
  readonly credentialsLiveMs: (intent: Intent) => number
  /** The ids of the users whose personal data the request has, each once. */
  readonly subjects: (intent: Intent, ids: () => string) => readonly string[]
  /** Whether requests may have personal data of users: whether the definition gives `subjects`. */
  readonly hasSubjects: boolean
  readonly admit: (intent: Intent, context: AdmitContext) => E.Either<Failure, unknown>
  /** Returns the value for the work, copied and frozen. */
  readonly check: (intent: Intent, context: CheckContext) => E.Either<Failure, unknown>
  readonly run: (intent: Intent, checked: unknown, context: PerformContext) => TE.TaskEither<Failure, Json>
  /** `undefined` if the operation has no `verify`. It is code of a host: it may reject, throw or never end. */
  readonly verify: ((performed: Json, intent: Intent, checked: unknown) => Promise<boolean>) | undefined
  readonly execute: (intent: Intent, context: ExecutionContext) => E.Either<Failure, Executed<Json, Json, Uint8Array>>
  /** Fails if the codec of this version cannot read the change. */
  readonly evolve: (draft: Draft, change: Json, context: ReplayContext) => E.Either<Failure, void>
  /** Whether a conclusion may have a part of this name. */
  readonly mayHavePart: (name: string) => boolean
  /** The personal members of its changes and results. */
  readonly personal: PersonalMembers
}

type ReplayContext = Omit<EvolveContext, 'parts'> & Partial<EvolveContext>

/** The context that a turn gives; the operation adds the values of its own `inspect` and `perform`. */
export type CheckContext = Omit<ExecuteContext<undefined>, 'inspected' | 'performed'>
export type ExecutionContext = CheckContext & { readonly performed: Json | undefined }

/**
 * The definition of one kind of activity in one of its forms. Made by `operation`. Its own types are hidden from the engine;
 * `types` shows them to the compiler only, and never exists at run time.
 */
export type Operation<
  Path extends string = string,
  I = unknown,
  R = unknown,
  C = unknown,
  N = unknown,
> = Identity<Path> &
  Steps & {
    readonly types?: { readonly intent: I; readonly result: R; readonly change: C; readonly needs: N }
    readonly versions: readonly Version[]
    /** The revision of this form. */
    readonly revision: number
    readonly formOf: Forms<Operation>['formOf']
    readonly formFrom: Forms<Operation>['formFrom']
  }

/** The services that an operation cannot do without. */
type Needed<N extends Needs, W> = W extends WhenMissing ? Partial<Services<N>> : Services<N>

/**
 * Defines an operation. The built-in catalogue is made with this same function, and has no privileges.
 *
 * @throws if the definition contradicts itself (a bug of the host, found at the start)
 */
export const operation = <
  I,
  R,
  C,
  P = undefined,
  J = undefined,
  K = I,
  N extends Needs = Record<never, never>,
  W extends WhenMissing | undefined = undefined,
  const Path extends string = string,
  X extends E.Either<Failure, Executed<NoInfer<R>, NoInfer<C>>> = E.Either<Failure, Executed<NoInfer<R>, NoInfer<C>>>,
>(
  spec: OperationSpec<I, R, C, P, J, K, N, W, Path, X>,
): Operation<Path, I, R, C, Needed<N, W>> => {
  if (!/^ACTIVITY_TYPE_[A-Z0-9_]+$/.test(spec.type))
    throw new Error(`operation type must look like ACTIVITY_TYPE_NAME: ${spec.type}`)
  if (!/^[a-z0-9_]{1,128}$/.test(spec.path))
    throw new Error(`operation path must be snake_case, of at most 128 characters: ${spec.path}`)
  const personal = personalMembers(spec.type, spec)
  if (personal.areThere && spec.subjects === undefined)
    throw new Error(`${spec.type} has personal members: give \`subjects\`, the users whose data its request has`)
  const seal = (intent: I): Intent => sealed<I, J>({ intent, inspected: undefined })
  const versions = versionsOf<I, R>(spec, seal, personal.result)
  const forms = new Map<number, Operation>()
  const at = (revision: number, form: typeof spec): Operation<Path, I, R, C, Needed<N, W>> => ({
    ...identityOf(spec),
    ...formsBy(forms),
    revision,
    versions,
    ...stepsOf(form, personal),
  })
  const present = at(spec.revision ?? 1, spec)
  forms.set(present.revision, present)
  for (const [revision, form] of earlierFormsOf(spec)) forms.set(revision, at(revision, form))
  return present
}

const NONE: readonly string[] = []

/** The content of an `Intent`. An operation opens only intents that it has sealed itself, so the types are its own. */
type Opened<I, J> = { readonly intent: I; readonly inspected: { readonly found: J } | undefined }
const sealed = <I, J>(intent: Opened<I, J>): Intent => intent as unknown as Intent
const opened = <I, J>(intent: Intent): Opened<I, J> => intent as unknown as Opened<I, J>

/** Behind the name of a parameter that an activity may lack. */
const MAYBE = '?'
const withoutMark = (name: string): string => (name.endsWith(MAYBE) ? name.slice(0, -MAYBE.length) : name)

const identityOf = <Path extends string, I, R, C, P, J, K, N extends Needs>(
  spec: OperationSpec<I, R, C, P, J, K, N, WhenMissing | undefined, Path>,
): Identity<Path> => ({
  type: spec.type,
  path: spec.path,
  summary: spec.summary,
  kind: kindOf(spec.type),
  resource: spec.resource,
  action: spec.action,
  paramNames: spec.paramNames?.map(withoutMark) ?? (spec.params === undefined ? [] : undefined),
  paramsMaybe: (spec.paramNames ?? []).filter((name) => name.endsWith(MAYBE)).map(withoutMark),
  codecs: { intent: spec.intent, result: spec.result, change: spec.change },
  perform: spec.perform,
})

/** The functions of the operation, in one of its forms. */
const stepsOf = <I, R, C, P, J, K, N extends Needs>(
  spec: OperationSpec<I, R, C, P, J, K, N>,
  personal: PersonalMembers,
): Steps => {
  const open = (intent: Intent): I => opened<I, J>(intent).intent
  const found = (intent: Intent): J => {
    if (spec.inspect === undefined) return undefined as J // J is undefined without `inspect`
    const { inspected, intent: own } = opened<I, J>(intent)
    if (inspected !== undefined) return inspected.found
    const nothing = spec.nothingToInspect?.(own)
    if (nothing === undefined) throw new Error(`a request for ${spec.type} was not inspected`) // a bug of ours
    return nothing
  }
  const [changeName, resultName] = [`change of ${spec.type}`, `result of ${spec.type}`]
  const decodeChange = decode(spec.change, changeName)
  const declares = partsAmong(spec.type, spec.parts)
  return {
    personal,
    mayHavePart: (name) => declares(name) || (personal.areThere && personOf(name) !== undefined),
    ...beforeTurn(spec, open),
    reads: (intent, organization) =>
      spec.reads === undefined ? NONE : readIds(spec.type, organization, spec.reads(open(intent), organization)),
    params: (intent) => unawaited(spec.params?.(open(intent), found(intent)) ?? {}),
    facts: (intent, organization) => unawaited(spec.facts?.(open(intent), organization) ?? {}),
    hasFacts: spec.facts !== undefined,
    isOwnCredentials: (intent, requester) => unawaited(spec.isOwnCredentials?.(open(intent), requester) ?? false),
    credentialsLiveMs: (intent) => unawaited(spec.credentialsLiveMs?.(open(intent)) ?? 0),
    hasSubjects: spec.subjects !== undefined,
    subjects: (intent, ids) =>
      spec.subjects === undefined ? NONE : userIds(spec.type, spec.subjects(open(intent), ids)),
    check: (intent, context) => {
      if (spec.check === undefined) return E.right(undefined) // the work gets the intent
      const given = spec.check(open(intent), contextWith(context, found(intent), undefined))
      return E.map(frozen)(hostOutcome(`check of ${spec.type}`, given))
    },
    ...workOf(spec, open),
    execute: (intent, context) => {
      const performed = performedOf(spec, context.performed)
      if (E.isLeft(performed)) return performed
      const given = spec.execute(open(intent), contextWith(context, found(intent), performed.right))
      const executed = hostOutcome(`execute of ${spec.type}`, given)
      if (E.isLeft(executed)) return executed
      const change = written(changeName, spec.change, executed.right.change)
      if (E.isLeft(change)) return change
      const result = written(resultName, spec.result, executed.right.result)
      if (E.isLeft(result)) return result
      const taken = personal.taken({ result: result.right, change: change.right })
      if (E.isLeft(taken)) return taken
      return withParts(spec.type, declares, taken.right, executed.right.parts)
    },
    evolve: (draft, change, context) => {
      const { parts = noParts, activityId, sequence, atMs } = context
      const decoded = decodeChange(personal.change(change, parts))
      return E.isLeft(decoded)
        ? decoded
        : E.right(unawaited(spec.evolve(draft, decoded.right, { activityId, sequence, atMs, parts })))
    },
  }
}

/** A full literal: an object spread takes several times as long, in every execution. */
const contextWith = <P, J>(context: CheckContext, inspected: J, performed: P): ExecuteContext<P, J> => ({
  organization: context.organization,
  activityId: context.activityId,
  requester: context.requester,
  atMs: context.atMs,
  ids: context.ids,
  limits: context.limits,
  language: context.language,
  others: context.others,
  performed,
  inspected,
})

const beforeTurn = <I, R, C, P, J, K, N extends Needs>(
  { type, inspect, nothingToInspect, admit }: OperationSpec<I, R, C, P, J, K, N>,
  open: (intent: Intent) => I,
): Pick<Steps, 'inspect' | 'inspects' | 'admit'> => ({
  inspects: ({ intent }) => inspect !== undefined && unawaited(nothingToInspect?.(open(intent))) === undefined,
  inspect:
    inspect === undefined
      ? undefined
      : ({ echo, intent: given }, context) => {
          const intent = open(given)
          const decoded = (found: J): DecodedIntent => ({ echo, intent: sealed({ intent, inspected: { found } }) })
          return async () => E.map(decoded)(hostOutcome(`inspect of ${type}`, await inspect(intent, context)()))
        },
  admit: (intent, context) =>
    admit === undefined ? E.right(undefined) : hostOutcome(`admit of ${type}`, admit(open(intent), context)),
})

const workOf = <I, R, C, P, J, K, N extends Needs>(
  spec: OperationSpec<I, R, C, P, J, K, N>,
  open: (intent: Intent) => I,
): Pick<Steps, 'run' | 'verify'> => {
  const { type, perform, verify } = spec
  // Without `check`, K is the intent. Otherwise `checked` is a value of this operation's own `check`.
  const given = (intent: Intent, checked: unknown): K => (spec.check === undefined ? open(intent) : checked) as K
  return {
    run: (intent, checked, context) =>
      perform === undefined
        ? TE.left(failure('INTERNAL', `${type} has nothing to perform`))
        : TE.flatMapEither((performed: P) => written(`outcome of ${type}`, perform.performed, performed))(
            unawaited(perform.run(given(intent, checked), context as PerformContext<N>)), // the engine gives all ports of N
          ),
    verify:
      verify === undefined
        ? undefined
        : async (performed, intent, checked) => {
            const brought = performedOf(spec, performed)
            return E.isRight(brought) && (await verify(brought.right, open(intent), given(intent, checked)))
          },
  }
}
