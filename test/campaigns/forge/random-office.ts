import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import type { ManualClock } from '../../../adapters/testing/office/manual-clock.ts'
import { headOf } from '../../core/world/head-of.ts'
import { genesisBody, right } from '../../core/world/world.ts'
import type { Random } from '../simulate/random.ts'
import { simulatedPasskeys } from '../simulate/simulated-passkeys.ts'
import { manyKeys as keys, simulatedSignatures, simulatedStamp } from '../simulate/simulated-signatures.ts'
import { childActs } from './children.ts'
import { knownOf, send, someone, submit, userOf, type Office } from './office.ts'

/** An organization whose people do anything that can be done, by chance. */
export type RandomOffice = {
  /** Somebody sends a request. */
  readonly act: (engine: Engine) => Promise<void>
}

export const randomOffice = async (
  first: Engine,
  clock: ManualClock,
  random: Random,
  organizationId: string,
  erasesIn?: EventStore,
): Promise<RandomOffice> => {
  const [root = random.pick(keys)] = keys
  const beginning = genesisBody(organizationId, root, clock.now(), 'Office')
  const genesis = { headers: { 'x-stamp': simulatedStamp(root, beginning) }, body: beginning, address: null }
  const begun = right(await first.createOrganization(genesis)())
  const office: Office = {
    random,
    clock,
    organizationId,
    root,
    rootId: begun.activity.votes[0]?.userId ?? '',
    known: knownOf(new Map()),
    erasesIn,
    sent: [],
  }
  office.known.users.set(root.publicKey, office.rootId)
  for (const key of keys.slice(1, 4))
    await submit(office, first, root, 'create_users', { users: [newUser(office, key)] })
  return {
    act: async (engine) => {
      let luck = random.below(TOTAL)
      await acts.find(([weight]) => (luck -= weight) < 0)?.[1](office, engine)
    },
  }
}

