import { apiKeysOf } from '../../../core/organization/credential.ts'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { publicOperations, statesOf } from '../world/with-host.ts'
import type { Draft } from '../../../core/organization/state.ts'
import { flatten } from '../../../core/organization/snapshot.ts'
import { E } from '../../../core/prelude.ts'
import { allowedOrigins, isOrigin, originsIn } from '../../../core/organization/origins.ts'
import { features } from '../../../core/organization/features.ts'
import { anyApiKey, anyOrganization, NOBODY, NOW } from './execute.ts'

const it = suite('invariants')

const LIMITS = { users: 6, userTags: 4, policies: 4, longLivedApiKeys: 3, expiringApiKeys: 2 }

/** Draws numbers out of a list, round and round. */
type Draw = {
  readonly number: (max: number) => number
  readonly one: (ids: readonly string[]) => string
  readonly ids: (ids: readonly string[], min?: number) => string[]
}

const drawFrom = (numbers: readonly number[]): Draw => {
  let at = 0
  const number = (max: number) => (numbers[at++ % numbers.length] ?? 0) % max
  const one = (ids: readonly string[]) => (number(12) === 0 ? NOBODY : (ids[number(ids.length)] ?? NOBODY))
  return { number, one, ids: (ids, min = 0) => [...new Set(Array.from({ length: min + number(3) }, () => one(ids)))] }
}

const keys = ({ number }: Draw): Json[] =>
  Array.from({ length: number(3) + 1 }, () =>
    anyApiKey(number(60) + 1, number(3) > 0 ? {} : { expirationSeconds: String(number(9) + 1) }),
  )

const name = ({ number }: Draw): string => `name ${number(5)}`

const feature = ({ number }: Draw): string =>
  ['FEATURE_NAME_WEBAUTHN_ORIGINS', 'FEATURE_NAME_WEBHOOK', 'FEATURE_NAME'][number(3)] ?? ''
const origins = ({ number }: Draw): string[] =>
  Array.from({ length: number(3) }, (_, n) => `https://${number(9)}.example${n === 0 ? '' : ':1'}`)

/** Their attestations are checked by asynchronous code, so a test of their own draws them: `authenticator/credentials.test.ts`. */
const ELSEWHERE = ['create_authenticators', 'delete_authenticators']
const operations = publicOperations.filter(({ path }) => !ELSEWHERE.includes(path))

/** Parameters for each operation, mostly sensible, now and then not. */
const parameters: Readonly<Record<string, (states: ReturnType<typeof statesOf>, draw: Draw) => Json>> = {
  create_users: ({ userTags }, draw) => ({
    users: Array.from({ length: draw.number(3) === 0 ? 2 : 1 }, () => ({
      userName: name(draw),
      apiKeys: keys(draw),
      authenticators: [],
      oauthProviders: [],
      userTags: draw.ids([...userTags.keys()]),
    })),
  }),
  update_user: ({ users, userTags }, draw) => ({
    userId: draw.one([...users.keys()]),
    userName: name(draw),
    userEmail: ['', 'a@example.com', null][draw.number(3)] ?? null,
    userTagIds: draw.ids([...userTags.keys()]),
  }),
  create_api_only_users: ({ userTags }, draw) => ({
    apiOnlyUsers: [{ userName: name(draw), apiKeys: keys(draw), userTags: draw.ids([...userTags.keys()]) }],
  }),
  update_user_name: ({ users }, draw) => ({ userId: draw.one([...users.keys()]), userName: name(draw) }),
  update_user_email: ({ users }, draw) => ({
    userId: draw.one([...users.keys()]),
    userEmail: ['', 'a@example.com', 'b@example.com'][draw.number(3)] ?? '',
  }),
  update_user_phone_number: ({ users }, draw) => ({
    userId: draw.one([...users.keys()]),
    userPhoneNumber: ['', '+441234567890'][draw.number(2)] ?? '',
  }),
  delete_users: ({ users, quorum }, draw) => {
    const others = [...users.keys()].filter((userId) => !quorum.userIds.includes(userId) || draw.number(6) === 0)
    return { userIds: draw.ids(others, 1) }
  },
  create_api_keys: ({ users }, draw) => ({ userId: draw.one([...users.keys()]), apiKeys: keys(draw) }),
  delete_api_keys: ({ users }, draw) => {
    const userId = draw.one([...users.keys()])
    return { userId, apiKeyIds: draw.ids([...(users.get(userId)?.credentials.keys() ?? [])], 1) }
  },
  create_user_tag: ({ users }, draw) => ({ userTagName: name(draw), userIds: draw.ids([...users.keys()]) }),
  update_user_tag: ({ users, userTags }, draw) => ({
    userTagId: draw.one([...userTags.keys()]),
    newUserTagName: name(draw),
    addUserIds: draw.ids([...users.keys()]),
    removeUserIds: draw.ids([...users.keys()]),
  }),
  delete_user_tags: ({ userTags }, draw) => ({ userTagIds: draw.ids([...userTags.keys()], 1) }),
  create_policy: (_, draw) => ({ policyName: name(draw), effect: 'EFFECT_ALLOW', notes: '' }),
  create_policies: (_, draw) => ({
    policies: [1, 2].map(() => ({ policyName: name(draw), effect: 'EFFECT_DENY', notes: '', condition: 'true' })),
  }),
  update_policy: ({ policies }, draw) => ({ policyId: draw.one([...policies.keys()]), policyName: name(draw) }),
  delete_policy: ({ policies }, draw) => ({ policyId: draw.one([...policies.keys()]) }),
  delete_policies: ({ policies }, draw) => ({ policyIds: draw.ids([...policies.keys()], 1) }),
  update_root_quorum: ({ users }, draw) => ({ threshold: draw.number(3), userIds: draw.ids([...users.keys()], 1) }),
  update_organization_name: (_, draw) => ({ organizationName: name(draw) }),
  update_allowed_origins: (_, draw) => ({ allowedOrigins: origins(draw) }),
  set_organization_feature: (_, draw) => ({ name: feature(draw), value: origins(draw).join(',') }),
  remove_organization_feature: (_, draw) => ({ name: feature(draw) }),
}

