import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isExpired, ownerOf, type ApiKey } from '../../../core/organization/organization.ts'
import { anyOrganization } from '../policy/any.ts'

const it = suite('organization')

const key: ApiKey = {
  apiKeyId: 'ada-key-1',
  apiKeyName: '',
  publicKey: '02aa',
  curve: 'API_KEY_CURVE_P256',
  createdAtMs: 1_000,
}

it('has a key expire when its seconds are over, to the millisecond', () => {
  const short = { ...key, expirationSeconds: 60 }
  assert.equal(
    [0, 1_000, 60_999, 61_000, 61_001].map((atMs) => isExpired(short, atMs)),
    [false, false, false, true, true],
  )
  assert.is(isExpired({ ...key, expirationSeconds: 0 }, 1_000), true)
})

it('has a key never expire that has no lifetime', () => assert.is(isExpired(key, Number.MAX_SAFE_INTEGER), false))

it('knows whose a key is, and nobody for any other', () => {
  const organization = anyOrganization({ users: { ada: {}, grace: {} } })
  organization.credentials.set('02aa', { userId: 'ada', apiKeyId: 'ada-key-1' })
  organization.credentials.set('02bb', { userId: 'ada', apiKeyId: 'gone' })
  organization.credentials.set('02cc', { userId: 'gone', apiKeyId: 'ada-key-1' })
  const owner = ownerOf(organization, '02aa')
  assert.equal([owner?.userId, owner?.apiKey.apiKeyId], ['ada', 'ada-key-1'])
  for (const other of ['02bb', '02cc', '02dd', '']) assert.is(ownerOf(organization, other), undefined)
})

it.run()
