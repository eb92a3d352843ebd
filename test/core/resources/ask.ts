import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { languageOf } from '../../../core/policy/expression.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import type { Draft } from '../../../core/organization/state.ts'
import { E } from '../../../core/prelude.ts'
import { findIn } from '../../../core/definition/find.ts'
import type { Query, QueryContext } from '../../../core/definition/query.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import type { ShownActivity } from '../../../core/view/activity-view.ts'
import { ADA, NOW, ORGANIZATION } from './execute.ts'

const nothing = async () => undefined
const none = async () => []

/** Any activity with this id, as the wire shows it. */
export const shown = (id: string): ShownActivity => ({
  id,
  organizationId: ORGANIZATION,
  status: 'ACTIVITY_STATUS_COMPLETED',
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  intent: {},
  result: {},
  votes: [],
  fingerprint: 'sha256:0',
  canApprove: false,
  canReject: false,
  appProofs: [],
  createdAt: { seconds: '1763600000', nanos: '123000000' },
  updatedAt: { seconds: '1763600000', nanos: '123000000' },
  failure: null,
})

/** Asks as Ada does; what the answer needs besides the organization is given. */
export const ask = async (
  query: Query,
  organization: Draft,
  body: { readonly [member: string]: Json } = {},
  context: Partial<QueryContext> = {},
): Promise<E.Either<Failure, { readonly [member: string]: Json }>> =>
  query.run(
    { organizationId: ORGANIZATION, ...body },
    {
      organization,
      home: organization,
      head: { sequence: 1n, hash: '0'.repeat(64) },
      caller: ADA,
      atMs: NOW,
      nameOf: (text) => text,
      keyOfToken: () => Promise.reject(refuse.unsupported('identity tokens')),
      verificationKeys: [],
      language: languageOf({}),
      timeZones: intlTimeZones(),
      ...findIn(organization),
      activity: async (activityId) => shown(activityId),
      activities: none,
      knowsType: () => false,
      activityIds: none,
      beginningOf: nothing,
      evaluations: none,
      factors: none,
      rows: none,
      row: nothing,
      below: nothing,
      onTop: async (read) => read(organization),
      ...context,
    },
  )()

/** The same where there must be an answer. */
export const answer = async (...asked: Parameters<typeof ask>): Promise<{ readonly [member: string]: Json }> => {
  const answered = await ask(...asked)
  if (E.isLeft(answered)) throw new Error(`${asked[0].path} is refused: ${answered.left.message}`)
  return answered.right
}

/** The same where it must be refused. */
export const refusal = async (...asked: Parameters<typeof ask>): Promise<Failure> => {
  const answered = await ask(...asked)
  if (E.isRight(answered)) throw new Error(`${asked[0].path} is not refused`)
  return answered.left
}
