import { decode } from '../codec/codec.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { noParts } from '../log/parts.ts'
import { personOf } from '../log/personal-part.ts'
import type { Draft, Given, Organization } from '../organization/state.ts'
import { onceEach, type ResourceFacts } from '../policy/fact.ts'
import type { ProvedAddress } from '../view/app-proof.ts'
import { E, TE } from '../prelude.ts'
import { partsAmong, withParts, type Executed, type WrittenExecution } from './executed.ts'
import { findIn, type Find } from './find.ts'
import { frozen } from './frozen.ts'
import { outcomeLater, outcomeOf, unawaited } from './host-outcome.ts'
import type {
  AdmitContext,
  CheckContext,
  EvolveContext,
  ExecuteContext,
  InspectContext,
  SpecOf,
} from './operation-spec.ts'
import type { PerformContext } from './perform.ts'
import type { Needs } from './port.ts'
import type { PersonalMembers } from './personal-members.ts'
import { readIds } from './read-ids.ts'
import { userIds } from './user-ids.ts'
import { performedOf, written } from './written.ts'

declare const decodedBy: unique symbol
/** An intent that the codec of its operation has decoded. Only that operation can use it. */
export type Intent = { readonly [decodedBy]: 'operation' }

/** An intent in two forms: `echo` as the log and the wire carry it, `intent` as the operation uses it. */
export type DecodedIntent = { readonly echo: Json; readonly intent: Intent }

/** The functions of an operation, in one of its forms. */
export type Steps = {
  /** Returns the intent with the value of `inspect`. `undefined` if the operation has no `inspect`. */
  readonly inspect:
    ((decoded: DecodedIntent, context: InspectContext) => TE.TaskEither<Failure, DecodedIntent>) | undefined
  /** The names of the ports that `inspect` needs. */
  readonly inspectNeeds: readonly string[]
  /** Whether `inspect` has to run before the decision. */
  readonly inspects: (decoded: DecodedIntent) => boolean
  /** The ids of other organizations that `check` and `execute` read: in order, each once, without its own. */
  readonly reads: (intent: Intent, organization: Organization) => readonly string[]
  /** The addresses that a completed activity has made. @param result  with its personal members */
  readonly addresses: (intent: Intent, result: Json) => readonly ProvedAddress[]
  readonly params: (intent: Intent) => { readonly [field: string]: Json }
  readonly facts: (intent: Intent, organization: Organization) => ResourceFacts
  /** Whether requests may give values to keywords of policies: whether the definition gives `facts`. */
  readonly hasFacts: boolean
  readonly isOwnCredentials: (intent: Intent, requester: string, organization: Organization) => boolean
  readonly credentialsLiveMs: (intent: Intent) => number
  /** The ids of the users whose personal data the request has, each once. */
  readonly subjects: (
    intent: Intent,
    ids: () => string,
    activityId: string,
    organization: Organization,
  ) => readonly string[]
  /** Whether the request has work. */
  readonly performs: (intent: Intent) => boolean
  /** The names of the ports without which the request cannot be done. */
  readonly needsFor: (intent: Intent) => readonly string[]
  /** Whether requests may have personal data of users: whether the definition gives `subjects`. */
  readonly hasSubjects: boolean
  readonly admit: (intent: Intent, context: AdmitContext) => E.Either<Failure, unknown>
  /** Returns the value for the work, copied and frozen. */
  readonly check: (
    intent: Intent,
    context: TurnContext & Pick<CheckContext, 'attempt' | 'once'>,
  ) => E.Either<Failure, unknown>
  readonly run: (intent: Intent, checked: unknown, context: PerformContext) => TE.TaskEither<Failure, Json>
  /** `undefined` if the operation has no `verify`. It is code of a host: it may reject, throw or never end. */
  readonly verify: ((performed: Json, intent: Intent, checked: unknown) => Promise<boolean>) | undefined
  readonly execute: (intent: Intent, context: ExecutionContext) => E.Either<Failure, WrittenExecution>
  /** Result and change as the log has them, with the parts that have their personal members. */
  readonly writes: (outcome: {
    readonly result: unknown
    readonly change: unknown
  }) => E.Either<Failure, WrittenExecution>
  /** Fails if the codec of this version cannot read the change. */
  readonly evolve: (draft: Draft, change: Json, context: ReplayContext) => E.Either<Failure, void>
  /** Whether a conclusion may have a part of this name. */
  readonly mayHavePart: (name: string) => boolean
  /** The personal members of its changes and results. */
  readonly personal: PersonalMembers
}

