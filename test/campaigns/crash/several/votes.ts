import { until } from '../../../until.ts'
import { policyOf } from '../../people.ts'
import { closeStorage, readFound } from '../found.ts'
import { httpClient } from '../http-client.ts'
import { activityIn, isUncertain, type Sent, type Shown } from '../journal.ts'
import { deliver } from '../load.ts'
import { randomOf, type Random } from '../random.ts'
import { foundTown, type Town } from '../town.ts'
import { startFleet } from './fleet.ts'
import type { Ground, SeveralPlace } from './ground.ts'
import { checkedAtRest } from './round.ts'

export type VotesReport = {
  readonly activities: number
  readonly sent: number
  /** Votes in the log beside those of the requesters. */
  readonly recorded: number
  readonly allowed: number
  readonly violations: readonly string[]
}

const SERVERS = 3
const CLIENTS = 120
const MEMBERS = 20
/** The approvals that an activity needs, with that of its requester. */
const APPROVALS = 5
/** How often everybody votes on each activity: every other time with the same bytes. */
const VOTES_EACH = 22

/** Lets everybody vote on everything many times at once, over three servers, and counts what the log has of it. */
export const runVotes = async (ground: Ground, seed: string, votes: number): Promise<VotesReport> => {
  const random = randomOf(seed)
  const town = foundTown(3, MEMBERS)
  const place = await ground.place([town], random)
  const fleet = startFleet({ place, servers: SERVERS, storeOf: () => place.address, nextLife: () => undefined })
  await fleet.calm(false)
  const urlOf = (): string => fleet.urlOf(random) ?? ''
  const count = Math.max(1, Math.round(votes / (VOTES_EACH * (MEMBERS - 1))))
  const open = await openActivities(place, town, count, urlOf)
  const sending = ballots(town, open, random)
  const sent = sending.length
  await sendAll(place, sending, urlOf)
  const { violations } = await checkedAtRest(place, fleet)
  await fleet.close()
  const storage = await place.openToRead()
  const { events, activities } = await readFound(storage)
  await closeStorage(storage)
  await place.close(false)
  const ids = new Set(open.map(({ id }) => id))
  const own = events.filter(({ activity }) => ids.has(activity))
  const wrong = open.flatMap(({ id }) => {
    const voters = activities.get(id)?.activity.votes.map(({ userId }) => userId) ?? []
    const completions = own.filter(({ activity, type }) => activity === id && type === 'ActivityCompleted').length
    return voters.length === APPROVALS && new Set(voters).size === APPROVALS && completions === 1
      ? []
      : [`activity ${id} has ${voters.length} votes of ${new Set(voters).size} users, and ${completions} completions`]
  })
  return {
    activities: open.length,
    sent,
    recorded: own.filter(({ type }) => type === 'ActivityVoted').length,
    allowed: open.length * (APPROVALS - 1),
    violations: [...wrong, ...violations, ...fleet.violations()],
  }
}

/** Activities of the first member that wait for the others. */
const openActivities = async (
  place: SeveralPlace,
  { setup, submit, members, roots }: Town,
  count: number,
  urlOf: () => string,
): Promise<readonly Shown[]> => {
  const [me, root] = [members[0], roots[0]]
  if (me === undefined || root === undefined) throw new Error('a town needs somebody')
  const rule = policyOf('many together', 'ALLOW', "activity.resource == 'USER'", `approvers.count() >= ${APPROVALS}`)
  const together = submit(root, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', rule)
  const wishes = Array.from({ length: count }, (_, n) =>
    submit(me, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: `tag ${n}`, userIds: [] }),
  )
  const client = httpClient('opener')
  // Without the town's own policy, for which two are enough.
  for (const sent of [...setup.slice(0, 1), together, ...wishes]) await deliver(place, client, urlOf(), sent)
  client.close()
  return place.journal.answers().flatMap((answered) => {
    const shown = activityIn(answered)
    return shown?.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' ? [shown] : []
  })
}

/** Members alone: a root would decide by itself. */
const ballots = ({ members, vote }: Town, open: readonly Shown[], random: Random): Sent[] =>
  open
    .flatMap((shown) =>
      members.slice(1).flatMap((member) =>
        Array.from({ length: VOTES_EACH / 2 }, () => {
          const sent = vote(member, 'approve', shown)
          return [sent, sent]
        }).flat(),
      ),
    )
    .map((sent) => ({ sent, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ sent }) => sent)

/** Each until it is answered for good. */
const sendAll = async (place: SeveralPlace, left: Sent[], urlOf: () => string): Promise<void> => {
  const work = async (index: number): Promise<void> => {
    const client = httpClient(`voter ${index}`)
    for (let sent = left.pop(); sent !== undefined; sent = left.pop()) {
      await until(async () => {
        const before = place.journal.calls().length
        await deliver(place, client, urlOf(), sent)
        const { answered } = place.journal.calls()[before] ?? {}
        return answered !== undefined && !isUncertain(answered)
      })
    }
    client.close()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => work(index)))
  place.journal.takeOpen() // all of it was sent again
}
