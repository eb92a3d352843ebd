import * as t from 'io-ts'
import type { Envelope } from '../activity/envelope.ts'
import { activityIdOf } from '../activity/identity.ts'
import { decode, refined } from '../codec/codec.ts'
import { fieldViolations, type Failure } from '../failure.ts'
import type { Selection } from '../log/event.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'

/** The vote that a body describes. A vote is not an activity of its own. */
export type Ballot = {
  readonly selection: Selection
  readonly activityId: string
  /** `undefined` where the vote is the body of the activity, stamped by another user: then the window of approvals counts. */
  readonly timestampMs: number | undefined
}

/** The operations of voting, by the last segment of their route. */
export const ballots: {
  readonly [path: string]: { readonly type: string; readonly selection: Selection } | undefined
} = {
  approve_activity: { type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY', selection: 'VOTE_SELECTION_APPROVED' },
  reject_activity: { type: 'ACTIVITY_TYPE_REJECT_ACTIVITY', selection: 'VOTE_SELECTION_REJECTED' },
}

/** The parameters in the body of a vote. */
export const Parameters = t.strict({
  fingerprint: refined(t.string, 'a fingerprint', (text) => text !== '' && text.length <= 256),
})

/** Whether a path is one on which users vote. */
export const isBallotPath = (path: string): boolean => Object.hasOwn(ballots, path)

/** The path for votes of a type of the wire. */
export const ballotPathOf = (type: string): string | undefined =>
  Object.keys(ballots).find((path) => ballots[path]?.type === type)

/** Reads a vote. */
export const ballotOf = (digest: Digest, path: string, envelope: Envelope): E.Either<Failure, Ballot> => {
  const ballot = ballots[path]
  if (ballot === undefined || envelope.type !== ballot.type) {
    return E.left(
      fieldViolations(`bad request body: type does not belong to ${path}`, [
        { field: 'type', description: `expected ${ballot?.type ?? 'another path'}` },
      ]),
    )
  }
  return E.map(({ fingerprint }: t.TypeOf<typeof Parameters>) => ({
    selection: ballot.selection,
    activityId: activityIdOf(digest, envelope.organizationId, fingerprint),
    timestampMs: envelope.timestampMs,
  }))(decode(Parameters, 'parameters')(envelope.parameters))
}
