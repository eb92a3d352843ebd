import { userTags } from '../../core/resources/user-tag/user-tags.ts'
import { decodeEvent, type Event } from '../../core/log/event.ts'
import { partsOf, type Parts } from '../../core/log/parts.ts'
import { foldEvent } from '../../core/organization/fold.ts'
import { initial, type Organization } from '../../core/organization/state.ts'
import { E } from '../../core/prelude.ts'
import type { Json } from '../../core/failure.ts'
import type { ActivityView } from '../../core/view/activity-view.ts'
import { activityIdOf, denialIdOf, fingerprintOf } from '../../core/activity/identity.ts'
import { nodeSignatures } from '../../adapters/signatures/node-signatures.ts'
import { right, type Person, type World } from '../world.ts'
import { random as randomOf, type Random } from '../simulate/random.ts'
import type { Call, Heard, History, Logged, Said } from './history.ts'

export type CrowdOptions = { readonly clients: number; readonly callsEach: number; readonly seed: number }

/** Lets many clients submit, vote, ask, and change policies, users and the quorum at once; writes down all of it. */
export const crowd = async (world: World, { clients, callsEach, seed }: CrowdOptions): Promise<History> => {
  const people = [world.root]
  for (let n = 1; n < 8; n += 1) people.push(await world.enrol(`person ${n}`))
  const members = people.slice(0, 3).map(({ userId }) => userId)
  await world.done(world.root, 'create_policy', policy('two of us', 'approvers.count() >= 2'))
  await world.done(world.root, 'update_root_quorum', { threshold: 2, userIds: members })
  const calls: Call[] = []
  let at = 0
  const tick = (): number => (at += 1)
  const open: ActivityView[] = []
  const bodies: { readonly path: string; readonly body: Uint8Array }[] = []

  const one = async (name: string, person: Person, random: Random): Promise<void> => {
    const luck = random.next()
    if (luck < 0.15) return list(name, person)
    if (luck < 0.5 && open.length > 0) return vote(name, person, random)
    if (luck < 0.58 && bodies.length > 0) return submit(name, person, random.pick(bodies))
    const [path, parameters] = wish(random, members)
    const written = { path, body: world.body(path, parameters) }
    bodies.push(written)
    return submit(name, person, written)
  }

  const noted = async (client: string, said: Said, call: () => Promise<Heard>): Promise<Heard> => {
    const sentAt = tick()
    const heard = await call()
    calls.push({ client, sentAt, heardAt: tick(), said, heard })
    return heard
  }

  const submit = async (client: string, person: Person, { path, body }: (typeof bodies)[number]): Promise<void> => {
    const fingerprint = fingerprintOf(digest, body)
    const activity = activityIdOf(digest, world.organizationId, fingerprint)
    const denial = denialIdOf(digest, world.organizationId, fingerprint, person.userId)
    await noted(client, { _tag: 'submit', activity, denial, user: person.userId }, async () => {
      const answer = await world.send(person, path, body)
      if (E.isRight(answer) && answer.right.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') open.push(answer.right)
      return heardOf(answer)
    })
  }

  const vote = async (client: string, person: Person, random: Random): Promise<void> => {
    const target = random.pick(open.slice(-12))
    const selection = random.chance(0.75) ? 'approve' : 'reject'
    const said: Said = { _tag: 'vote', activity: target.id, user: person.userId, selection }
    await noted(client, said, async () =>
      heardOf(await (selection === 'approve' ? world.approve(person, target) : world.reject(person, target))),
    )
  }

  const list = async (client: string, person: Person): Promise<void> => {
    await noted(client, { _tag: 'list' }, async () => {
      const answer = await world.ask(person, 'list_user_tags')
      if (E.isLeft(answer)) return { _tag: 'refused', code: answer.left.code }
      const tags = answer.right.userTags as readonly { readonly tagId: string; readonly tagName: string }[] // as the wire has it
      return { _tag: 'listed', shown: tags.map(({ tagId, tagName }) => `${tagId} ${tagName}`).join(',') }
    })
  }

  await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const random = randomOf(seed * 1000 + n)
      const person = people[n % people.length] ?? world.root
      for (let call = 0; call < callsEach; call += 1) await one(`client ${n}`, person, random)
    }),
  )
  return { calls, log: logOf(world, await entriesOf(world)) }
}