const newUser = ({ known: { tags }, sent }: Office, { publicKey }: SigningKey): Json => {
  const apiKeys = [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return { userName: `user ${sent.length}`, apiKeys, authenticators: [], oauthProviders: [], userTags: tags.slice(-1) }
}

const newKey = ({ random, sent }: Office): Json => {
  const { publicKey } = random.pick(keys)
  const expiring = random.chance(0.4) ? { expirationSeconds: String(60 + random.below(7200)) } : {}
  return { apiKeyName: `key ${sent.length}`, publicKey, curveType: 'API_KEY_CURVE_P256', ...expiring }
}

const newPolicy = (office: Office): Json => {
  const { random, known, sent } = office
  const userId = userOf(office)
  const condition = random.pick([
    '',
    "activity.action == 'CREATE'",
    "activity.resource == 'PAYMENT'",
    "activity.resource == 'PAYMENT' && activity.params.cents > 500",
    "activity.resource == 'USER_TAG'",
    "activity.type == 'ACTIVITY_TYPE_QUOTE'",
  ])
  const consensus = random.pick([
    '',
    'true',
    'approvers.count() >= 2',
    `approvers.any(user, user.id == '${userId}')`,
    "approvers.any(user, user.email == 'mail@example.com')",
    `approvers.filter(user, user.alias != 'user ${random.below(sent.length + 1)}').count() >= 2`,
    `approvers.any(user, user.tags.contains('${known.tags.at(-1) ?? userId}'))`,
    "credentials.any(c, c.type == 'CREDENTIAL_TYPE_API_KEY_P256')",
    "credentials.any(c, c.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')",
  ])
  const effect = random.chance(0.75) ? 'EFFECT_ALLOW' : 'EFFECT_DENY'
  return { policyName: `policy ${sent.length}`, effect, condition, consensus, notes: '' }
}

const newQuorum = (office: Office): Json => {
  const userIds = [...new Set([office.rootId, userOf(office), userOf(office)])]
  return { threshold: Math.min(userIds.length, 1 + office.random.below(2)), userIds }
}

/** Asks for an activity with these parameters; nobody does where there are none. */
const asks =
  (path: string, parameters: (office: Office) => Json | undefined) =>
  async (office: Office, engine: Engine): Promise<void> => {
    const asked = parameters(office)
    if (asked !== undefined) await submit(office, engine, someone(office), path, asked)
  }

const vote = async (office: Office, engine: Engine): Promise<void> => {
  const { random, known } = office
  if (known.open.length === 0) return
  const { fingerprint } = random.pick(known.open)
  const path = random.chance(0.8) ? 'approve_activity' : 'reject_activity'
  return submit(office, engine, someone(office), path, { fingerprint })
}

/** Somebody sends what somebody sent a moment ago. */
const sendAgain = async (office: Office, engine: Engine): Promise<void> => {
  const again = office.sent.at(-1 - office.random.below(12))
  if (again !== undefined) return send(office, engine, someone(office), again.path, again.body)
}

const newPasskey = (office: Office): Json => ({
  userId: userOf(office),
  authenticators: [office.random.pick(simulatedPasskeys).params],
})

const amount = ({ random }: Office) => ({ payee: random.pick(['baker', 'printer']), cents: random.below(1000) })

/** The root deletes somebody, if anybody is erased here. */
const deletes = async (office: Office, engine: Engine): Promise<void> => {
  if (office.erasesIn !== undefined)
    await submit(office, engine, office.root, 'delete_users', { userIds: [userOf(office)] })
}

/** Somebody who was deleted is erased: mostly the root asks for it, who may often decide it alone. */
const erase = async (office: Office, engine: Engine): Promise<void> => {
  const { random, root, erasesIn, known, organizationId } = office
  const userId = known.deleted.at(random.below(known.deleted.length))
  if (userId === undefined || erasesIn === undefined) return
  const head = await headOf(erasesIn, simulatedSignatures, organizationId)
  const by = random.chance(0.8) ? root : someone(office)
  await submit(office, engine, by, 'erase_user', { userId, head, ...(random.chance(0.4) ? { requests: 'MADE' } : {}) })
}

const featureOf = ({ random }: Office): string =>
  random.pick(['FEATURE_NAME_WEBAUTHN_ORIGINS', 'FEATURE_NAME_WEBHOOK', 'FEATURE_NAME_EMAIL_AUTH'])

/** What may happen, each with its weight. */
const acts: readonly (readonly [weight: number, act: (office: Office, engine: Engine) => Promise<void>])[] = [
  [30, vote],
  [8, sendAgain],
  [
    20,
    asks('create_user_tag', (office) => ({
      userTagName: `tag ${office.random.below(400)}`,
      userIds: office.random.chance(0.5) ? [userOf(office)] : [],
    })),
  ],
  [6, asks('create_users', (office) => ({ users: [newUser(office, office.random.pick(keys))] }))],
  [1, asks('create_api_only_users', (office) => ({ apiOnlyUsers: [newUser(office, office.random.pick(keys))] }))],
  [3, asks('delete_users', (office) => ({ userIds: [userOf(office)] }))],
  [3, asks('update_user', (office) => ({ userId: userOf(office), userName: `name ${office.sent.length}` }))],
  [1, asks('update_user_name', (office) => ({ userId: userOf(office), userName: `name ${office.sent.length}` }))],
  [
    2,
    asks('update_user_email', (office) => ({
      userId: userOf(office),
      userEmail: office.random.pick(['', 'mail@example.com']),
    })),
  ],
  [
    1,
    asks('update_user_phone_number', (office) => ({
      userId: userOf(office),
      userPhoneNumber: office.random.pick(['', '+15550100123']),
    })),
  ],
  [1, asks('set_organization_feature', (office) => ({ name: featureOf(office), value: 'https://a.example' }))],
  [1, asks('remove_organization_feature', (office) => ({ name: featureOf(office) }))],
  [1, asks('update_organization_name', (office) => ({ organizationName: `office ${office.sent.length}` }))],
  [1, asks('update_allowed_origins', () => ({ allowedOrigins: ['https://a.example'] }))],
  [4, deletes],
  [12, erase],
  [5, asks('create_policy', newPolicy)],
  [
    3,
    asks('delete_policy', ({ random, known: { policies } }) => {
      const policyId = policies.at(random.below(policies.length))
      return policyId === undefined ? undefined : { policyId }
    }),
  ],
  [4, asks('update_root_quorum', newQuorum)],
  [5, asks('create_api_keys', (office) => ({ userId: userOf(office), apiKeys: [newKey(office)] }))],
  [
    3,
    asks('delete_api_keys', ({ random, known: { apiKeys } }) => {
      const gone = apiKeys.at(random.below(apiKeys.length))
      return gone === undefined ? undefined : { userId: gone.userId, apiKeyIds: [gone.apiKeyId] }
    }),
  ],
  [6, asks('create_authenticators', newPasskey)],
  [
    2,
    asks('delete_authenticators', ({ random, known: { passkeys } }) => {
      const gone = passkeys.at(random.below(passkeys.length))
      return gone === undefined ? undefined : { userId: gone.userId, authenticatorIds: [gone.authenticatorId] }
    }),
  ],
  [9, asks('pay', amount)],
  [3, asks('mail', amount)],
  [5, asks('quote', amount)],
  ...childActs,
]

const TOTAL = acts.reduce((sum, [weight]) => sum + weight, 0)
