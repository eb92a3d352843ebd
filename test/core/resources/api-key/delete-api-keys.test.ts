import { users } from '../../../../core/organization/users.ts'
import { credentials } from '../../../../core/organization/credentials.ts'
import { suite } from 'uvu'
import { initial } from '../../../../core/organization/state.ts'
import * as assert from 'uvu/assert'
import { createApiKeys } from '../../../../core/resources/api-key/create-api-keys.ts'
import { deleteApiKeys } from '../../../../core/resources/api-key/delete-api-keys.ts'
import { E } from '../../../../core/prelude.ts'
import {
  ADA,
  ADAS_KEY,
  anyApiKey,
  anyOrganization,
  fieldsOf,
  GRACE,
  GRACES_KEY,
  NOW,
  publicKey,
  uuid,
} from '../execute.ts'

const it = suite('delete api keys')

it('deletes keys of a user', () => {
  const tried = anyOrganization()
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(10)] })
  assert.equal(tried.execute(deleteApiKeys, { userId: ADA, apiKeyIds: [ADAS_KEY] }).result, { apiKeyIds: [ADAS_KEY] })
  assert.equal([...(users.of(tried.state).get(ADA)?.credentials.keys() ?? [])], [uuid(5)])
  assert.not.ok(credentials.of(tried.state).has(`api-key:${publicKey(1)}`))
})

it('remembers a key for as long as an approval given with it could count', () => {
  const HOUR_MS = 60 * 60 * 1000
  const tried = anyOrganization()
  const deletedAt = (hour: number): string => {
    const key = anyApiKey(100 + hour)
    const { result } = tried.execute(createApiKeys, { userId: ADA, apiKeys: [key] })
    const { apiKeyIds } = result as { readonly apiKeyIds: readonly string[] }
    tried.execute(deleteApiKeys, { userId: ADA, apiKeyIds }, { atMs: NOW + hour * HOUR_MS })
    return apiKeyIds[0] ?? ''
  }
  const [first, second, third] = [deletedAt(0), deletedAt(1), deletedAt(24)]
  assert.equal([...(users.of(tried.state).get(ADA)?.deletedCredentials.keys() ?? [])], [second, third])
  const last = deletedAt(50)
  assert.equal([...(users.of(tried.state).get(ADA)?.deletedCredentials.keys() ?? [])], [last])
  assert.is(new Set([first, second, third, last]).size, 4)
})

it('refuses to delete the last key that does not expire', () => {
  const tried = anyOrganization()
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(10, { expirationSeconds: '900' })] })
  assert.equal(tried.refuse(deleteApiKeys, { userId: ADA, apiKeyIds: [ADAS_KEY] }), {
    code: 'REQUEST_INVALID',
    message: `user missing valid credential: ${ADA}`,
  })
  tried.execute(deleteApiKeys, { userId: ADA, apiKeyIds: [uuid(5)] })
})

it("refuses another user's key", () => {
  const failure = anyOrganization().refuse(deleteApiKeys, { userId: ADA, apiKeyIds: [GRACES_KEY] })
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
  assert.match(failure.message, `unable to find api key ${GRACES_KEY}`)
})

it('refuses no keys, and one twice', () => {
  for (const apiKeyIds of [[], [ADAS_KEY, ADAS_KEY]])
    assert.equal(fieldsOf(anyOrganization().refuse(deleteApiKeys, { userId: ADA, apiKeyIds })), ['apiKeyIds'])
})

it('tells policies and rules whose credentials they are', () => {
  const decoded = deleteApiKeys.versions[0]?.decodeIntent({ userId: ADA, apiKeyIds: [ADAS_KEY] })
  if (decoded === undefined || E.isLeft(decoded)) throw new Error('not decoded')
  const { intent } = decoded.right
  assert.equal(deleteApiKeys.params(intent), { user_id: ADA, api_key_ids: [ADAS_KEY] })
  assert.equal(
    [ADA, GRACE].map((requester) => deleteApiKeys.isOwnCredentials(intent, requester, initial(''))),
    [true, false],
  )
})

it.run()
