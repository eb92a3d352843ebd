import { failure, type Failure } from '../failure.ts'
import type { Verdict } from '../log/decision.ts'
import { PERMISSION_ERROR } from '../view/failure-view.ts'

/** The failure for a request that policies denied. The activity is stored, and the same request gets this failure again. */
export const denial = (verdict: Verdict): Failure => {
  const deniers = verdict.evaluations
    .filter(({ outcome }) => outcome === 'OUTCOME_DENY_EXPLICIT')
    .map(({ policyId }) => policyId)
  const message =
    deniers.length === 0
      ? 'No policies evaluated to outcome: Allow'
      : `The following policies denied this action: ${deniers.join(',')}`
  return failure(
    'REQUEST_NOT_AUTHORIZED',
    "You don't have sufficient permissions to take this action. Please add a policy granting this user permissions.",
    [
      {
        '@type': PERMISSION_ERROR,
        message,
        policyEvaluations: verdict.evaluations.map((evaluation) => ({ ...evaluation })),
      },
    ],
  )
}
