import { apiKeysOf } from '../../../../core/organization/credential.ts'
import { users } from '../../../../core/organization/users.ts'
import { credentials } from '../../../../core/organization/credentials.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { createUsers } from '../../../../core/resources/user/create-users.ts'
import { anyApiKey, anyOrganization, fieldsOf, NOBODY, NOW, ORGANIZATION, publicKey, uuid } from '../execute.ts'

const it = suite('create users')

type Members = { readonly [member: string]: Json }

const anyUser = (more: Members = {}) => ({
  userName: 'Edsger',
  apiKeys: [anyApiKey(10)],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
  ...more,
})
const intent = (...users: readonly Members[]) => ({ users })
const refusal = (more: Members, limits = {}) => anyOrganization().refuse(createUsers, intent(anyUser(more)), { limits })

it('creates users with keys, contacts and tags', () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [] })
  const contacts = { userEmail: 'e.w@example.com', userPhoneNumber: '+31201234567' }
  const { result, change } = tried.execute(createUsers, intent(anyUser({ ...contacts, userTags: [uuid(5)] })))
  assert.equal(result, { userIds: [uuid(6)] })
  const key = { apiKeyId: uuid(7), apiKeyName: 'key 10', publicKey: publicKey(10), curve: 'API_KEY_CURVE_P256' }
  assert.equal(change, {
    users: [{ userId: uuid(6), userName: 'Edsger', tagIds: [uuid(5)], apiKeys: [key], ...contacts }],
  })
  const user = users.of(tried.state).get(uuid(6))
  assert.equal(user?.tagIds, [uuid(5)])
  assert.is(user?.userEmail, 'e.w@example.com')
  assert.equal([user?.createdAtMs, user?.updatedAtMs], [NOW, NOW])
  assert.equal(credentials.of(tried.state).get(`api-key:${publicKey(10)}`), { userId: uuid(6), credentialId: uuid(7) })
})

it('takes a key of each curve, in either case', () => {
  const secp256k1 = '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75'
  const ed25519 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
  const tried = anyOrganization()
  const apiKeys = [
    anyApiKey(10, { publicKey: secp256k1.toUpperCase(), curveType: 'API_KEY_CURVE_SECP256K1' }),
    anyApiKey(11, { publicKey: ed25519, curveType: 'API_KEY_CURVE_ED25519' }),
  ]
  tried.execute(createUsers, intent(anyUser({ apiKeys })))
  assert.ok(credentials.of(tried.state).has(`api-key:${secp256k1}`))
  assert.ok(credentials.of(tried.state).has(`api-key:${ed25519}`))
})

it('drops contacts that are null, and keeps none that is empty', () => {
  const tried = anyOrganization()
  const { echo } = tried.execute(createUsers, intent(anyUser({ userEmail: null, userPhoneNumber: '' })))
  assert.equal(echo, intent({ ...anyUser(), userPhoneNumber: '' }))
  assert.equal(
    Object.keys(users.of(tried.state).get(uuid(5)) ?? {}).filter((member) => member.startsWith('userE')),
    [],
  )
  assert.is(users.of(tried.state).get(uuid(5))?.userPhoneNumber, undefined)
})

it('reads the third version', () => {
  const { result } = anyOrganization().execute(createUsers, intent(anyUser()), {
    type: 'ACTIVITY_TYPE_CREATE_USERS_V3',
  })
  assert.equal(result, { userIds: [uuid(5)] })
})

it('reads the second version, whose keys are of P-256', () => {
  const tried = anyOrganization()
  const key = { apiKeyName: 'a key', publicKey: publicKey(10), expirationSeconds: null }
  const user = { userName: 'Edsger', userEmail: 'e@example.com', apiKeys: [key], authenticators: [], userTags: [] }
  const { echo } = tried.execute(createUsers, intent(user), { type: 'ACTIVITY_TYPE_CREATE_USERS_V2' })
  assert.equal(echo, intent({ ...user, apiKeys: [{ apiKeyName: 'a key', publicKey: publicKey(10) }] }))
  const user5 = users.of(tried.state).get(uuid(5))
  assert.equal(user5 && apiKeysOf(user5).map(({ curve }) => curve), ['API_KEY_CURVE_P256'])
})

