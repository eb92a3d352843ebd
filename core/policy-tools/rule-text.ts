import type { Operation } from '../definition/operation.ts'
import type { Verdict } from '../log/decision.ts'

/** Which rule decided, and how, in a sentence. */
export const ruleText = ({ outcome, rule, evaluations }: Verdict, form: Operation | undefined): string => {
  if (outcome === 'AUTHENTICATORS_NEEDED') return 'its requester has not met all steps of an MFA policy yet'
  switch (rule) {
    case 'genesis':
      return 'it is the first activity of its organization, which a root key stamps that it registers'
    case 'parent':
      return 'it is the first activity of its organization, which an activity of its parent has begun'
    case 'vote':
      return 'a user whose vote counts has rejected it'
    case 'own-credentials':
      return 'it manages credentials of its requester alone, and no policy denies it'
    case 'root-quorum':
      if (outcome === 'ALLOWED') return 'enough members of the root quorum approve, so no policy was asked'
      return rootText(outcome === 'DENIED', evaluations.length > 0 || form?.resource !== undefined)
    case 'policies':
      if (outcome === 'ALLOWED') return 'a policy allows it, and none denies it'
      if (outcome === 'CONSENSUS_NEEDED') return 'no policy allows it yet, and one would with more approvals that count'
      return evaluations.some((one) => one.outcome === 'OUTCOME_DENY_EXPLICIT')
        ? 'a policy denies it'
        : 'no policy allows it, and none would with more approvals'
    default:
      return rule satisfies never
  }
}

const rootText = (isDenied: boolean, hasPolicies: boolean): string => {
  if (isDenied) return 'only the root quorum may allow it, and its requester is no member'
  return hasPolicies
    ? 'no policy allows it; its requester is of the root quorum, so it waits for the other members'
    : 'only the root quorum may allow it, and it waits for more of its members'
}
