import type * as t from 'io-ts'
import type { Json } from '../failure.ts'
import type { Parts } from '../log/parts.ts'
import type { Sender } from '../organization/ip-allowlists.ts'
import type { Draft, Given, Organization } from '../organization/state.ts'
import type { ResourceFacts } from '../policy/fact.ts'
import type { Language } from '../policy/expression.ts'
import type { ProvedAddress } from '../view/app-proof.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import type { Executed } from './executed.ts'
import type { Find } from './find.ts'
import type { EarlierForms } from './forms.ts'
import type { Limits } from './limits.ts'
import type { NoSurplus } from './no-surplus.ts'
import type { Perform, WhenMissing } from './perform.ts'
import type { Needs, Services } from './port.ts'
import type { Reveal, VersionSpec } from './version.ts'

/** The context of `execute`. It has no clock, no randomness and no I/O, because an auditor executes again. */
export type ExecuteContext<P, J = unknown> = Find & {
  readonly organization: Organization
  readonly activityId: string
  /** The user who submitted the activity. */
  readonly requester: string
  readonly atMs: number
  /** Returns the next id for a new thing of this activity. */
  readonly ids: () => string
  readonly limits: Limits
  /** The policy language of the engine, with the facts of all resources. */
  readonly language: Language
  /** The value of `perform`; `undefined` for an operation without `perform`. */
  readonly performed: P
  /** The value of `inspect`; `undefined` for an operation without `inspect`. */
  readonly inspected: J
  /**
   * The states of the organizations that `reads` names, by id. One that does not exist, or was deleted, is not among them, unless it was below
   * this one.
   */
  readonly others: ReadonlyMap<string, Organization>
}

/** The context of `check`. */
export type CheckContext<J = unknown> = ExecuteContext<undefined, J> & {
  /** That of the attempt that would begin: 1 for the first one. */
  readonly attempt: number
  /** The token that the requester's stamp brought, if it can be used once. */
  readonly once?: OnceToken | undefined
}

/** A token by its id, and until when it can be used, in milliseconds. */
export type OnceToken = { readonly tokenId: string; readonly untilMs: number }

/** The context of `inspect`. It sees nothing besides the request; what its ports answer depends on the request alone. */
export type InspectContext<M extends Needs = Needs> = {
  /** The services behind `inspectNeeds`, and no others. */
  readonly ports: Services<M>
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal: AbortSignal
}

/** The context of `admit`. */
export type AdmitContext = Pick<ExecuteContext<unknown>, 'organization' | 'atMs' | 'language'> & {
  /** The time zones that this machine knows. */
  readonly timeZones: TimeZones
  /** Where the request comes from that is judged: the new one, or the vote that would complete the activity. */
  readonly sender: Sender
}

/**
 * The context of `evolve`. In a replay it is the same, except for parts that were erased meanwhile. Personal members of the change have
 * their fallbacks then. `parts` are the parts of
 * `execute`: show their content, but never let a decision depend on it.
 */
export type EvolveContext = {
  readonly activityId: string
  /** The sequence of the event in the organization's log. */
  readonly sequence: bigint
  readonly atMs: number
  readonly parts: Parts
}

/**
 * The definition of an operation.
 *
 * Its types, in order: intent `I`, result `R`, change `C`, the values of `perform` (`P`), `inspect` (`J`) and `check` (`K`), the
 * needed ports `N`, `whenMissing` (`W`), the path, what `execute` returns (`X`), which has the members of result and change and
 * no others, what the work returns (`B`), and the ports that `inspect` needs (`M`).
 *
 * `execute`, `check` and `admit`, and `inspect` and the work of `perform`, which may also give a promise, return plain values, and refuse by
 * `throw refuse(…)`. The other functions cannot refuse. What any of them throws besides is a bug.
 */
export type OperationSpec<
  I,
  R,
  C,
  P,
  J = undefined,
  K = I,
  N extends Needs = Needs,
  W extends WhenMissing | undefined = WhenMissing | undefined,
  Path extends string = string,
  X extends Executed<Given<R>, Given<C>> = Executed<Given<R>, Given<C>>,
  B extends Given<P> = Given<P>,
  M extends Needs = Needs,
