import { failure, type Failure } from '../failure.ts'
import { catalogue, type Catalogue } from '../definition/catalogue.ts'
import { millis } from '../log/event.ts'
import type { Outcome, Verdict } from '../log/decision.ts'
import { publicApi, withBeginning } from '../resources/public-api.ts'
import { run, orThrow } from '../countersign-error.ts'
import { E, type TE } from '../prelude.ts'
import { checkedPolicies, type PolicyToolOptions } from './check-policies.ts'
import type { ProposedPolicy } from './proposed-policies.ts'
import { walkLog, walkStore, type ReadableStore, type ReadLogOptions } from './read-log.ts'
import { inPlaceOf } from './trial.ts'
import { walk, type Walk, type WalkPorts } from './walk.ts'

export type SimulateOptions = SimulationOptions & PolicyToolOptions

export type SimulationOptions = ReadLogOptions &
  Omit<WalkPorts, 'catalogue'> & {
    /** Only decisions of this organization. Default: of all; then the policies stand in each of them. */
    readonly organization?: string | undefined
    /** Only decisions from this time on, in milliseconds. Everything before is read all the same. */
    readonly fromMs?: number | undefined
    /** Only decisions before this time, in milliseconds. */
    readonly toMs?: number | undefined
    /** Called for each decision that comes out otherwise, in the order of the log. Nothing keeps them. */
    readonly onDifference?: ((difference: DecisionDifference) => void) | undefined
  }

/** A decision of the history that comes out otherwise with the policies that are tried. */
export type DecisionDifference = {
  readonly organization: string
  readonly activity: string
  /** The sequence of its event, in decimal digits. */
  readonly sequence: string
  /** When it was taken. */
  readonly at: string
  readonly type: string
  readonly kind: string
  readonly requester: string
  /** The number of the vote that it followed, and who cast it: 1 is the requester's. */
  readonly vote: number
  readonly user: string
  /** As the log has it. */
  readonly before: ShortVerdict
  /** With the policies that are tried. */
  readonly after: ShortVerdict
  readonly policies: readonly PolicyDifference[]
}

export type ShortVerdict = Pick<Verdict, 'outcome' | 'rule'>

/** A policy whose outcome is another one, or that stands on one side only and decides something there. */
export type PolicyDifference = {
  readonly policyName: string
  readonly policyId: string | undefined
  /** `undefined` if the history had no such policy then. */
  readonly before: Outcome | undefined
  /** `undefined` if it is not among the policies that are tried. */
  readonly after: Outcome | undefined
}

/** The decisions on one kind of activity. */
export type KindTotals = {
  readonly kind: string
  /** How many decisions were taken again. */
  readonly decisions: number
  /** How many of them came out otherwise. */
  readonly differences: number
  /** How often each change was found, such as `ALLOWED to DENIED`. */
  readonly changes: { readonly [change: string]: number }
}

export type Simulation = {
  readonly decisions: number
  readonly differences: number
  /** Decisions that cannot be taken again: the request is erased, or a policy read what is erased. */
  readonly erased: number
  /** Decisions that cannot be taken again for another reason: this version does not know the operation, its revision, or the rules. */
  readonly unknown: number
  /** In the order of their names. */
  readonly kinds: readonly KindTotals[]
}

/**
 * Takes every decision of a history again with other policies in place of those that were there; quorum, users, tags and approvals are as
 * they were. It reads the store page by page, also while a server writes to it, and changes nothing.
 *
 * It cannot know what people would have done: nobody is asked for votes that the history does not have, and an activity that would have
 * been denied has changed the later states all the same.
 *
 * @param policies  the policies to try, from the beginning of the history
 * @returns rejects with a `CountersignError`: `REQUEST_INVALID` if a policy has a mistake; what the store fails with;
 *   `ORGANIZATION_CLOSED` if the log has operations that `resources` do not have
 * @see docs/how-to/try-a-policy.md
 */
export const simulatePolicies = async (
  store: ReadableStore,
  policies: readonly ProposedPolicy[],
  { resources = publicApi, timeZones, ...options }: SimulateOptions = {},
): Promise<Simulation> => {
  const known = orThrow(catalogue(withBeginning(resources), timeZones))
  return run(simulation(store, known, policies, options))
}

/** As `simulatePolicies`, with a catalogue that is there. */
export const simulation =
  (
    store: ReadableStore,
    known: Catalogue,
    proposed: readonly ProposedPolicy[],
    { organization, fromMs = -Infinity, toMs = Infinity, onDifference, ...options }: SimulationOptions = {},
  ): TE.TaskEither<Failure, Simulation> =>
  async () => {
    const policies = checkedPolicies(proposed, known)
    if (E.isLeft(policies)) return policies
    const trial = inPlaceOf(policies.right, known, onDifference)
    const isWanted = (atMs: number): boolean => atMs >= fromMs && atMs < toMs
    const walking = walk(
      { ...options, catalogue: known },
      ({ at }) => isWanted(millis(at)),
      (past) => trial.take(past, walking.erasedReads),
    )
    const read = await (organization === undefined
      ? walkStore(store, walking, options)
      : readOne(store, organization, walking, options))
    return E.map(trial.totals)(read)
  }

const readOne = async (
  store: ReadableStore,
  organization: string,
  walking: Walk,
  options: ReadLogOptions,
): Promise<E.Either<Failure, void>> => {
  const head = await store.head(organization)()
  if (E.isLeft(head)) return head
  return head.right === undefined
    ? E.left(failure('ORGANIZATION_NOT_FOUND', `the store has no organization ${organization}`))
    : walkLog(store, organization, head.right.sequence, walking, options)
}
