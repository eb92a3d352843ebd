import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import { headOf } from '../../core/world/head-of.ts'
import { manyKeys as keys, simulatedSignatures } from '../simulate/simulated-signatures.ts'
import { someone, submit, userOf, type Office } from './office.ts'

type Act = (office: Office, engine: Engine) => Promise<void>

const create: Act = async (office, engine) => {
  const { random, sent } = office
  await submit(office, engine, someone(office), 'create_sub_organization', {
    subOrganizationName: `child ${sent.length}`,
    rootQuorumThreshold: 1,
    rootUsers: [userWith(office, random.pick(keys))],
  })
}

const userWith = ({ sent }: Office, { publicKey }: SigningKey) => ({
  userName: `below ${sent.length}`,
  apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
  authenticators: [],
  oauthProviders: [],
})

/** Somebody does something in an organization below: mostly one of its own users, sometimes one of above. */
const below =
  (path: string, parameters: (child: Office) => Json): Act =>
  async (office, engine) => {
    const child = office.known.children.at(office.random.below(office.known.children.length))
    if (child === undefined) return
    const by = office.random.chance(0.9) ? someone(child) : someone(office)
    await submit(child, engine, by, path, parameters(child))
  }

const newTag = ({ random }: Office): Json => ({ userTagName: `tag ${random.below(400)}`, userIds: [] })
const newUser = (child: Office): Json => ({
  users: [{ ...userWith(child, child.random.pick(keys)), userTags: [] }],
})

/** Somebody of above has a user of below erased: there, or in the log of above. */
const erase: Act = async (office, engine) => {
  const { random, root, known, erasesIn } = office
  const child = known.children.at(random.below(known.children.length))
  const userId = child?.known.deleted.at(random.below(child.known.deleted.length))
  if (child === undefined || userId === undefined || erasesIn === undefined) return
  const isThere = random.chance(0.6)
  const place = isThere ? child : office
  const head = await headOf(erasesIn, simulatedSignatures, place.organizationId)
  const more = { ...(random.chance(0.4) ? { requests: 'MADE' } : {}) }
  const by = random.chance(0.8) ? root : someone(office)
  const subOrganizationId = isThere ? {} : { subOrganizationId: child.organizationId }
  await submit(place, engine, by, 'erase_user', { userId, head, ...more, ...subOrganizationId })
}

/** What may happen to organizations below an office, each with its weight. */
export const childActs: readonly (readonly [weight: number, act: Act])[] = [
  [8, create],
  [8, below('create_user_tag', newTag)],
  [4, below('create_users', newUser)],
  [2, below('delete_users', (child) => ({ userIds: [userOf(child)] }))],
  [2, below('delete_sub_organization', () => ({}))],
  [6, erase],
]
