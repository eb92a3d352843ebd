import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { right, world, type Person, type World } from '../world/world.ts'

/** The policies that stand from the beginning of the history, and those that are tried on it. */
export const policiesOf = ({ ops, intern }: Tags) => {
  const has = (tag: string): string => `user.tags.contains('${tag}')`
  const policy = (policyName: string, effect: 'EFFECT_ALLOW' | 'EFFECT_DENY', kind: string, consensus: string) => ({
    policyName,
    effect,
    condition: `activity.kind == '${kind}'`,
    consensus,
    notes: '',
  })
  return {
    there: [
      policy('ops change tags', 'EFFECT_ALLOW', 'UPDATE_USER_TAG', `approvers.any(user, ${has(ops)})`),
      policy('two change users', 'EFFECT_ALLOW', 'UPDATE_USER', 'approvers.count() >= 2'),
      policy('no interns on users', 'EFFECT_DENY', 'UPDATE_USER', `approvers.any(user, ${has(intern)})`),
    ],
    tried: [
      policy('ops change tags', 'EFFECT_ALLOW', 'UPDATE_USER_TAG', `approvers.filter(user, ${has(ops)}).count() >= 2`),
      policy('two change users', 'EFFECT_ALLOW', 'UPDATE_USER', 'approvers.count() >= 1'),
      policy('no interns on tags', 'EFFECT_DENY', 'UPDATE_USER_TAG', `approvers.any(user, ${has(intern)})`),
    ],
  }
}

type Tags = { readonly ops: string; readonly intern: string }
type Kind = 'UPDATE_USER_TAG' | 'UPDATE_USER'
type Tagged = { isOps: boolean; isIntern: boolean }
type Outcome = 'ALLOWED' | 'CONSENSUS_NEEDED' | 'DENIED'

/** What the policies say, written down a second time without them. */
const outcomes = {
  there: (kind: Kind, approvers: readonly Tagged[]): Outcome => {
    if (kind === 'UPDATE_USER_TAG') return approvers.some(({ isOps }) => isOps) ? 'ALLOWED' : 'CONSENSUS_NEEDED'
    if (approvers.some(({ isIntern }) => isIntern)) return 'DENIED'
    return approvers.length >= 2 ? 'ALLOWED' : 'CONSENSUS_NEEDED'
  },
  tried: (kind: Kind, approvers: readonly Tagged[]): Outcome => {
    if (kind === 'UPDATE_USER') return 'ALLOWED'
    if (approvers.some(({ isIntern }) => isIntern)) return 'DENIED'
    return approvers.filter(({ isOps }) => isOps).length >= 2 ? 'ALLOWED' : 'CONSENSUS_NEEDED'
  },
}

export type KnownHistory = {
  readonly made: World
  readonly tags: Tags
  /** The decisions that come out otherwise, as `time user: outcome to outcome`. */
  readonly changed: readonly string[]
  /** How many decisions the policies took part in. */
  readonly decisions: number
}

/**
 * Makes a history of many activities: users ask, others approve, roots approve in between, and users get tags and lose them. It knows
 * which decisions come out otherwise. No two decisions have the same time.
 */
export const knownHistory = async (activities: number, random: () => number): Promise<KnownHistory> => {
  const made = await world()
  const tags = { ops: await newTag(made, 'ops'), intern: await newTag(made, 'intern') }
  await made.done(made.root, 'create_policies', { policies: policiesOf(tags).there })
  const people: (Tagged & { readonly person: Person })[] = []
  for (let n = 0; n < 6; n += 1) {
    const isOps = n < 3
    const tagIds = isOps ? [tags.ops] : []
    people.push({ person: await made.enrol(`user ${n}`, tagIds), isOps, isIntern: false })
  }
  const changed: string[] = []
  let decisions = 0
  const pick = <A>(from: readonly A[]): A => from[Math.floor(random() * from.length)] as A // never empty
  const taken = (kind: Kind, approvers: readonly (typeof people)[number][], isByRoot: boolean): Outcome => {
    const [before, after] = isByRoot
      ? (['ALLOWED', 'ALLOWED'] as const)
      : [outcomes.there(kind, approvers), outcomes.tried(kind, approvers)]
    decisions += 1
    const voter = isByRoot ? made.root : approvers.at(-1)?.person
    if (before !== after) changed.push(`${made.clock.now()} ${voter?.userId}: ${before} to ${after}`)
    return before
  }

  for (let n = 0; n < activities; n += 1) {
    made.clock.pass(1 + Math.floor(random() * 60_000))
    if (random() < 0.1) {
      await retag(made, tags, people, pick(people), random() < 0.5)
      decisions += 1
      continue
    }
    const requester = pick(people)
    const kind: Kind = random() < 0.5 ? 'UPDATE_USER_TAG' : 'UPDATE_USER'
    const asked = await made.submit(requester.person, ...request(kind, tags, requester.person, n))
    const approvers = [requester]
    let outcome = taken(kind, approvers, false)
    while (outcome === 'CONSENSUS_NEEDED' && E.isRight(asked)) {
      made.clock.pass(1)
      const isByRoot = random() < 0.2
      const voter = pick(people.filter((one) => !approvers.includes(one)))
      const isAsked = kind === 'UPDATE_USER' || voter.isOps
      if (!isByRoot && !isAsked) continue
      right(await made.approve(isByRoot ? made.root : voter.person, asked.right))
      if (!isByRoot) approvers.push(voter)
      outcome = taken(kind, approvers, isByRoot)
    }
  }
  return { made, tags, changed, decisions }
}

const newTag = async ({ done, root }: World, userTagName: string): Promise<string> => {
  const { result } = await done(root, 'create_user_tag', { userTagName, userIds: [] })
  return (result['createUserTagResult'] as { readonly userTagId: string }).userTagId
}

const request = (kind: Kind, { ops }: Tags, { userId }: Person, n: number): readonly [path: string, intent: Json] =>
  kind === 'UPDATE_USER'
    ? ['update_user', { userId, userName: `renamed ${n}` }]
    : (['update_user_tag', { userTagId: ops, newUserTagName: `ops ${n}`, addUserIds: [], removeUserIds: [] }] as const)

/** The root gives a tag to somebody, or takes it. Two of the operators stay. */
const retag = async (
  { done, root }: World,
  tags: Tags,
  people: readonly Tagged[],
  one: Tagged & { readonly person: Person },
  isAboutOps: boolean,
): Promise<void> => {
  const hasIt = isAboutOps ? one.isOps : one.isIntern
  const isNeeded = isAboutOps && hasIt && people.filter(({ isOps }) => isOps).length <= 3
  const { userId } = one.person
  const removes = hasIt && !isNeeded
  await done(root, 'update_user_tag', {
    userTagId: isAboutOps ? tags.ops : tags.intern,
    newUserTagName: '',
    addUserIds: removes ? [] : [userId],
    removeUserIds: removes ? [userId] : [],
  })
  if (isAboutOps) one.isOps = !removes
  else one.isIntern = !removes
}
