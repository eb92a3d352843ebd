import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { NEW_KEYS_MAX } from '../../../core/resources/api-key/new-api-keys.ts'
import {
  ALL_NOTES_LENGTH_MAX,
  NOTES_LENGTH_MAX,
  TEXTS_LENGTH_MAX,
} from '../../../core/resources/policy/policy-rules.ts'
import { codeOf, right, world } from '../world/world.ts'

/* What one request may ask for, so that it does not keep everybody waiting. */
const it = suite('bounds of operations')

/** Keys that are on no curve. */
const keys = (count: number): Json =>
  Array.from({ length: count }, (_, n) => ({
    apiKeyName: `key ${n}`,
    publicKey: `02${n.toString(16).padStart(4, '0').repeat(16)}`,
    curveType: 'API_KEY_CURVE_ED25519',
  }))
const users = (count: number): Json => [
  { userName: 'crowd', apiKeys: keys(count), authenticators: [], oauthProviders: [], userTags: [] },
]
const policy = (policyName: string, members: { readonly [member: string]: Json } = {}): Json => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  notes: '',
  ...members,
})

it('asks for permission before it checks keys, and counts them before it looks at any', async () => {
  const { close, enrol, root, submit } = await world()
  const outsider = await enrol('outsider')
  const codes = async (count: number): Promise<readonly string[]> => [
    codeOf(await submit(outsider, 'create_users', { users: users(count) })),
    codeOf(await submit(root, 'create_users', { users: users(count) })),
  ]
  assert.equal(await codes(1), ['REQUEST_NOT_AUTHORIZED', 'REQUEST_INVALID'])
  assert.equal(await codes(NEW_KEYS_MAX), ['REQUEST_NOT_AUTHORIZED', 'RESOURCE_EXHAUSTED'])
  assert.equal(await codes(NEW_KEYS_MAX + 1), ['RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED'])
  const apiKeys = (count: number) => ['create_api_keys', { userId: root.userId, apiKeys: keys(count) }] as const
  assert.is(codeOf(await submit(root, ...apiKeys(NEW_KEYS_MAX + 1))), 'RESOURCE_EXHAUSTED')
  await close()
})

it('takes policies whose texts fit together, and lets those that do not fit be made shorter', async () => {
  const { close, done, root, submit } = await world()
  const long = `activity.type == '${'x'.repeat(16_000)}'`
  const count = Math.floor(TEXTS_LENGTH_MAX / long.length)
  const many = (from: number, to: number) => ({
    policies: Array.from({ length: to - from }, (_, n) => policy(`policy ${from + n}`, { condition: long })),
  })
  assert.is(codeOf(await submit(root, 'create_policies', many(0, count))), 'RESOURCE_EXHAUSTED')
  const made = await done(root, 'create_policies', many(0, count / 2))
  const { policyIds } = made.result.createPoliciesResult as { readonly policyIds: readonly string[] }
  await done(root, 'create_policies', many(count / 2, count))
  assert.is(codeOf(await submit(root, 'create_policy', policy('more', { condition: long }))), 'RESOURCE_EXHAUSTED')
  const update = (policyCondition: string) =>
    submit(root, 'update_policy', { policyId: policyIds[0] ?? '', policyCondition })
  right(await update(long))
  right(await update("activity.type == 'short'"))
  right(await submit(root, 'create_policy', policy('more', { consensus: 'true' })))
  await close()
})

it('asks again when an activity that has waited is approved, since others may have taken the room', async () => {
  const { approve, close, done, enrol, reject, root } = await world()
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  const condition = `activity.type == '${'x'.repeat(16_000)}'`
  const most = Math.floor(TEXTS_LENGTH_MAX / condition.length)
  const waiting = []
  for (let n = 0; n <= most; n += 1)
    waiting.push(await done(root, 'create_policy', policy(`policy ${n}`, { condition })))
  for (const activity of waiting.slice(0, most))
    assert.is(right(await approve(ada, activity)).status, 'ACTIVITY_STATUS_COMPLETED')
  const [last] = waiting.slice(most)
  if (last === undefined) throw new Error('nothing waits')
  assert.is(codeOf(await approve(ada, last)), 'RESOURCE_EXHAUSTED')
  assert.is(right(await reject(ada, last)).status, 'ACTIVITY_STATUS_REJECTED')
  await close()
})

it('takes notes of a length that a list can carry', async () => {
  const { close, root, submit } = await world()
  const notes = (length: number) => policy(`notes ${length}`, { notes: 'n'.repeat(length) })
  right(await submit(root, 'create_policy', notes(NOTES_LENGTH_MAX)))
  assert.is(codeOf(await submit(root, 'create_policy', notes(NOTES_LENGTH_MAX + 1))), 'REQUEST_INVALID')
  const all = ALL_NOTES_LENGTH_MAX / NOTES_LENGTH_MAX
  for (let n = 1; n < all; n += 1) right(await submit(root, 'create_policy', notes(NOTES_LENGTH_MAX - n)))
  right(await submit(root, 'create_policy', notes(10)))
  assert.is(codeOf(await submit(root, 'create_policy', notes(NOTES_LENGTH_MAX - 20))), 'RESOURCE_EXHAUSTED')
  await close()
})

it.run()
