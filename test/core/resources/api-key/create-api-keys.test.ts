import type { Limits } from '../../../../core/definition/limits.ts'
import { users } from '../../../../core/organization/users.ts'
import { credentials } from '../../../../core/organization/credentials.ts'
import { suite } from 'uvu'
import { initial } from '../../../../core/organization/state.ts'
import * as assert from 'uvu/assert'
import { createApiKeys } from '../../../../core/resources/api-key/create-api-keys.ts'
import { DELETED_KEYS_MAX } from '../../../../core/resources/api-key/new-api-keys.ts'
import type { Intent } from '../../../../core/definition/operation.ts'
import { E } from '../../../../core/prelude.ts'
import {
  admitting,
  ADA,
  ADAS_KEY,
  anyApiKey,
  anyOrganization,
  fieldsOf,
  GRACE,
  NOBODY,
  NOW,
  publicKey,
  uuid,
  type Tried,
} from '../execute.ts'

const it = suite('create api keys')

const expiring = (n: number, seconds = 900) => anyApiKey(n, { expirationSeconds: String(seconds) })
const keysOf = ({ state }: Tried): readonly string[] => [...(users.of(state).get(ADA)?.credentials.keys() ?? [])]
const intentOf = (userId: string): Intent => {
  const decoded = createApiKeys.versions[0]?.decodeIntent({ userId, apiKeys: [] })
  if (decoded === undefined || E.isLeft(decoded)) throw new Error('not decoded')
  return decoded.right.intent
}

it('registers keys of a user', () => {
  const tried = anyOrganization()
  const { result, change } = tried.execute(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(10), expiring(11)] })
  assert.equal(result, { apiKeyIds: [uuid(5), uuid(6)] })
  const key = { apiKeyName: 'key 10', publicKey: publicKey(10), curve: 'API_KEY_CURVE_P256' }
  assert.equal(change, {
    userId: ADA,
    apiKeys: [
      { ...key, apiKeyId: uuid(5) },
      { ...key, apiKeyId: uuid(6), apiKeyName: 'key 11', publicKey: publicKey(11), expirationSeconds: 900 },
    ],
    evictedApiKeyIds: [],
  })
  assert.equal(keysOf(tried), [ADAS_KEY, uuid(5), uuid(6)])
  assert.equal(credentials.of(tried.state).get(`api-key:${publicKey(11)}`), { userId: ADA, credentialId: uuid(6) })
  assert.is(users.of(tried.state).get(ADA)?.credentials.get(uuid(6))?.createdAtMs, NOW)
})

it('reads the first version, whose keys are of P-256', () => {
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS'
  const parameters = { userId: ADA, apiKeys: [{ apiKeyName: 'a key', publicKey: publicKey(10).toUpperCase() }] }
  assert.equal(anyOrganization().execute(createApiKeys, parameters, { type }).result, { apiKeyIds: [uuid(5)] })
  const ofEd25519 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
  const refused = { userId: ADA, apiKeys: [{ apiKeyName: 'a key', publicKey: ofEd25519 }] }
  assert.equal(fieldsOf(anyOrganization().refuse(createApiKeys, refused, { type })), ['apiKeys.0.publicKey'])
})

it('is not admitted for a user who has deleted very many keys within a day', () => {
  const DAY_MS = 24 * 60 * 60 * 1000
  const { state } = anyOrganization()
  const deleted = users.in(state).get(ADA)?.deletedCredentials
  const isAdmitted = (userId: string, atMs: number): boolean =>
    E.isRight(createApiKeys.admit(intentOf(userId), admitting(state, atMs)))
  for (let n = 0; n < DELETED_KEYS_MAX; n += 1) {
    assert.ok(isAdmitted(ADA, NOW + n))
    deleted?.set(uuid(1_000 + n), NOW + n)
  }
  assert.equal([isAdmitted(ADA, NOW + DAY_MS - 1), isAdmitted(ADA, NOW + DAY_MS)], [false, true])
  assert.ok(isAdmitted(GRACE, NOW))
  assert.ok(isAdmitted(NOBODY, NOW)) // refused when it is executed, by a better name
})

