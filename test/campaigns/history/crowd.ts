import { E } from '../../../core/prelude.ts'
import type { Json } from '../../../core/failure.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { activityIdOf, denialIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import type { Person, World } from '../../core/world/world.ts'
import { random as randomOf, type Random } from '../simulate/random.ts'
import { policyOf } from '../people.ts'
import type { Call, Heard, History, Said } from './history.ts'
import { entriesOf, loggedOf } from './logged.ts'

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
  const { engine, storage, organizationId } = world
  return { calls, log: loggedOf(engine.catalogue, organizationId, await entriesOf(storage, organizationId)) }
}

const digest = nodeSignatures()

const policy = (policyName: string, consensus: string): Json =>
  policyOf(policyName, 'ALLOW', "activity.resource == 'USER'", consensus)

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