const isDistinct = (list: readonly string[]): boolean => new Set(list).size === list.length

const assertSound = (draft: Draft): void => {
  const { users, userTags, policies, quorum, credentials } = statesOf(draft)
  const owners = [...users.values()].flatMap(({ userId, credentials: own }) =>
    [...own.values()].map(({ credentialId, publicKey }) => [`api-key:${publicKey}`, { userId, credentialId }] as const),
  )
  assert.is(owners.length, credentials.size)
  for (const [publicKey, owner] of owners) assert.equal(credentials.get(publicKey), owner)
  assert.ok(quorum.threshold >= 1 && quorum.threshold <= quorum.userIds.length)
  assert.ok(isDistinct(quorum.userIds) && quorum.userIds.every((userId) => users.has(userId)))
  for (const { tagIds, credentials: own } of users.values()) {
    assert.ok(isDistinct(tagIds) && tagIds.every((tagId) => userTags.has(tagId)))
    const longLived = apiKeysOf({ credentials: own }).filter(
      ({ expirationSeconds }) => expirationSeconds === undefined,
    ).length
    assert.ok(longLived >= 1 && longLived <= LIMITS.longLivedApiKeys)
    assert.ok(own.size - longLived <= LIMITS.expiringApiKeys)
  }
  assert.ok(isDistinct([...userTags.values()].map(({ tagName }) => tagName)))
  assert.ok(isDistinct([...policies.values()].map(({ policyName }) => policyName)))
  const passkeys = features.of(draft).get('FEATURE_NAME_WEBAUTHN_ORIGINS')
  assert.ok(passkeys === undefined || originsIn(passkeys) !== undefined)
  assert.ok(allowedOrigins.of(draft).origins.every(isOrigin))
  assert.ok(users.size <= LIMITS.users && userTags.size <= LIMITS.userTags && policies.size <= LIMITS.policies)
}

// Without bias towards small numbers, so that most steps are allowed and something is there to be changed.
const anySteps = fc.noBias(
  fc.array(
    fc.record({
      operation: fc.constantFrom(...operations),
      numbers: fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }),
    }),
    { minLength: 10, maxLength: 60, size: 'max' },
  ),
)

it('covers every operation', () =>
  assert.equal(Object.keys(parameters).sort(), operations.map(({ path }) => path).sort()))

it('hold after any sequence of operations, and replay gives the same state', () => {
  const executed = new Set<Operation>()
  fc.assert(
    fc.property(anySteps, (steps) => {
      const tried = anyOrganization()
      for (const [step, { operation, numbers }] of steps.entries()) {
        const intent = parameters[operation.path]?.(statesOf(tried.state), drawFrom(numbers)) ?? null
        const before: unknown = JSON.parse(JSON.stringify(flatten(tried.state)))
        const submitted = tried.submit(operation, intent, { limits: LIMITS, atMs: NOW + 1000 * step })
        if (E.isRight(submitted)) executed.add(operation)
        else assert.equal(flatten(tried.state), before)
        assertSound(tried.state)
      }
      assert.equal(flatten(tried.replayed()), flatten(tried.state))
    }),
    { numRuns: 100 },
  )
  assert.equal(
    operations.filter((operation) => !executed.has(operation)).map(({ path }) => path),
    [],
  ) // none was always refused
})

it.run()
