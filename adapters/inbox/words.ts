/* What people read of an activity, in words. How it looks is up to who shows it. */
import type { Timestamp } from '../../core/codec/timestamp.ts'
import { countOf, durationText } from './amounts.ts'
import type { Missing, WantedByPolicy } from './missing-approvals.ts'
import type { SeenFactors, SeenUser, SeenVote } from './seen.ts'

/** The name of an operation in a type, such as `create_user_tag`. */
export const operationOf = (type: string): string => type.replace(/^ACTIVITY_TYPE_/, '').toLowerCase()

/** The statuses that people name, with the words for them. */
export const STATUSES: Readonly<Record<string, { readonly status: string; readonly says: string }>> = {
  waiting: { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', says: 'waits for approvals' },
  pending: { status: 'ACTIVITY_STATUS_PENDING', says: 'is under way' },
  completed: { status: 'ACTIVITY_STATUS_COMPLETED', says: 'is completed' },
  failed: { status: 'ACTIVITY_STATUS_FAILED', says: 'has failed' },
  rejected: { status: 'ACTIVITY_STATUS_REJECTED', says: 'is rejected' },
  factor: { status: 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED', says: 'waits for a second factor' },
}

/** What has become of an activity, in words. */
export const statusText = (status: string): string =>
  Object.values(STATUSES).find((one) => one.status === status)?.says ?? status

/** The name of a status; of one that this version does not know, what the server says. */
export const statusWord = (status: string): string =>
  Object.entries(STATUSES).find(([, one]) => one.status === status)?.[0] ?? status

/** The milliseconds of a time on the wire. */
export const millisOfTime = (time: string | Timestamp): number =>
  typeof time === 'string' ? Date.parse(time) : Number(time.seconds) * 1000 + Number(time.nanos) / 1e6

/** How long ago that was, in words. */
export const agoText = (time: string | Timestamp, nowMs: number): string => {
  const ms = nowMs - millisOfTime(time)
  if (!Number.isFinite(ms)) return 'at an unknown time'
  return ms < 1000 ? 'just now' : `${durationText(ms)} ago`
}

/** The name of a voter, or the id of one who has none. */
export const nameIn = ({ user, userId }: Pick<SeenVote, 'user' | 'userId'>): string => {
  const name = user['userName']
  return typeof name === 'string' && name !== '' ? name : userId
}

export const selectionText = ({ selection }: Pick<SeenVote, 'selection'>): string =>
  selection === 'VOTE_SELECTION_APPROVED' ? 'approved' : 'rejected'

/** The names of users and tags, by id: `the user Ada`. */
export type Names = ReadonlyMap<string, string>

/** What the ids in a text stand for. The text keeps its ids, because a name could be mistaken for a part of it. */
export const namesIn = (text: string, names: Names): readonly string[] =>
  [...names].flatMap(([id, name]) => (text.includes(id) ? [`${id} is ${name}`] : []))

/** What a voter lacks of an MFA policy. */
export const factorsText = ({ userId, satisfiedMethods, requiredMethods }: SeenFactors, names: Names): string =>
  `${names.get(userId) ?? userId} has met ${satisfiedMethods.length} of ${countOf(requiredMethods.length, 'step')}` +
  ' of an MFA policy, and has to approve with another credential'

/** One way to what an activity lacks. */
export type Wanted = {
  readonly text: string
  /** What the ids in the text stand for. */
  readonly names: readonly string[]
  /** Who could give it. */
  readonly who: readonly string[]
}

/** What an activity lacks, in words: what each policy wants, and last the root quorum, which may always approve. */
export const missingWords = ({ policies, quorum }: Missing, names: Names): readonly Wanted[] => [
  ...policies.map((one) => wantedBy(one, names)),
  {
    text: `${policies.length === 0 ? '' : 'or '}${approvalsOf(quorum.count)} of the root quorum: ${listOf(quorum.among)}`,
    names: [],
    who: [],
  },
]

const wantedBy = ({ policyName, consensus, enough, among }: WantedByPolicy, names: Names): Wanted => ({
  text: `the policy "${policyName}" wants ${consensus}`,
  names: namesIn(consensus, names),
  who:
    enough === undefined || among === undefined
      ? ['who could give that cannot be known here']
      : [
          ...(enough.length === 0 ? [] : [`one of these is enough: ${listOf(enough)}`]),
          ...(among.length === 0 ? [] : [`only together with others: ${listOf(among)}`]),
          ...(enough.length + among.length === 0 ? ['nobody was found who could give that'] : []),
        ],
})

const approvalsOf = (count: number): string => countOf(count, 'more approval', 'more approvals')

const listOf = (users: readonly SeenUser[]): string => {
  const shown = users.slice(0, LISTED_MAX).map(({ userName }) => userName)
  const more = users.length - shown.length
  if (shown.length === 0) return 'nobody is left'
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const LISTED_MAX = 10
