import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { generateKey, stamper } from '../../../adapters/signatures/signer.ts'
import { resourceIds } from '../../../core/activity/identity.ts'
import { apiKeyOf } from '../people.ts'
import type { Sent } from './journal.ts'
import type { Random } from './random.ts'
import { sendingTo, type Person, type Sending } from './sending.ts'
import type { Town } from './town.ts'

/** An organization below a town. Its ids follow from the activity that begins it. */
export type Child = Sending & {
  readonly organizationId: string
  readonly root: Person
  /** Whether a client has heard that it has begun. */
  isKnown: boolean
}

type Action = (town: Town, me: Person, random: Random) => Sent | undefined

const ORGANIZATION = 'SUB_ORGANIZATION'

/** Asks for an organization below, which a new key will be the root of. */
export const createChild: Action = ({ submit, known }, me, random) => {
  const key = generateKey('API_KEY_CURVE_P256')
  const sent = submit(me, 'create_sub_organization', `ACTIVITY_TYPE_CREATE_${ORGANIZATION}_V8`, {
    subOrganizationName: `child ${random.below(1_000_000_000)}`,
    rootUsers: [{ userName: 'root', apiKeys: [apiKeyOf(key)], authenticators: [], oauthProviders: [] }],
    rootQuorumThreshold: 1,
  })
  const ids = resourceIds(nodeDigest(), sent.activityId)
  const organizationId = ids()
  const root: Person = { name: 'root of a child', userId: ids(), header: 'x-stamp', stamp: stamper(key) }
  known.asked.set(sent.activityId, { ...sendingTo(organizationId), organizationId, root, isKnown: false })
  return sent
}

/** The root user of one that has begun works in it. */
export const useChild: Action = ({ known }, _, random) => {
  const child = random.pick(known.children)
  if (child === undefined) return undefined
  const { root, query, submit } = child
  if (random.below(2) === 0) return query(root, 'list_user_tags')
  const parameters = { userTagName: `n${random.below(1_000_000_000)}`, userIds: [root.userId] }
  return submit(root, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters)
}

/** Somebody of the town looks into it. */
export const lookBelow: Action = ({ known }, me, random) => random.pick(known.children)?.query(me, 'list_user_tags')

/** Beyond so many, one is ended now and then. */
const KEPT_MAX = 5

export const endChild: Action = ({ known }) => {
  const child = known.children.length > KEPT_MAX ? known.children.shift() : undefined
  return child?.submit(child.root, 'delete_sub_organization', `ACTIVITY_TYPE_DELETE_${ORGANIZATION}`, {})
}