it('reads the first version, and echoes its access type', () => {
  const key = { apiKeyName: 'a key', publicKey: publicKey(10) }
  const user = { userName: 'Edsger', accessType: 'ACCESS_TYPE_API', apiKeys: [key], authenticators: [], userTags: [] }
  const type = 'ACTIVITY_TYPE_CREATE_USERS'
  assert.equal(anyOrganization().execute(createUsers, intent(user), { type }).echo, intent(user))
  const failure = anyOrganization().refuse(createUsers, intent({ ...user, accessType: 'ACCESS_TYPE_ROOT' }), { type })
  assert.equal(fieldsOf(failure), ['users.0.accessType'])
})

for (const [member, value, field] of [
  ['userName', '', 'userName'],
  ['userName', undefined, 'userName'],
  ['userEmail', 'nobody', 'userEmail'],
  ['userEmail', 'a b@example.com', 'userEmail'],
  ['userPhoneNumber', '0201234567', 'userPhoneNumber'],
  ['apiKeys', undefined, 'apiKeys'],
  ['authenticators', undefined, 'authenticators'],
  ['oauthProviders', null, 'oauthProviders'],
  ['oauthProviders', [{}], 'oauthProviders.0.providerName'],
  ['oauthProviders', [{ providerName: 'a' }], 'oauthProviders.0.oidcToken'],
  ['userTags', ['signers'], 'userTags.0'],
  ['userTags', [uuid(9), uuid(9)], 'userTags'],
  ['apiKeys', [{ ...anyApiKey(10), apiKeyName: undefined }], 'apiKeys.0.apiKeyName'],
  ['apiKeys', [{ ...anyApiKey(10), curveType: 'P256' }], 'apiKeys.0.curveType'],
  ['apiKeys', [{ ...anyApiKey(10), publicKey: `0x${publicKey(10)}` }], 'apiKeys.0.publicKey'],
  ['apiKeys', [{ ...anyApiKey(10), publicKey: `05${publicKey(10).slice(2)}` }], 'apiKeys.0.publicKey'],
  ['apiKeys', [{ ...anyApiKey(10), curveType: 'API_KEY_CURVE_ED25519' }], 'apiKeys.0.publicKey'],
] as const) {
  it(`refuses ${member} ${JSON.stringify(value)?.slice(0, 40) ?? 'that is missing'} at ${field}`, () => {
    const user: { readonly [member: string]: unknown } = { ...anyUser(), [member]: value }
    const failure = anyOrganization().refuse(createUsers, { users: [user as Members] }) // or what JSON could not say
    assert.is(failure.code, 'REQUEST_INVALID')
    assert.equal(fieldsOf(failure), [`users.0.${field}`])
  })
}

it('refuses no users', () => assert.equal(fieldsOf(anyOrganization().refuse(createUsers, intent())), ['users']))

it('refuses a tag that is not there', () =>
  assert.equal(refusal({ userTags: [NOBODY] }), {
    code: 'RESOURCE_NOT_FOUND',
    message: `unable to find user tag ${NOBODY} in organization ${ORGANIZATION}`,
  }))

it('refuses a user whose keys all expire', () => {
  assert.is(refusal({ apiKeys: [] }).message, `user missing valid credential: ${uuid(5)}`)
  const apiKeys = [anyApiKey(10, { expirationSeconds: '900' })]
  assert.is(refusal({ apiKeys }).message, `user missing valid credential: ${uuid(5)}`)
})

it('refuses a public key that somebody has, or twice', () => {
  assert.equal(fieldsOf(refusal({ apiKeys: [anyApiKey(1)] })), ['users.0.apiKeys.0.publicKey'])
  const failure = anyOrganization().refuse(createUsers, intent(anyUser(), anyUser()))
  assert.equal(fieldsOf(failure), ['users.1.apiKeys.0.publicKey'])
  assert.match(failure.message, 'This field must be unique.')
})

it('refuses more users than the organization may have', () => {
  assert.is(refusal({}, { users: 2 }).code, 'RESOURCE_EXHAUSTED')
  assert.match(refusal({}, { users: 2 }).message, 'is over its allotted quota: at most 2 users')
})

it('refuses more keys than a user may have', () => {
  const limits = { longLivedApiKeys: 1, expiringApiKeys: 1 }
  const expiring = { expirationSeconds: '900' }
  assert.equal(refusal({ apiKeys: [anyApiKey(10), anyApiKey(11)] }, limits), {
    code: 'RESOURCE_EXHAUSTED',
    message: 'user has exceeded maximum long-lived api keys',
  })
  const apiKeys = [anyApiKey(10), anyApiKey(11, expiring), anyApiKey(12, expiring)]
  assert.is(refusal({ apiKeys }, limits).message, 'user has exceeded maximum short-lived api keys')
})

it.run()