> = {
  /** `ACTIVITY_TYPE_…`, with the version suffix of its newest form. */
  readonly type: string
  /** The route's last segment. */
  readonly path: Path
  /** One sentence for the reference. */
  readonly summary: string
  /** `activity.resource` of the policy language; without it only the root quorum may allow the operation. */
  readonly resource?: string
  readonly action?: string
  /** The members of `activity.intent` and `activity.result`. Default: derived from path and type. */
  readonly intentName?: string
  readonly resultName?: string
  readonly intent: t.Type<I, unknown, unknown>
  readonly result: t.Type<R, unknown, unknown>
  readonly change: t.Type<C, unknown, unknown>
  /** The parts that `execute` may give: `bundle` for that name, and all names `bundle.…`. An audit refuses any other name. */
  readonly parts?: readonly string[]
  /** How requests of `type` are read, where they have less than intents that come from other versions. Default: by the codec of `intent`. */
  readonly wire?: Required<Pick<VersionSpec<NoInfer<I>, never>, 'codec' | 'decodeIntent'>>
  readonly versions?: readonly VersionSpec<NoInfer<I>, NoInfer<R>>[]
  /**
   * Writes the result for a caller, with the content of its parts, and null for erased parts. What the requester alone may see is sealed in the log,
   * and opened by `reveal`. Default: the result as the log has it.
   */
  readonly encodeResult?: (result: NoInfer<R>, parts: Parts, reveal: Reveal) => Json
  /**
   * Computes a value from the request alone, perhaps slowly: without state, clock, randomness or network. It runs after
   * authentication and before the decision. If it refuses the request, nothing is stored. Its value is never stored:
   * it runs again when the activity is loaded again, and in audits.
   */
  readonly inspect?: (intent: I, context: InspectContext<M>) => J | Promise<J>
  /**
   * The ports that `inspect` needs, by the names of their services: in the option `ports` of the engine, or the engine's own. An audit needs
   * them, too: what rests on one that it was not given is counted, and not judged.
   */
  readonly inspectNeeds?: M
  /** The value of `inspect` for a request that has nothing to inspect: then `inspect` does not run. Default: each request has. */
  readonly nothingToInspect?: (intent: NoInfer<I>) => NoInfer<J> | undefined
  /**
   * The ids of other organizations whose states `check` and `execute` read, at most 8. It is pure, and sees the request and the state of the
   * activity's own organization. If one of the other organizations changes before the decision is durable, the decision is taken again.
   * The operation is responsible for who may read which organization.
   */
  readonly reads?: (intent: I, organization: Organization) => readonly string[]
  /**
   * Whose users may submit it, and decide on it. `own-or-parent`: in an organization below another one, also users of the parent; then the
   * parent's quorum and policies decide, and its users vote. Default: `own`.
   */
  readonly callers?: 'own' | 'own-or-parent'
  /**
   * Whether a request whose credential the organization does not have is sent to the one organization below it that has the credential: the activity
   * is then one of that organization. Default: no.
   */
  readonly searchesBelow?: boolean
  /** The addresses that it has made: the engine makes an app proof for each, where the body asks for them. Default: none. */
  readonly addresses?: (intent: NoInfer<I>, result: NoInfer<R>) => readonly ProvedAddress[]
  /** The fields of `activity.params` that policies may use. */
  readonly params?: (intent: I, inspected: J) => { readonly [field: string]: Json }
  /**
   * The names of all fields that `params` may give, with a `?` behind each that it may leave out or give as null. Policies that name other
   * parameters, or deny by one that may be missing, are then warned of; without the names they are not.
   *
   * @example ['iban', 'memo?']
   */
  readonly paramNames?: readonly string[]
  /**
   * The values of keywords of the policy language, for the state that the decision uses. One that takes long to find can be a function: it is
   * called once, when an expression first reads the keyword.
   */
  readonly facts?: (intent: I, organization: Organization, inspected: J) => ResourceFacts
  /**
   * Members of the intent at any depth, as the wire names them, that work like a password, such as a code: answers show them, and votes with that
   * body, to the requester alone. Default: none.
   */
  readonly passwords?: readonly string[]
  /** Whether the request manages its requester's own credentials: this is allowed unless a policy denies it. */
  readonly isOwnCredentials?: (intent: I, requester: string, organization: Organization) => boolean
  /**
   * The ids of the users whose personal data the request holds; also of the users that it would create, with ids drawn in the order of
   * `execute`. The log notes them beside every request, also if it is denied or fails, so that it can be erased with the person's data.
   * Needed if `change` or `result` has personal members. Where the persons are no users, `activityId` can stand for the person of a request.
   */
  readonly subjects?: (
    intent: I,
    ids: () => string,
    activityId: string,
    organization: Organization,
  ) => readonly string[]
  /** How long the new credentials of the request live, in milliseconds: the longest of them. Default: 0, for no new credentials. */
  readonly credentialsLiveMs?: (intent: I) => number
  /**
   * Refuses requests that would take too much time or space. It runs first for a new request, and again at the approval that would
   * complete a waiting activity. Audits do not run it, so its bounds may change.
   */
  readonly admit?: (intent: I, context: AdmitContext) => unknown
  /**
   * For an operation with `perform`; pure like `execute`. It makes the refusals that are possible before the work, and returns the
   * values of the state that the work needs: plain values, which are copied and frozen. It runs for each attempt, in the turn that
   * lets the attempt begin. What it refuses after the first attempt fails, also if the work is half done: where that must not be, it refuses
   * at the first attempt only.
   */
  readonly check?: (intent: I, context: CheckContext<J>) => K
  readonly perform?: Perform<K, P, N, W, B>
  /**
   * The value of the work for a request that has no work: then neither `check` nor the work runs, `execute` gets this value, and the log has none. For
   * work without effects outside. Default: each request has work.
   */
  readonly nothingToPerform?: (intent: NoInfer<I>) => NoInfer<P> | undefined
  /**
   * The ports, by name, without which a request cannot be done: for an operation that needs some of them for some requests only, whose work finds
   * the others missing. Default: all that the work needs.
   */
  readonly needsFor?: (intent: NoInfer<I>) => readonly string[]
  /**
   * Whether the value of the work is right: checked without doing the work again, and without secrets. Audits run it.
   *
   * @param checked  the value that the work got
   */
  readonly verify?: (performed: P, intent: I, checked: K) => Promise<boolean>
  /** Pure: returns the result and the change. */
  readonly execute: (intent: I, context: ExecuteContext<P, J>) => X & NoSurplus<X, Executed<R, C>>
  /** Pure: applies the change to the state. Replay runs it, too. */
  readonly evolve: (draft: Draft, change: C, context: EvolveContext) => void
  /**
   * Raise it when `inspect`, `nothingToPerform`, `reads`, `params`, `facts`, `isOwnCredentials`, `credentialsLiveMs`, `check`, `verify` or
   * `execute` give another outcome, or when a change means something else. Events name the revision, and an audit judges each event by its
   * own. A new version of the wire, or a new optional member, needs no new revision. Default: 1.
   */
  readonly revision?: number
  /** The functions of earlier revisions. An audit believes the events of a revision that is missing here. */
  readonly earlier?: EarlierForms<NoInfer<I>, NoInfer<R>, NoInfer<C>, NoInfer<P>, NoInfer<J>, NoInfer<K>>
}

/** A definition with whatever path, and whatever else its functions may give. */
export type SpecOf<I, R, C, P, J, K, N extends Needs, M extends Needs> = OperationSpec<
  I,
  R,
  C,
  P,
  J,
  K,
  N,
  WhenMissing | undefined,
  string,
  Executed<Given<R>, Given<C>>,
  Given<P>,
  M
>