const digest = nodeSignatures()

const policy = (policyName: string, consensus: string): Json => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition: "activity.resource == 'USER'",
  consensus,
  notes: '',
})

const wish = (random: Random, members: readonly string[]): readonly [string, Json] => {
  const luck = random.next()
  if (luck < 0.06)
    return ['create_policy', policy(`policy ${random.below(1e9)}`, `approvers.count() >= ${1 + random.below(3)}`)]
  if (luck < 0.1) return ['update_root_quorum', { threshold: 1 + random.below(members.length), userIds: [...members] }]
  if (luck < 0.14) return ['delete_user_tags', { userTagIds: ['00000000-0000-4000-8000-000000000000'] }]
  return ['create_user_tag', { userTagName: `tag ${random.below(1e9)}`, userIds: [] }]
}

const heardOf = (answer: E.Either<{ readonly code: string }, ActivityView>): Heard => {
  if (E.isLeft(answer)) {
    const isDenial = answer.left.code === 'REQUEST_NOT_AUTHORIZED' && 'details' in answer.left
    return isDenial ? { _tag: 'denied' } : { _tag: 'refused', code: answer.left.code }
  }
  const { id, status, votes } = answer.right
  return {
    _tag: 'activity',
    activity: id,
    status: status.replace('ACTIVITY_STATUS_', ''),
    voters: votes.map(({ userId }) => userId),
  }
}

/** An event with its parts. */
type Entry = { readonly event: Event; readonly parts: Parts }

/** The log, read from the store and decoded. */
export const entriesOf = async ({ storage, organizationId }: World): Promise<readonly Entry[]> => {
  const entries: Entry[] = []
  for (let after = 0n; ;) {
    const page = await storage.store.readLog(organizationId, after, 1000)()
    if (E.isLeft(page)) throw new Error(page.left.message)
    for (const { line, sequence, parts } of page.right) {
      const event = decodeEvent(line)
      if (E.isLeft(event)) throw new Error(event.left.message)
      entries.push({ event: event.right, parts: partsOf(event.right, parts) })
      after = sequence
    }
    if (page.right.length < 1000) return entries
  }
}

/** The state after each event, told to a listener: one event at a time. */
export const folded = (
  world: World,
  entries: readonly Entry[],
  each: (event: Event, state: Organization) => void,
): Organization => {
  const state = initial(world.organizationId)
  for (const { event, parts } of entries) {
    right(foldEvent(state, event, world.engine.catalogue, parts))
    each(event, state)
  }
  return state
}

const logOf = (world: World, entries: readonly Entry[]): readonly Logged[] => {
  const log: Logged[] = []
  folded(world, entries, (event, organization) => {
    log.push({
      sequence: Number(event.sequence),
      activity: event.activity,
      ...kindOf(event),
      shows: [...userTags.of(organization).values()].map(({ tagId, tagName }) => `${tagId} ${tagName}`).join(','),
    })
  })
  return log
}

const kindOf = (event: Event): Pick<Logged, 'event' | 'user'> => {
  switch (event.type) {
    case 'ActivityCreated': {
      const isDenied = event.data.decision.verdict.outcome === 'DENIED'
      return { event: isDenied ? 'denied' : 'created', user: event.data.requester }
    }
    case 'ActivityVoted': {
      const { outcome } = event.data.decision.verdict
      return { event: outcome === 'REJECTED' || outcome === 'DENIED' ? 'rejected' : 'approved', user: event.data.user }
    }
    case 'ActivityStarted':
      return { event: 'started', user: undefined }
    case 'ActivityCompleted':
      return { event: 'completed', user: undefined }
    case 'ActivityFailed':
      return { event: 'failed', user: undefined }
    default:
      return event satisfies never
  }
}
