import { type ErasedReads, watched } from '../audit/erased-reads.ts'
import { kindOf } from '../definition/operation-names.ts'
import type { Outcome, Verdict } from '../log/decision.ts'
import { policies, type Policy } from '../organization/policies.ts'
import type { Organization } from '../organization/state.ts'
import type { Approval } from '../policy/approvers.ts'
import { decide } from '../policy/decide.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import { isWithoutRules, questionOf, type PastDecision } from './past-decision.ts'
import type { TriedPolicy } from './proposed-policies.ts'
import type { DecisionDifference, KindTotals, PolicyDifference, Simulation } from './simulate-policies.ts'

/** How policies are read. */
export type Reading = Pick<Catalogue, 'language' | 'timeZones'>

/** Takes decisions again with other policies, and counts those that come out otherwise. */
export type Trial = {
  readonly take: (past: PastDecision, erasedReads: ErasedReads) => void
  readonly totals: () => Simulation
}

/** @param tried  the policies that stand in place of those of the history */
export const inPlaceOf = (
  tried: readonly TriedPolicy[],
  known: Reading,
  onDifference: (difference: DecisionDifference) => void = () => undefined,
): Trial => {
  const byKind = new Map<string, Counted>()
  const counts = { decisions: 0, differences: 0, erased: 0, unknown: 0 }
  const byId = new Map(tried.map(({ policy }) => [policy.policyId, policy]))

  return {
    take: (past, erasedReads) => {
      if (isWithoutRules(past)) return
      const { verdict: after, isErased } = againOn(past, withPolicies(past.organization, byId), known, erasedReads)
      if (after === undefined) {
        if (isErased) counts.erased += 1
        else counts.unknown += 1
        return
      }
      const before = past.event.data.decision.verdict
      const kind = countedFor(byKind, past.form?.kind ?? kindOf(past.type))
      counts.decisions += 1
      kind.decisions += 1
      if (before.outcome === after.outcome) return
      counts.differences += 1
      kind.differences += 1
      const change = `${before.outcome} to ${after.outcome}`
      kind.changes.set(change, (kind.changes.get(change) ?? 0) + 1)
      onDifference(differenceOf(past, before, after, tried))
    },
    totals: () => ({
      ...counts,
      kinds: [...byKind.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1)).map(totalsOf),
    }),
  }
}

type Counted = { readonly kind: string; decisions: number; differences: number; readonly changes: Map<string, number> }

const countedFor = (byKind: Map<string, Counted>, kind: string): Counted => {
  const counted = byKind.get(kind) ?? { kind, decisions: 0, differences: 0, changes: new Map() }
  byKind.set(kind, counted)
  return counted
}

const totalsOf = ({ changes, ...counted }: Counted): KindTotals => ({
  ...counted,
  changes: Object.fromEntries([...changes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
})

/** A decision that was taken again: its verdict, or whether it rests on something that was erased. */
export type TakenAgain = {
  readonly verdict: Verdict | undefined
  /** The approvals with which policies came to their outcomes. */
  readonly approvals: readonly Approval[]
  readonly isErased: boolean
}

/**
 * Takes a decision again, on this state of the organization.
 *
 * @returns no verdict where the decision cannot be taken again
 */
export const againOn = (
  past: PastDecision,
  organization: Organization,
  { language, timeZones }: Reading,
  reads: ErasedReads,
): TakenAgain => {
  if (isWithoutRules(past))
    return { verdict: past.event.data.decision.verdict, approvals: past.approvals, isErased: false }
  const { given, hasRead } = watchedSafely(reads, () => {
    const question = questionOf(past)
    if (question === undefined) return undefined
    const { input, rules } = question
    return decide(organization, input, past.approvals, { rules, language, timeZones })
  })
  const isErased = past.isErased || hasRead
  return { verdict: isErased ? undefined : given?.verdict, approvals: given?.approvals ?? past.approvals, isErased }
}

/** Operations of a host may throw: then the decision is not known. */
const watchedSafely = <A>(reads: ErasedReads, take: () => A): ReturnType<typeof watched<A>> => {
  try {
    return watched(reads, take)
  } catch {
    return { given: undefined, hasRead: false }
  }
}

/** The state with these policies in place of its own. */
const withPolicies = (organization: Organization, byId: ReadonlyMap<string, Policy>): Organization => ({
  organizationId: organization.organizationId,
  slots: new Map(organization.slots).set(policies.name, { state: policies, value: byId, changes: 0 }),
})

const differenceOf = (
  past: PastDecision,
  before: Verdict,
  after: Verdict,
  tried: readonly TriedPolicy[],
): DecisionDifference => {
  const { event, type, form, requester, vote, organization } = past
  return {
    organization: event.organization,
    activity: event.activity,
    sequence: String(event.sequence),
    at: event.data.decision.basis.at,
    type,
    kind: form?.kind ?? kindOf(type),
    requester,
    vote,
    user: event.type === 'ActivityCreated' ? requester : event.data.user,
    before: { outcome: before.outcome, rule: before.rule },
    after: { outcome: after.outcome, rule: after.rule },
    policies: policiesThatDiffer(policies.of(organization), before, after, tried),
  }
}

const policiesThatDiffer = (
  there: ReadonlyMap<string, Policy>,
  before: Verdict,
  after: Verdict,
  tried: readonly TriedPolicy[],
): readonly PolicyDifference[] => {
  const outcomes = new Map(after.evaluations.map(({ policyId, outcome }) => [policyId, outcome]))
  const idsByName = new Map([...there.values()].map(({ policyName, policyId }) => [policyName, policyId]))
  const wasAt = new Map(before.evaluations.map(({ policyId, outcome }) => [policyId, outcome]))
  const differing: PolicyDifference[] = []
  for (const { policy, isNamed } of tried) {
    const { policyName } = policy
    const policyId = isNamed && there.has(policy.policyId) ? policy.policyId : idsByName.get(policyName)
    const was = policyId === undefined ? undefined : wasAt.get(policyId)
    if (policyId !== undefined) wasAt.delete(policyId)
    const is = outcomes.get(policy.policyId)
    const known = policyId ?? (isNamed ? policy.policyId : undefined)
    if (was !== is && !(decidesNothing(was) && decidesNothing(is)))
      differing.push({ policyName, policyId: known, before: was, after: is })
  }
  for (const [policyId, was] of wasAt) {
    if (decidesNothing(was)) continue
    const policyName = there.get(policyId)?.policyName ?? ''
    differing.push({ policyName, policyId, before: was, after: undefined })
  }
  return differing
}

/** Whether a verdict is the same with and without a policy of this outcome. */
const decidesNothing = (outcome: Outcome | undefined): boolean =>
  outcome !== 'OUTCOME_ALLOW' && outcome !== 'OUTCOME_DENY_EXPLICIT' && outcome !== 'OUTCOME_REQUIRES_CONSENSUS'