it('lets an expired key make room first, then the oldest', () => {
  const tried = anyOrganization()
  const limits = { expiringApiKeys: 3 }
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [expiring(10), expiring(11, 1), expiring(12)] })
  const submit = (n: number) =>
    tried.execute(createApiKeys, { userId: ADA, apiKeys: [expiring(n)] }, { limits, atMs: NOW + 1000 })
  submit(13)
  assert.equal(keysOf(tried), [ADAS_KEY, uuid(5), uuid(7), uuid(8)])
  submit(14)
  assert.equal(keysOf(tried), [ADAS_KEY, uuid(7), uuid(8), uuid(9)])
  assert.equal(
    [10, 11, 12].map((n) => credentials.of(tried.state).has(`api-key:${publicKey(n)}`)),
    [false, false, true],
  )
})

it('evicts nothing for a key that does not expire', () => {
  const tried = anyOrganization()
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [expiring(10)] })
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(11)] }, { limits: { expiringApiKeys: 0 } })
  assert.equal(keysOf(tried), [ADAS_KEY, uuid(5), uuid(6)])
})

it('refuses more keys than a user may have', () => {
  const refuse = (apiKeys: Parameters<Tried['refuse']>[1], limits: Limits) =>
    anyOrganization().refuse(createApiKeys, { userId: ADA, apiKeys }, { limits })
  assert.equal(refuse([anyApiKey(10)], { longLivedApiKeys: 1 }), {
    code: 'RESOURCE_EXHAUSTED',
    message: 'user has exceeded maximum long-lived api keys',
  })
  assert.is(
    refuse([expiring(10), expiring(11)], { expiringApiKeys: 1 }).message,
    'user has exceeded maximum short-lived api keys',
  )
})

it('lets a long-lived key come to a user who has all expiring ones, which do not count with it', () => {
  const tried = anyOrganization()
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [expiring(10), expiring(11)] })
  const limits = { longLivedApiKeys: 2, expiringApiKeys: 2 }
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(12)] }, { limits })
  tried.refuse(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(13)] }, { limits })
})

it('lets an expiring key come to a user who has all long-lived ones', () => {
  anyOrganization().execute(
    createApiKeys,
    { userId: ADA, apiKeys: [expiring(10)] },
    { limits: { longLivedApiKeys: 1 } },
  )
})

for (const expirationSeconds of ['0', '-1', '1.5', ' 1', '1e3', '', 'soon', '315360001', 900]) {
  it(`refuses a life of ${JSON.stringify(expirationSeconds)}`, () => {
    const apiKeys = [anyApiKey(10, { expirationSeconds })]
    const failure = anyOrganization().refuse(createApiKeys, { userId: ADA, apiKeys })
    assert.match(failure.message, 'invalid api key expiration')
    assert.equal(fieldsOf(failure), ['apiKeys.0.expirationSeconds'])
  })
}

it('allows a life of ten years', () => {
  anyOrganization().execute(createApiKeys, { userId: ADA, apiKeys: [expiring(10, 315_360_000)] })
})

it('refuses a public key that somebody has, or twice', () => {
  const refuse = (...ns: number[]) =>
    fieldsOf(anyOrganization().refuse(createApiKeys, { userId: ADA, apiKeys: ns.map((n) => anyApiKey(n)) }))
  assert.equal(refuse(2), ['apiKeys.0.publicKey'])
  assert.equal(refuse(10, 10), ['apiKeys.1.publicKey'])
})

it('refuses a user who is not there', () =>
  assert.is(anyOrganization().refuse(createApiKeys, { userId: NOBODY, apiKeys: [] }).code, 'RESOURCE_NOT_FOUND'))

it('tells policies and rules whose credentials they are', () => {
  assert.equal(createApiKeys.params(intentOf(ADA)), { user_id: ADA })
  assert.ok(createApiKeys.isOwnCredentials(intentOf(ADA), ADA, initial('')))
  assert.not.ok(createApiKeys.isOwnCredentials(intentOf(ADA), GRACE, initial('')))
})

it.run()
