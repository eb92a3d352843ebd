import { profile } from '../../../../core/organization/profile.ts'
import { users } from '../../../../core/organization/users.ts'
import { quorum } from '../../../../core/organization/quorum.ts'
import { credentials } from '../../../../core/organization/credentials.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createOrganization } from '../../../../core/resources/organization/create-organization.ts'
import {
  ADA,
  ADAS_KEY,
  anyApiKey,
  anyOrganization,
  fieldsOf,
  GRACE,
  noOrganization,
  NOW,
  ORGANIZATION,
  publicKey,
} from '../execute.ts'

const it = suite('create organization')

const ada = { userName: 'Ada', userEmail: 'ada@example.com', apiKeys: [anyApiKey(1)] }
const intent = { organizationName: 'Analytical Engines', rootUsers: [ada], rootQuorumThreshold: 1 }

it('answers the id that was chosen before', () =>
  assert.equal(noOrganization().execute(createOrganization, intent).result, { organizationId: ORGANIZATION }))

it('sets name, users, credentials and quorum', () => {
  const { state } = anyOrganization()
  assert.is(profile.of(state).name, 'Analytical Engines')
  assert.is(profile.of(state).createdAtMs, NOW)
  assert.equal(
    [...users.of(state).values()].map(({ userName }) => userName),
    ['Ada', 'Grace'],
  )
  assert.equal(credentials.of(state).get(`api-key:${publicKey(1)}`), { userId: ADA, credentialId: ADAS_KEY })
  assert.equal(quorum.of(state), { threshold: 1, userIds: [ADA, GRACE] })
})

it('is not governed by policies', () => assert.is(createOrganization.resource, undefined))

it('refuses to begin twice', () => {
  assert.match(anyOrganization().refuse(createOrganization, intent).message, 'begun already')
})

it('refuses an organization without users', () => {
  const failure = noOrganization().refuse(createOrganization, { ...intent, rootUsers: [] })
  assert.equal(fieldsOf(failure), ['rootUsers'])
})

it('refuses a threshold that nobody could reach', () => {
  const refuse = (rootQuorumThreshold: number) =>
    noOrganization().refuse(createOrganization, { ...intent, rootQuorumThreshold })
  assert.match(refuse(0).message, 'quorum threshold must be non-zero integer')
  assert.equal(fieldsOf(refuse(2)), ['rootQuorumThreshold'])
})

it('refuses a root user whose keys all expire', () => {
  const rootUsers = [{ ...ada, apiKeys: [anyApiKey(1, { expirationSeconds: '900' })] }]
  const failure = noOrganization().refuse(createOrganization, { ...intent, rootUsers })
  assert.is(failure.message, `user missing valid credential: ${ADA}`)
})

it('refuses two root users with one key', () => {
  const failure = noOrganization().refuse(createOrganization, { ...intent, rootUsers: [ada, ada] })
  assert.equal(fieldsOf(failure), ['rootUsers.1.apiKeys.0.publicKey'])
})

it.run()
