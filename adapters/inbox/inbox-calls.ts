/* The calls of the inbox to a server. Whoever makes them stamps and sends. */
import * as t from 'io-ts'
import { decode } from '../../core/codec/codec.ts'
import { E } from '../../core/prelude.ts'
import { Quorum, SeenActivity, SeenEvaluations, SeenFactors, SeenPolicy, SeenTag, SeenUser } from './seen.ts'

export type Voting = 'approve' | 'reject'

export type Page = {
  /** Only activities of these statuses. Default: of all. */
  readonly statuses?: readonly string[] | undefined
  /** Only activities of these types. Default: of all. */
  readonly types?: readonly string[] | undefined
  /** 1 to 100. */
  readonly limit: number
  /** The id of the activity behind which the page begins. */
  readonly before?: string | undefined
}

export type Asking = {
  readonly organizationId: string
  /**
   * Sends `/public/v1/<path>` with these members, `organizationId` and `timestampMs`, stamped.
   *
   * @returns the JSON of the answer; rejects for a refusal, or if there is no answer
   */
  readonly ask: (path: string, members: object) => Promise<unknown>
  /** The error for an answer that is not what was asked for. Default: a `WrongAnswer`. */
  readonly wrong?: (why: string) => Error
}

/** An answer of a server that cannot be read, or is about something else. */
export class WrongAnswer extends Error {}

/** What a server tells a user of what waits. All calls reject as `ask` does, and for wrong answers. */
export type InboxCalls = {
  readonly organizationId: string
  /** Newest first. */
  readonly activities: (page: Page) => Promise<readonly SeenActivity[]>
  readonly activity: (activityId: string) => Promise<SeenActivity>
  readonly evaluations: (activityId: string) => Promise<readonly SeenEvaluations[]>
  readonly factors: (activityId: string) => Promise<readonly SeenFactors[]>
  readonly users: () => Promise<readonly SeenUser[]>
  readonly tags: () => Promise<readonly SeenTag[]>
  readonly policies: () => Promise<readonly SeenPolicy[]>
  readonly quorum: () => Promise<Quorum>
  readonly vote: (voting: Voting, fingerprint: string) => Promise<SeenActivity>
}

export const inboxCalls = (asking: Asking): InboxCalls => {
  const query = <A>(path: string, members: object, Codec: t.Type<A, unknown>) =>
    answerTo(asking, `query/${path}`, members, Codec)
  return {
    organizationId: asking.organizationId,
    activities: async ({ statuses, types, limit, before }) => {
      const wanted = {
        paginationOptions: { limit: String(limit), ...(before === undefined ? {} : { before }) },
        ...(statuses === undefined ? {} : { filterByStatus: statuses }),
        ...(types === undefined ? {} : { filterByType: types }),
      }
      return (await query('list_activities', wanted, t.type({ activities: t.readonlyArray(SeenActivity) }))).activities
    },
    activity: async (activityId) => {
      const { activity } = await query('get_activity', { activityId }, ActivityAnswer)
      if (activity.id === activityId) return activity
      throw wrongAnswer(asking, 'the server answered with another activity than the one that was asked for')
    },
    evaluations: async (activityId) =>
      (await query('get_policy_evaluations', { activityId }, EvaluationsAnswer)).policyEvaluations,
    factors: async (activityId) =>
      (await query('get_mfa_status', { activityId }, t.type({ mfaStatuses: t.readonlyArray(SeenFactors) })))
        .mfaStatuses,
    users: async () => (await query('list_users', {}, t.type({ users: t.readonlyArray(SeenUser) }))).users,
    tags: async () => (await query('list_user_tags', {}, t.type({ userTags: t.readonlyArray(SeenTag) }))).userTags,
    policies: async () =>
      (await query('list_policies', {}, t.type({ policies: t.readonlyArray(SeenPolicy) }))).policies,
    quorum: async () =>
      (await query('get_organization_configs', {}, t.type({ configs: t.type({ quorum: Quorum }) }))).configs.quorum,
    vote: async (voting, fingerprint) => {
      const path = `${voting}_activity`
      const voted = { type: `ACTIVITY_TYPE_${path.toUpperCase()}`, parameters: { fingerprint } }
      return (await answerTo(asking, `submit/${path}`, voted, ActivityAnswer)).activity
    },
  }
}

/** Asks a server, and reads its answer. */
export const answerTo = async <A>(
  asking: Asking,
  path: string,
  members: object,
  Codec: t.Type<A, unknown>,
): Promise<A> => {
  const read = decode(Codec, path)(await asking.ask(path, members))
  if (E.isRight(read)) return read.right
  throw wrongAnswer(asking, `the answer of the server cannot be read: ${read.left.message}`)
}

const wrongAnswer = ({ wrong = (why) => new WrongAnswer(why) }: Asking, why: string): Error => wrong(why)

export const ActivityAnswer = t.type({ activity: SeenActivity })
const EvaluationsAnswer = t.type({ policyEvaluations: t.readonlyArray(SeenEvaluations) })
