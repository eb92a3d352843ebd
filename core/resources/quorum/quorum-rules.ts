import * as t from 'io-ts'
import { canonical } from '../../codec/codec.ts'
import { failure, fieldViolations, type Failure } from '../../failure.ts'
import { E } from '../../prelude.ts'

/** How many members must approve. */
export const Threshold = canonical(
  t.number,
  'a positive integer',
  (threshold) => (Number.isSafeInteger(threshold) && threshold >= 1 ? threshold : undefined),
  'quorum threshold must be non-zero integer',
)

/** Fails if the threshold is greater than the number of members. */
export const checkThreshold = (field: string, threshold: number, members: number): E.Either<Failure, void> =>
  threshold <= members
    ? E.right(undefined)
    : E.left(
        fieldViolations('quorum threshold must not be larger than the number of quorum users', [
          { field, description: `expected at most ${members}` },
        ]),
      )

/** Refuses a quorum with a member who is not a user. */
export const quorumUsersMissing: Failure = failure('REQUEST_INVALID', 'quorum users missing')
