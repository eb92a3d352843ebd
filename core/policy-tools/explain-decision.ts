import type { ErasedReads } from '../audit/erased-reads.ts'
import { isSame } from '../audit/same-json.ts'
import { run, orThrow } from '../countersign-error.ts'
import { catalogue, type Catalogue } from '../definition/catalogue.ts'
import { kindOf } from '../definition/operation-names.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { eachOrganization } from '../log/each-organization.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import { LINES } from '../ports/event-store.ts'
import { E, type TE } from '../prelude.ts'
import { publicApi, withBeginning } from '../resources/public-api.ts'
import type { PolicyToolOptions } from './check-policies.ts'
import {
  explainedFactors,
  explainedQuorum,
  explainedVoters,
  type ExplainedApproval,
  type ExplainedFactors,
  type ExplainedQuorum,
} from './explained-voters.ts'
import { explainedPolicies, type ExplainedPolicy } from './explained-policies.ts'
import { factsIn, questionOf, rulesIn, type PastDecision } from './past-decision.ts'
import { walkLog, type ReadableStore, type ReadLogOptions } from './read-log.ts'
import { ruleText } from './rule-text.ts'
import type { ShortVerdict } from './simulate-policies.ts'
import { againOn } from './trial.ts'
import { walk, type WalkPorts } from './walk.ts'

export type ExplainOptions = ExplanationOptions & PolicyToolOptions

export type ExplanationOptions = ReadLogOptions &
  Omit<WalkPorts, 'catalogue'> & {
    /** The organization of the activity. Default: it is looked for in all of them. */
    readonly organization?: string | undefined
    /** The vote that the decision followed: 1 is the requester's. Default: the last one. */
    readonly vote?: number | undefined
  }

/** Why a decision came out as it did. */
export type DecisionExplanation = {
  readonly organization: string
  readonly activity: string
  readonly type: string
  readonly kind: string
  readonly requester: string
  /** The number of the vote that the decision followed, and how many there are. */
  readonly vote: number
  readonly votes: number
  /** Who cast it. */
  readonly user: string
  readonly selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED'
  readonly at: string
  /** The sequences of its event, and of the state that it rests on, in decimal digits. */
  readonly sequence: string
  readonly basis: string
  readonly rules: number
  readonly verdict: ShortVerdict
  /** Which rule decided, in a sentence. */
  readonly says: string
  /** Whether the decision comes out the same again; `undefined` if it cannot be taken again. An audit finds out why it does not. */
  readonly isSame: boolean | undefined
  /** Whether the request was erased or left out: then nobody knows what was asked. */
  readonly isErased: boolean
  /** What the activity shows to policies; it comes from the request. `undefined` if it is not known any more. */
  readonly params: { readonly [name: string]: Json | undefined } | undefined
  readonly quorum: ExplainedQuorum
  readonly approvals: readonly ExplainedApproval[]
  /** Of each voter with an MFA policy that counts. */
  readonly factors: readonly ExplainedFactors[]
  /** In the order of their creation; empty if no policy was evaluated. */
  readonly policies: readonly ExplainedPolicy[]
}

/**
 * Explains a decision of the log, on the state that it was taken on: which rule decided, the quorum, who approved, and for each policy its
 * outcome, with what each part of its expressions was worth. It reads the organization's log up to the decision, also while a server writes
 * to the store.
 *
 * Values of parameters are shown: they come from the request, and somebody else may have written them.
 *
 * @returns rejects with a `CountersignError`: `ACTIVITY_NOT_FOUND` if the store has no such activity or vote; what the store fails with;
 *   `ORGANIZATION_CLOSED` if the log has operations that `resources` do not have
 * @see docs/how-to/try-a-policy.md
 */
export const explainDecision = async (
  store: ReadableStore,
  activityId: string,
  { resources = publicApi, timeZones, ...options }: ExplainOptions = {},
): Promise<DecisionExplanation> => {
  const known = orThrow(catalogue(withBeginning(resources), timeZones))
  return run(explanation(store, known, activityId, options))
}

/** As `explainDecision`, with a catalogue that is there. */
export const explanation =
  (
    store: ReadableStore,
    known: Catalogue,
    activityId: string,
    { organization, vote, ...options }: ExplanationOptions = {},
  ): TE.TaskEither<Failure, DecisionExplanation> =>
  async () => {
    const found = await decisionsOf(store, activityId, organization)
    if (E.isLeft(found)) return found
    const votes = found.right
    const event = votes.at((vote ?? votes.length) - 1)
    if (event === undefined || vote === 0)
      return E.left(
        failure(
          'ACTIVITY_NOT_FOUND',
          `the activity has ${votes.length} ${votes.length === 1 ? 'vote' : 'votes'}, and no vote ${vote}`,
        ),
      )
    let explained: DecisionExplanation | undefined
    const walking = walk(
      { ...options, catalogue: known },
      ({ id }) => id === event.id,
      (past) => (explained = explanationOf(past, known, votes.length, walking.erasedReads)),
    )
    const read = await walkLog(store, event.organization, event.sequence, walking, options)
    if (E.isLeft(read)) return read
    return explained === undefined
      ? E.left(failure('STORE_UNREADABLE', 'the log of the organization does not have the decision'))
      : E.right(explained)
  }

type Decided = PastDecision['event']

/** The events of an activity that have a decision. */
const decisionsOf = async (
  store: ReadableStore,
  activityId: string,
  organization: string | undefined,
): Promise<E.Either<Failure, readonly Decided[]>> => {
  for await (const id of organization === undefined ? eachOrganization(store) : [E.right(organization)]) {
    if (E.isLeft(id)) return id
    const read = await store.readActivity(id.right, activityId, LINES)()
    if (E.isLeft(read)) return read
    const events: Decided[] = []
    for (const { line } of read.right) {
      const event: E.Either<Failure, Event> = decodeEvent(line)
      if (E.isLeft(event)) return event
      const { right } = event
      if (right.type === 'ActivityCreated' || right.type === 'ActivityVoted') events.push(right)
    }
    if (events.length > 0) return E.right(events)
  }
  return E.left(failure('ACTIVITY_NOT_FOUND', `the store has no activity ${activityId}`))
}

const explanationOf = (
  past: PastDecision,
  known: Catalogue,
  votes: number,
  reads: ErasedReads,
): DecisionExplanation => {
  const { event, vote, organization, type, form, requester, isErased } = past
  const { verdict, basis } = event.data.decision
  const again = againOn(past, organization, known, reads)
  const question = questionOf(past)
  const factors = explainedFactors(past, question, known.language, reads)
  const isVote = event.type === 'ActivityVoted'
  return {
    organization: event.organization,
    activity: event.activity,
    type,
    kind: form?.kind ?? kindOf(type),
    requester,
    vote,
    votes,
    user: isVote ? event.data.user : requester,
    selection: isVote ? event.data.selection : 'VOTE_SELECTION_APPROVED',
    at: basis.at,
    sequence: String(event.sequence),
    basis: basis.read[0]?.sequence ?? '',
    rules: basis.rules,
    verdict: { outcome: verdict.outcome, rule: verdict.rule },
    says: ruleText(verdict, form),
    isSame: again.verdict === undefined ? undefined : isSame(again.verdict, verdict),
    isErased,
    params: question?.input.params,
    quorum: explainedQuorum(past, factors, reads),
    approvals: explainedVoters(past, factors, reads),
    factors,
    policies: explainedPolicies(
      organization,
      verdict,
      factsIn(past, again.approvals, question, known.timeZones),
      rulesIn(past),
      reads,
    ),
  }
}
