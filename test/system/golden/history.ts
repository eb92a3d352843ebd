import { withHost } from '../../core/world/with-host.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { webhookOperations } from '../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import { testPorts } from '../../core/world/ports.ts'
import { keptOpen } from '../../core/world/test-store.ts'
import { quiet, until } from '../../core/world/under-way.ts'
import { defaultLimits } from '../../core/world/with-host.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { testClock, type TestClock } from '../../core/world/world.ts'
import { children } from './children.ts'
import { factors } from './factors.ts'
import { approvals, policies, stolenKeys } from './decisions.ts'
import { hostOperations, isDown, refusesToPay, RESUME_AFTER_MS, type Bank } from './host-operations.ts'
import { hours } from './hours.ts'
import { goldenKeyring, walletsAndKeys } from './keys.ts'
import { begunByPasskey, endpoints, passkeys, settings } from './passkeys.ts'
import { beginOffice, idIn, keyParams, type Office } from './office.ts'

/** What happened, and the key by which each organization can still be asked. */
export type History = {
  readonly storage: Storage
  readonly clock: TestClock
  readonly roots: readonly { readonly organizationId: string; readonly key: SigningKey }[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Limits of the second process of this history: one is not the default. */
export const LIMITS: Limits = { ...defaultLimits, expiringApiKeys: 2 }

/**
 * Lets everything happen once that an engine can write into a log: every operation in each of its forms, all curves and
 * schemes, approvals, rejections, denials, lapses, effects that are tried again, fail or are interrupted, users and keys
 * that go, passkeys, second factors, an organization that a passkey begins, policies that hold at certain times, limits that are not the
 * default, a clock that goes back, organizations below another one, wallets, private keys and secrets that come, sign and go, endpoints of
 * webhooks, and persons who are erased afterwards.
 */
export const makeHistory = async (): Promise<History> => {
  const storage = keptOpen(memoryStore())
  const clock = testClock()
  const bank: Bank = { answers: [] }
  const keyring = goldenKeyring(storage)
  const open = (limits: Limits): Promise<Engine> =>
    createEngine({
      store: storage,
      clock,
      limits,
      ports: { keyring },
      ...testPorts(),
      ids: nodeIds({ clock }),
      resources: [...withHost([...hostOperations(bank)]), ...erasure, ...webhookOperations],
    })

  const first = await open(defaultLimits)
  const office = await beginOffice(first, clock)
  await tags(office)
  await users(office)
  await keys(office)
  await policies(office)
  await approvals(office)
  await payments(office, bank)
  await first.close()

  const second = await open(LIMITS)
  const again = office.reopened(second)
  await stolenKeys(again)
  await afterRestart(again)
  await neighbour(second, clock)
  const other = await neighbour(second, clock)
  const byPasskey = await begunByPasskey(second, clock)
  await enlisted(again)
  await settings(again)
  await endpoints(again)
  await passkeys(again)
  await again.done(again.root, 'create_user_tag', { userTagName: 'the last', userIds: [] })
  await leavers(again)
  const child = await children(again, storage.store)
  const withFactors = await factors(second, clock)
  const withHours = await hours(second, clock)
  const withKeys = await walletsAndKeys(second, clock)
  await second.close()
  await keyring.close()
  const own = { organizationId: office.organizationId, key: office.root.key }
  return { storage, clock, roots: [own, other, byPasskey, child, withFactors, withKeys, withHours] }
}

const tags = async ({ root, done }: Office): Promise<void> => {
  await done(root, 'create_user_tag', { userTagName: 'Größe “zwei”, "drei" \\ 🚀', userIds: [] })
  const officers = idIn(
    await done(root, 'create_user_tag', { userTagName: 'officers', userIds: [root.userId] }),
    'userTagId',
  )
  const gone = idIn(await done(root, 'create_user_tag', { userTagName: 'gone soon', userIds: [] }), 'userTagId')
  await done(root, 'update_user_tag', {
    userTagId: officers,
    newUserTagName: 'officers of the day',
    addUserIds: [],
    removeUserIds: [],
  })
  await done(root, 'update_user_tag', { userTagId: gone, addUserIds: [root.userId], removeUserIds: [] })
  await done(root, 'delete_user_tags', { userTagIds: [gone] })
  for (let hour = 1; hour <= 3; hour += 1)
    await done(root, 'update_user_tag', {
      userTagId: officers,
      newUserTagName: `officers of hour ${hour}`,
      addUserIds: [],
      removeUserIds: [],
    })
}

const users = async ({ root, done, enrol, submit, people }: Office): Promise<void> => {
  for (const name of ['ada', 'grace', 'mary', 'joan']) await enrol(name)
  await enrol('sec', [], { key: generateKey('API_KEY_CURVE_SECP256K1') })
  await enrol('wallet', [], { key: generateKey('API_KEY_CURVE_SECP256K1'), eip191: true })
  await enrol('ed', [], { key: generateKey('API_KEY_CURVE_ED25519') })
  const p256 = (): Json => ({ apiKeyName: 'key', publicKey: generateKey('API_KEY_CURVE_P256').publicKey })
  const v1 = {
    userName: 'first form',
    accessType: 'ACCESS_TYPE_API',
    apiKeys: [p256()],
    authenticators: [],
    userTags: [],
  }
  const v2 = {
    userName: 'second form',
    userEmail: 'second@example.com',
    apiKeys: [p256()],
    authenticators: [],
    userTags: [],
  }
  const v3 = {
    userName: 'third form',
    userPhoneNumber: '+15550100123',
    apiKeys: [keyParams('key', generateKey('API_KEY_CURVE_ED25519'))],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }
  const made = [
    await done(root, 'create_users', { users: [v1] }, { type: 'ACTIVITY_TYPE_CREATE_USERS' }),
    await done(root, 'create_users', { users: [v2] }, { type: 'ACTIVITY_TYPE_CREATE_USERS_V2' }),
    await done(root, 'create_users', { users: [v3] }, { type: 'ACTIVITY_TYPE_CREATE_USERS_V3' }),
  ].map((activity) => idIn(activity, 'userIds'))
  await done(root, 'update_user', {
    userId: made[0] ?? '',
    userName: 'first form, renamed',
    userEmail: 'first@example.com',
    userTagIds: [],
  })
  await done(root, 'delete_users', { userIds: [made[1] ?? ''] })
  for (const name of ['sec', 'wallet', 'ed']) {
    const one = people.get(name)
    if (one !== undefined) await submit(one, 'create_user_tag', { userTagName: `denied to ${name}`, userIds: [] })
  }
}

const keys = async ({ clock, root, done, people, person, submit }: Office): Promise<void> => {
  const ada = person('ada')
  const lasting = generateKey('API_KEY_CURVE_P256')
  const added = await done(ada, 'create_api_keys', { userId: ada.userId, apiKeys: [keyParams('another', lasting)] })
  await done(
    ada,
    'create_api_keys',
    {
      userId: ada.userId,
      apiKeys: [{ apiKeyName: 'first form', publicKey: generateKey('API_KEY_CURVE_P256').publicKey }],
    },
    { type: 'ACTIVITY_TYPE_CREATE_API_KEYS' },
  )
  await submit({ ...ada, key: lasting }, 'create_user_tag', { userTagName: 'denied to another key', userIds: [] })
  await done(ada, 'delete_api_keys', { userId: ada.userId, apiKeyIds: [idIn(added, 'apiKeyIds')] })
  // Eleven that expire: the eleventh takes the place of the one that has expired by then, the twelfth of the oldest.
  for (let n = 1; n <= 12; n += 1) {
    const key = generateKey('API_KEY_CURVE_ED25519')
    const apiKeys = [keyParams(`session ${n}`, key, n === 3 ? '60' : '86400')]
    const session = idIn(await done(root, 'create_api_keys', { userId: ada.userId, apiKeys }), 'apiKeyIds')
    if (n === 12) people.set('session', { ...ada, key, apiKeyId: session })
    if (n === 10) clock.pass(2 * MINUTE_MS)
  }
  await submit(person('session'), 'create_user_tag', { userTagName: 'denied to a session', userIds: [] })
}

const payments = async ({ clock, done, person, root, submit, vote, answer }: Office, bank: Bank): Promise<void> => {
  const [ada, grace] = [person('ada'), person('grace')]
  const settled = async ({ id }: ActivityView): Promise<void> => {
    await until(async () => {
      const { activity } = await answer(root, 'get_activity', { activityId: id })
      return (activity as { readonly status: string }).status !== 'ACTIVITY_STATUS_PENDING'
    })
  }
  await vote('approve', grace, await done(ada, 'pay', { payee: 'baker', cents: 500 }))
  bank.answers.push(isDown)
  const again = await done(ada, 'pay', { payee: 'printer', cents: 700 })
  const begun = vote('approve', grace, again)
  await quiet()
  clock.pass(RESUME_AFTER_MS)
  await begun
  await settled(again)
  bank.answers.push(refusesToPay)
  await done(root, 'pay', { payee: 'nobody', cents: 900 })
  await done(person('joan'), 'quote', { item: 'paper' })
  await done(root, 'mail', { to: 'ada' })
  const lost = submit(root, 'mail', { to: 'nobody' })
  await quiet()
  clock.pass(10_000)
  await lost // still under way when its process ends
}

const afterRestart = async ({ clock, done, person, root, submit, vote }: Office): Promise<void> => {
  clock.pass(2 * RESUME_AFTER_MS)
  await quiet()
  const joan = person('joan')
  for (let n = 1; n <= 3; n += 1) {
    const apiKeys = [keyParams(`session ${n}`, generateKey('API_KEY_CURVE_P256'), '900')]
    await done(joan, 'create_api_keys', { userId: joan.userId, apiKeys })
  }
  clock.pass(-4 * MINUTE_MS) // a clock that was ahead is set right
  const [ada, grace] = [person('ada'), person('grace')]
  await vote(
    'approve',
    grace,
    await done(ada, 'create_user_tag', { userTagName: 'after the clock went back', userIds: [] }),
  )
  await submit(person('wallet'), 'create_policy', { policyName: 'denied', effect: 'EFFECT_ALLOW', notes: '' })
  await done(root, 'update_user', { userId: joan.userId, userTagIds: [] })
  clock.pass(HOUR_MS)
  for (let n = 1; n <= 14; n += 1) {
    const open = await done(ada, 'create_user_tag', { userTagName: `many ${n}`, userIds: [] })
    if (n % 4 !== 0) await vote(n % 4 === 1 ? 'reject' : 'approve', grace, open)
  }
}

/** Persons in parts of their own: alone, and after an approval. */
const enlisted = async ({ done, person, root, vote }: Office): Promise<void> => {
  const [ada, grace] = ['Ada', 'Grace'].map((name) => ({ name, email: `${name}@example.org` }))
  const persons = [ada ?? null, grace ?? null]
  await done(root, 'enlist', { persons })
  await done(root, 'create_policy', {
    policyName: 'two enlist',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'PERSON'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  await vote('approve', person('grace'), await done(person('ada'), 'enlist', { persons: [ada ?? null] }))
  await done(root, 'enlist', { persons })
}

/** Two leave. Both are erased, the second with the requests that he made. */
const leavers = async ({ done, enrol, person, root, submit }: Office): Promise<void> => {
  const [ann, ben] = [await enrol('ann'), await enrol('ben')]
  await done(root, 'update_user', { userId: ann.userId, userEmail: 'ann@example.org', userPhoneNumber: '+14155550100' })
  await submit(person('ben'), 'update_user', { userId: ann.userId, userName: 'denied' })
  await done(root, 'delete_users', { userIds: [ann.userId, ben.userId] })
  await done(root, 'erase_user', { userId: ann.userId })
  await done(root, 'erase_user', { userId: ben.userId, requests: 'MADE' })
}

/** Another organization in the same store, which shares nothing with the first. */
const neighbour = async (engine: Engine, clock: TestClock): Promise<History['roots'][number]> => {
  const office = await beginOffice(engine, clock)
  await office.enrol('ada')
  await office.submit(office.person('ada'), 'create_user_tag', { userTagName: 'denied', userIds: [] })
  return { organizationId: office.organizationId, key: office.root.key }
}
