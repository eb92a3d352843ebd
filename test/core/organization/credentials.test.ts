import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { expiresAtMs, isExpired, type Credential } from '../../../core/organization/credential.ts'
import {
  addCredential,
  credentialNamed,
  credentials,
  finderOf,
  isTaken,
  nameOf,
  removeCredential,
} from '../../../core/organization/credentials.ts'
import { users } from '../../../core/organization/users.ts'
import { anyOrganization } from '../policy/any.ts'

const it = suite('credentials')

const key: Credential = {
  kind: 'api-key',
  credentialId: 'ada-key-1',
  userId: 'ada',
  label: '',
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
  assert.equal([expiresAtMs(short), expiresAtMs(key)], [61_000, Infinity])
})

it('has a key never expire that has no lifetime', () =>
  assert.equal([isExpired(key, Number.MAX_SAFE_INTEGER), isExpired(key, Infinity)], [false, false]))

it('knows whose a key is, and nobody for any other', () => {
  const organization = anyOrganization({ users: { ada: {}, grace: {} } })
  const directory = credentials.in(organization)
  directory.set('api-key:02aa', { userId: 'ada', credentialId: 'ada-key-1' })
  directory.set('api-key:02bb', { userId: 'ada', credentialId: 'gone' })
  directory.set('api-key:02cc', { userId: 'gone', credentialId: 'ada-key-1' })
  const found = credentialNamed(organization, { kind: 'api-key', name: '02aa' })
  assert.equal([found?.userId, found?.credentialId], ['ada', 'ada-key-1'])
  for (const name of ['02bb', '02cc', '02dd', ''])
    assert.is(credentialNamed(organization, { kind: 'api-key', name }), undefined)
})

it('finds a credential in one state after the other', () => {
  const find = finderOf({ kind: 'api-key', name: '02aa' })
  const [without, having] = [anyOrganization({ users: { ada: {} } }), anyOrganization({ users: { ada: {} } })]
  credentials.in(having).set('api-key:02aa', { userId: 'ada', credentialId: 'ada-key-1' })
  assert.equal([find(without), find(having)?.credentialId, find(without)], [undefined, 'ada-key-1', undefined])
})

it('does not take a name of another kind for one of its own', () => {
  const organization = anyOrganization({ users: { ada: {} } })
  credentials.in(organization).set('passkey:02aa', { userId: 'ada', credentialId: 'ada-key-1' })
  assert.is(isTaken(organization, { kind: 'api-key', name: '02aa' }), false)
  assert.is(credentialNamed(organization, { kind: 'api-key', name: '02aa' }), undefined)
  assert.is(credentialNamed(organization, { kind: 'api-key', name: 'passkey:02aa' }), undefined)
})

it('is in the directory from when it is added until it is removed, and then free for its former user alone', () => {
  const organization = anyOrganization({ users: { ada: {} } })
  const user = users.in(organization).get('ada')
  if (user === undefined) throw new Error('ada is missing')
  addCredential(organization, user, { ...key, credentialId: 'new' })
  assert.is(credentialNamed(organization, nameOf(key))?.credentialId, 'new')
  removeCredential(organization, user, 'another')
  assert.is(isTaken(organization, nameOf(key), 'ada'), true)
  removeCredential(organization, user, 'new')
  assert.equal([credentialNamed(organization, nameOf(key)), user.credentials.has('new')], [undefined, false])
  assert.equal(
    ['ada', 'grace', undefined].map((userId) => isTaken(organization, nameOf(key), userId)),
    [false, true, true],
  )
})

it.run()
