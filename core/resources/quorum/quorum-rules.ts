import * as t from '../../codec/t.ts'
import { refusal, refuse, type Refusal } from '../../definition/refuse.ts'
import { fieldViolations } from '../../failure.ts'

/** How many members must approve. */
export const Threshold = t.canonical(
  t.number,
  'a positive integer',
  (threshold) => (Number.isSafeInteger(threshold) && threshold >= 1 ? threshold : undefined),
  'quorum threshold must be non-zero integer',
)

/** Refuses a threshold that is greater than the number of members. */
export const checkThreshold = (field: string, threshold: number, members: number): void => {
  if (threshold > members)
    throw refusal(
      fieldViolations('quorum threshold must not be larger than the number of quorum users', [
        { field, description: `expected at most ${members}` },
      ]),
    )
}

/** Refuses a quorum with a member who signs others in for the organization. */
export const quorumWithProxy = (): Refusal =>
  refuse('REQUEST_INVALID', 'quorum users must not include the user of the auth proxy')

/** Refuses a quorum with a member who is not a user. */
export const quorumUsersMissing = (): Refusal => refuse('REQUEST_INVALID', 'quorum users missing')
