import { failure, type Failure } from '../failure.ts'
import type { Verdict } from '../log/decision.ts'
import { PERMISSION_ERROR } from '../view/failure-view.ts'

/** The largest body of a denied request that the log keeps. Of a larger one, it has the hash and the length. */
export const DENIED_BODY_BYTES_MAX = 64 * 1024

/** Whether the log leaves out a body: a user without rights must not be able to fill the disk. */
export const isLeftOut = ({ outcome }: Verdict, bodyBytes: number): boolean =>
  outcome === 'DENIED' && bodyBytes > DENIED_BODY_BYTES_MAX

/** The failure for a request that is denied, too, where the log has so many denials of its user that it takes no more of them today. */
export const tooManyDenials = (countMax: number): Failure =>
  failure(
    'RESOURCE_EXHAUSTED',
    `the request is denied, and nothing was stored: an organization stores at most ${countMax} denied activities of a user per day (UTC)`,
  )

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
