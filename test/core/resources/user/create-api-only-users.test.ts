import { apiKeysOf } from '../../../../core/organization/credential.ts'
import { suite } from 'uvu'
import { initial } from '../../../../core/organization/state.ts'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { users } from '../../../../core/organization/users.ts'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { createApiOnlyUsers } from '../../../../core/resources/user/create-api-only-users.ts'
import { codeOf } from '../../world/world.ts'
import { admitting, anyOrganization, fieldsOf, NOBODY, NOW, ORGANIZATION, publicKey, uuid } from '../execute.ts'

const it = suite('create api-only users')

const keyOf = (n: number, more: { readonly [member: string]: Json } = {}) => ({
  apiKeyName: `key ${n}`,
  publicKey: publicKey(n),
  ...more,
})
const edsger = { userName: 'Edsger', userEmail: 'e@example.com', userTags: [], apiKeys: [keyOf(7)] }
const refuse = (...apiOnlyUsers: readonly Json[]) => anyOrganization().refuse(createApiOnlyUsers, { apiOnlyUsers })

it('creates users with keys of P-256 and tags, and answers their ids', () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'machines', userIds: [] })
  const barbara = {
    userName: 'Barbara',
    userTags: [uuid(5)],
    apiKeys: [keyOf(8), keyOf(9, { expirationSeconds: '9' })],
  }
  const { echo, result } = tried.execute(createApiOnlyUsers, { apiOnlyUsers: [edsger, barbara] })
  assert.equal(echo, { apiOnlyUsers: [edsger, barbara] })
  assert.equal(result, { userIds: [uuid(6), uuid(8)] })
  const [first, second] = [uuid(6), uuid(8)].map((userId) => users.of(tried.state).get(userId))
  assert.equal([first?.userName, first?.userEmail, first?.createdAtMs], ['Edsger', 'e@example.com', NOW])
  assert.equal(first && apiKeysOf(first).map(({ curve }) => curve), ['API_KEY_CURVE_P256'])
  assert.equal([second?.tagIds, second?.credentials.size], [[uuid(5)], 2])
  assert.equal(users.of(tried.replayed()), users.of(tried.state))
})

it('names the persons whose data the request holds: those whom it creates', () => {
  const decoded = createApiOnlyUsers.versions[0]?.decodeIntent({ apiOnlyUsers: [edsger, edsger] })
  if (decoded?._tag !== 'Right') throw new Error('not read')
  let created = 0
  assert.equal(
    createApiOnlyUsers.subjects(decoded.right.intent, () => uuid((created += 1)), uuid(9), initial('')),
    [uuid(1), uuid(3)],
  )
})

it('refuses what create_users refuses, and says where', () => {
  assert.equal(fieldsOf(refuse()), ['apiOnlyUsers'])
  assert.equal(fieldsOf(refuse({ ...edsger, userName: '' })), ['apiOnlyUsers.0.userName'])
  assert.equal(fieldsOf(refuse({ userName: 'a' })), ['apiOnlyUsers.0.userTags', 'apiOnlyUsers.0.apiKeys'])
  assert.equal(fieldsOf(refuse({ ...edsger, userEmail: '@' })), ['apiOnlyUsers.0.userEmail'])
  assert.equal(fieldsOf(refuse(edsger, edsger)), ['apiOnlyUsers.1.apiKeys.0.publicKey'])
  const onNoCurve = { apiKeyName: 'a', publicKey: `02${'ff'.repeat(32)}` }
  assert.equal(fieldsOf(refuse({ ...edsger, apiKeys: [onNoCurve] })), ['apiOnlyUsers.0.apiKeys.0.publicKey'])
  const nobodysTag = refuse({ ...edsger, userTags: [NOBODY] })
  assert.is(nobodysTag.message, `unable to find user tag ${NOBODY} in organization ${ORGANIZATION}`)
})

it('refuses a user without a key that lasts, and more users than there may be', () => {
  for (const apiKeys of [[], [keyOf(7, { expirationSeconds: '9' })]])
    assert.is(refuse({ ...edsger, apiKeys }).message, `user missing valid credential: ${uuid(5)}`)
  const limits = { users: 2 }
  const full = anyOrganization().refuse(createApiOnlyUsers, { apiOnlyUsers: [edsger] }, { limits })
  assert.is(full.code, 'RESOURCE_EXHAUSTED')
})

it('refuses more keys in one request than can be checked while others wait', () => {
  const { state } = anyOrganization()
  const admit = (count: number) => {
    const apiKeys = Array.from({ length: count }, (_, n) => ({ apiKeyName: `${n}`, publicKey: publicKey(7) }))
    const decoded = createApiOnlyUsers.versions[0]?.decodeIntent({ apiOnlyUsers: [{ ...edsger, apiKeys }] })
    if (decoded?._tag !== 'Right') throw new Error('not read')
    return codeOf(createApiOnlyUsers.admit(decoded.right.intent, admitting(state)))
  }
  assert.equal([admit(100), admit(101)], ['no failure', 'RESOURCE_EXHAUSTED'])
})

it.run()