type ReplayContext = Omit<EvolveContext, 'parts'> & Partial<EvolveContext>

/** The context that a turn gives; the operation adds the values of its own `inspect` and `perform`. */
export type TurnContext = Omit<ExecuteContext<undefined>, keyof Find | 'inspected' | 'performed'>
export type ExecutionContext = TurnContext & { readonly performed: Json | undefined }

const NONE: readonly string[] = []

/** The content of an `Intent`. An operation opens only intents that it has sealed itself, so the types are its own. */
type Opened<I, J> = { readonly intent: I; readonly inspected: { readonly found: J } | undefined }
export const sealed = <I, J>(intent: Opened<I, J>): Intent => intent as unknown as Intent
const opened = <I, J>(intent: Intent): Opened<I, J> => intent as unknown as Opened<I, J>

/** The functions of an operation in one of its forms, for the engine: they take sealed intents, and give values and refusals as an `Either`. */
export const stepsOf = <I, R, C, P, J, K, N extends Needs, M extends Needs>(
  spec: SpecOf<I, R, C, P, J, K, N, M>,
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
  const nothingIn = (intent: Intent): P | undefined => unawaited(spec.nothingToPerform?.(open(intent)))
  const performs = (intent: Intent): boolean => spec.perform !== undefined && nothingIn(intent) === undefined
  const [changeName, resultName] = [`change of ${spec.type}`, `result of ${spec.type}`]
  const decodeChange = decode(spec.change, changeName)
  const declares = partsAmong(spec.type, spec.parts)
  const writes = ({ result: ofResult, change: ofChange, parts }: Executed<Given<R>, Given<C>>, performed?: Json) => {
    const change = written(changeName, spec.change, ofChange)
    if (E.isLeft(change)) return change
    const result = written(resultName, spec.result, ofResult)
    if (E.isLeft(result)) return result
    const taken = personal.taken({ result: result.right, change: change.right, performed })
    return E.isLeft(taken) ? taken : withParts(spec.type, declares, taken.right, parts)
  }
  return {
    personal,
    mayHavePart: (name) => declares(name) || (personal.areThere && personOf(name) !== undefined),
    ...beforeTurn(spec, open),
    reads: (intent, organization) =>
      spec.reads === undefined ? NONE : readIds(spec.type, organization, spec.reads(open(intent), organization)),
    addresses: (intent, result) => unawaited(spec.addresses?.(open(intent), result as R) ?? []), // its codec wrote it
    params: (intent) => unawaited(spec.params?.(open(intent), found(intent)) ?? {}),
    facts: (intent, organization) =>
      spec.facts === undefined ? {} : onceEach(unawaited(spec.facts(open(intent), organization, found(intent)))),
    hasFacts: spec.facts !== undefined,
    isOwnCredentials: (intent, requester, organization) =>
      unawaited(spec.isOwnCredentials?.(open(intent), requester, organization) ?? false),
    credentialsLiveMs: (intent) => unawaited(spec.credentialsLiveMs?.(open(intent)) ?? 0),
    performs,
    needsFor: (intent) =>
      nothingIn(intent) === undefined
        ? unawaited(spec.needsFor?.(open(intent)) ?? Object.keys(spec.perform?.needs ?? {}))
        : NONE,
    hasSubjects: spec.subjects !== undefined,
    subjects: (intent, ids, activityId, organization) =>
      spec.subjects === undefined
        ? NONE
        : userIds(spec.type, spec.subjects(open(intent), ids, activityId, organization)),
    check: (intent, context) => {
      if (spec.check === undefined) return E.right(undefined) // the work gets the intent
      const { check } = spec
      const own = { ...contextWith(context, found(intent), undefined), attempt: context.attempt, once: context.once }
      return E.map(frozen)(outcomeOf(`check of ${spec.type}`, () => check(open(intent), own)))
    },
    ...workOf(spec, open),
    execute: (intent, context) => {
      const nothing = nothingIn(intent)
      const performed = nothing === undefined ? performedOf(spec, context.performed) : E.right(nothing)
      if (E.isLeft(performed)) return performed
      const own = contextWith(context, found(intent), performed.right)
      const executed = outcomeOf<Executed<Given<R>, Given<C>>>(`execute of ${spec.type}`, () =>
        spec.execute(open(intent), own),
      )
      return E.isLeft(executed) ? executed : writes(executed.right, context.performed)
    },
    writes: (outcome) => writes(outcome as Executed<Given<R>, Given<C>>), // its codecs read it back
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
const contextWith = <P, J>(context: TurnContext, inspected: J, performed: P): ExecuteContext<P, J> => {
  const { find, findAll } = findIn(context.organization)
  return {
    organization: context.organization,
    activityId: context.activityId,
    requester: context.requester,
    atMs: context.atMs,
    ids: context.ids,
    limits: context.limits,
    language: context.language,
    others: context.others,
    find,
    findAll,
    performed,
    inspected,
  }
}

const beforeTurn = <I, R, C, P, J, K, N extends Needs, M extends Needs>(
  { type, inspect, inspectNeeds, nothingToInspect, admit }: SpecOf<I, R, C, P, J, K, N, M>,
  open: (intent: Intent) => I,
): Pick<Steps, 'inspect' | 'inspects' | 'inspectNeeds' | 'admit'> => ({
  inspectNeeds: Object.keys(inspectNeeds ?? {}),
  inspects: ({ intent }) => inspect !== undefined && unawaited(nothingToInspect?.(open(intent))) === undefined,
  inspect:
    inspect === undefined
      ? undefined
      : ({ echo, intent: given }, context) => {
          const intent = open(given)
          const own = context as InspectContext<M> // `inspectedBy` gives all ports of M
          const decoded = (found: J): DecodedIntent => ({ echo, intent: sealed({ intent, inspected: { found } }) })
          return async () => E.map(decoded)(await outcomeLater(`inspect of ${type}`, () => inspect(intent, own)))
        },
  admit: (intent, context) =>
    admit === undefined ? E.right(undefined) : outcomeOf(`admit of ${type}`, () => admit(open(intent), context)),
})

const workOf = <I, R, C, P, J, K, N extends Needs, M extends Needs>(
  spec: SpecOf<I, R, C, P, J, K, N, M>,
  open: (intent: Intent) => I,
): Pick<Steps, 'run' | 'verify'> => {
  const { type, perform, verify } = spec
  // Without `check`, K is the intent. Otherwise `checked` is a value of this operation's own `check`.
  const given = (intent: Intent, checked: unknown): K => (spec.check === undefined ? open(intent) : checked) as K
  return {
    run: (intent, checked, context) =>
      perform === undefined
        ? TE.left(failure('INTERNAL', `${type} has nothing to perform`))
        : async () => {
            const own = context as PerformContext<N> // the engine gives all ports of N
            const brought = await outcomeLater<Given<P>>(`the work of ${type}`, () =>
              perform.run(given(intent, checked), own),
            )
            return E.flatMap((performed: Given<P>) => written(`outcome of ${type}`, perform.performed, performed))(
              brought,
            )
          },
    verify:
      verify === undefined
        ? undefined
        : async (performed, intent, checked) => {
            const brought = performedOf(spec, performed)
            return E.isRight(brought) && (await verify(brought.right, open(intent), given(intent, checked)))
          },
  }
}
