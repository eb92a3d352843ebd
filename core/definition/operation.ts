import type * as t from 'io-ts'
import type { Given } from '../organization/state.ts'
import type { Executed } from './executed.ts'
import { earlierFormsOf, formsBy, type Forms } from './forms.ts'
import { kindOf } from './operation-names.ts'
import type { OperationSpec, SpecOf } from './operation-spec.ts'
import type { Perform, WhenMissing } from './perform.ts'
import { personalMembers } from './personal-members.ts'
import type { Needs, Services } from './port.ts'
import { sealed, stepsOf, type Intent, type Steps } from './steps.ts'
import type { VERIFICATION_KEYS } from './verification-keys.ts'
import { versionsOf, type Version } from './version.ts'

export type {
  AdmitContext,
  CheckContext,
  EvolveContext,
  ExecuteContext,
  InspectContext,
  OnceToken,
  OperationSpec,
} from './operation-spec.ts'
export { resumeAfter, type Perform, type PerformContext } from './perform.ts'
export { decodedIn, decodes, type Reveal, type Version, type VersionSpec } from './version.ts'

export type { DecodedIntent, ExecutionContext, Intent, Steps, TurnContext } from './steps.ts'

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
  readonly callers: 'own' | 'own-or-parent'
  readonly searchesBelow: boolean
  /** Members of the intent on the wire that only the requester is shown. */
  readonly passwords: readonly string[]
}

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

/** The services that the work of an operation cannot do without. */
type NeededByWork<N extends Needs, W> = W extends WhenMissing ? Partial<Services<N>> : Services<N>

/** What `inspect` needs and the engine does not have itself. */
type ToInspect<M extends Needs> = Exclude<keyof M, 'attestations' | typeof VERIFICATION_KEYS>

/** The services that an operation cannot do without. */
type Needed<N extends Needs, W, M extends Needs> = [ToInspect<M>] extends [never]
  ? NeededByWork<N, W>
  : NeededByWork<N, W> & Services<Pick<M, ToInspect<M>>>

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
  const X extends Executed<Given<NoInfer<R>>, Given<NoInfer<C>>> = Executed<Given<NoInfer<R>>, Given<NoInfer<C>>>,
  const B extends Given<NoInfer<P>> = Given<NoInfer<P>>,
  M extends Needs = Record<never, never>,
>(
  spec: OperationSpec<I, R, C, P, J, K, N, W, Path, X, B, M>,
): Operation<Path, I, R, C, Needed<N, W, M>> => {
  if (!/^ACTIVITY_TYPE_[A-Z0-9_]+$/.test(spec.type))
    throw new Error(`operation type must look like ACTIVITY_TYPE_NAME: ${spec.type}`)
  if (!/^[a-z0-9_]{1,128}$/.test(spec.path))
    throw new Error(`operation path must be snake_case, of at most 128 characters: ${spec.path}`)
  if (spec.nothingToPerform !== undefined && spec.perform?.outside !== false)
    throw new Error(`${spec.type} gives \`nothingToPerform\`, and has no work without effects outside`)
  const personal = personalMembers(spec.type, { ...spec, performed: spec.perform?.performed })
  if (personal.areThere && spec.subjects === undefined)
    throw new Error(`${spec.type} has personal members: give \`subjects\`, the users whose data its request has`)
  const seal = (intent: I): Intent => sealed<I, J>({ intent, inspected: undefined })
  const versions = versionsOf<I, R>(spec, seal, personal.result)
  const forms = new Map<number, Operation>()
  const at = (revision: number, form: typeof spec): Operation<Path, I, R, C, Needed<N, W, M>> => ({
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

/** Behind the name of a parameter that an activity may lack. */
const MAYBE = '?'
const withoutMark = (name: string): string => (name.endsWith(MAYBE) ? name.slice(0, -MAYBE.length) : name)

const identityOf = <Path extends string, I, R, C, P, J, K, N extends Needs, M extends Needs>(
  spec: SpecOf<I, R, C, P, J, K, N, M> & { readonly path: Path },
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
  callers: spec.callers ?? 'own',
  searchesBelow: spec.searchesBelow ?? false,
  passwords: spec.passwords ?? [],
})
