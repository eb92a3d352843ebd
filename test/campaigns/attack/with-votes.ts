/** What votes can be made to cost: each of them is a request, and is kept and shown. */
import type { SigningKey } from 'countersign/signatures'
import { VOTE_BYTES_MAX } from '../../../core/command/vote.ts'
import { noTally, type Attack } from './attack.ts'
import { padded } from './bodies.ts'
import { policyOf } from '../people.ts'
import { activityIdIn, crowd, fingerprintIn, FULL, type CrowdOptions } from './crowd.ts'
import { link } from './link.ts'
import { asking } from './salvos.ts'
import { renamed, stamped, type Stage } from './stage.ts'
import { envelopeOf } from './with-credential.ts'

/** An activity on which so many have voted, and the last who may. */
const votedOn = async (
  stage: Stage,
  options: CrowdOptions & { readonly votes: number; readonly voteBytes: number; readonly activities?: number },
) => {
  const members = await crowd(stage, options)
  const everyone = policyOf('everyone', 'ALLOW', '', `approvers.count() >= ${options.votes + 2}`)
  await stage.submit('create_policies', { policies: [everyone] })
  let last = ''
  for (let n = 0; n < (options.activities ?? 1); n += 1) {
    last = await stage.submit('update_user_tag', renamed(stage, `renamed ${n}`), members[0]?.key)
    const fingerprint = fingerprintIn(last)
    for (const { key } of members.slice(1, options.votes + 1))
      await send(stage, vote(stage, fingerprint, options.voteBytes, key))
  }
  return { activityId: activityIdIn(last), fingerprint: fingerprintIn(last), members }
}

const vote = (stage: Stage, fingerprint: string, bytes: number, key: SigningKey): Uint8Array => {
  const body = { ...envelopeOf(stage, 'ACTIVITY_TYPE_APPROVE_ACTIVITY'), parameters: { fingerprint } }
  return stamped('submit/approve_activity', padded(body, bytes), key)
}

/** Answers with all votes on an activity are long: nobody here reads them. */
const send = async ({ url }: Stage, request: Uint8Array): Promise<void> => {
  const { ask, close } = link(url, noTally())
  const status = await ask(request)
  close()
  if (status !== 200) throw new Error(`a vote was answered ${status}`)
}

const VOTES_MAX = FULL.users - 2 // one has submitted the activity, and with the vote of the last it would be decided
/** As many votes as there can be, each as long as it may be. */
const LARGE = { users: FULL.users, votes: VOTES_MAX, voteBytes: VOTE_BYTES_MAX }
const FAT = { ...FULL, votes: VOTES_MAX, voteBytes: 0, activities: 4 }

export const withVotes: readonly Attack[] = [
  {
    name: 'get-activity-of-large-votes',
    says: 'An activity with as many votes as there can be, each as long as it may be.',
    answers: [200],
    prepare: async (stage) => {
      const { activityId } = await votedOn(stage, LARGE)
      return asking(stage.url, [stage.question('get_activity', { activityId })], 2)
    },
  },
  {
    name: 'vote-again-on-large-votes',
    says: 'A vote that comes again, on an activity with all the votes that there can be: it is answered with all of them.',
    answers: [200],
    prepare: async (stage) => {
      const { fingerprint, members } = await votedOn(stage, LARGE)
      const [first] = members
      return first === undefined
        ? asking(stage.url, [])
        : asking(stage.url, [vote(stage, fingerprint, 0, first.key)], 2)
    },
  },
  {
    name: 'list-activities-of-large-votes',
    says: 'A page that begins with an activity with all the votes that there can be, each as long as it may be.',
    answers: [200],
    prepare: async (stage) => {
      await votedOn(stage, LARGE)
      return asking(stage.url, [stage.question('list_activities')], 2)
    },
  },
  {
    name: 'get-policy-evaluations-of-large-votes',
    says: 'What the policies said at all the votes that there can be, each as long as it may be.',
    answers: [200],
    prepare: async (stage) => {
      const { activityId } = await votedOn(stage, LARGE)
      return asking(stage.url, [stage.question('get_policy_evaluations', { activityId })], 2)
    },
  },
  {
    name: 'list-activities-of-large-voters',
    says: 'A page of activities on which nearly all users have voted, who have as many keys and tags as there may be, with the longest names.',
    answers: [200],
    prepare: async (stage) => {
      await votedOn(stage, FAT)
      return asking(stage.url, [stage.question('list_activities', { paginationOptions: { limit: '100' } })], 2)
    },
  },
  {
    name: 'get-activity-of-large-voters',
    says: 'An activity on which nearly all users have voted, who have as many keys and tags as there may be, with the longest names.',
    answers: [200],
    prepare: async (stage) => {
      const { activityId } = await votedOn(stage, { ...FAT, activities: 1 })
      return asking(stage.url, [stage.question('get_activity', { activityId })], 2)
    },
  },
]
