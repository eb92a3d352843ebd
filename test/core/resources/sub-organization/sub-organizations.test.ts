import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Operation } from '../../../../core/definition/operation.ts'
import type { Json } from '../../../../core/failure.ts'
import { instant, type Event } from '../../../../core/log/event.ts'
import { noParts, type Parts } from '../../../../core/log/parts.ts'
import { personalPart } from '../../../../core/log/personal-part.ts'
import { createApiKeys } from '../../../../core/resources/api-key/create-api-keys.ts'
import { deleteApiKeys } from '../../../../core/resources/api-key/delete-api-keys.ts'
import { createAuthenticators } from '../../../../core/resources/authenticator/create-authenticators.ts'
import { deleteAuthenticators } from '../../../../core/resources/authenticator/delete-authenticators.ts'
import { eraseUser } from '../../../../core/resources/erasure/erase-user.ts'
import { acceptInvitation } from '../../../../core/resources/invitation/accept-invitation.ts'
import { createOrganization } from '../../../../core/resources/organization/create-organization.ts'
import { updateOrganizationName } from '../../../../core/resources/organization/update-organization-name.ts'
import { deleteSubOrganization } from '../../../../core/resources/sub-organization/delete-sub-organization.ts'
import { subOrganizations } from '../../../../core/resources/sub-organization/sub-organizations.ts'
import { createApiOnlyUsers } from '../../../../core/resources/user/create-api-only-users.ts'
import { createUsers } from '../../../../core/resources/user/create-users.ts'
import { deleteUsers } from '../../../../core/resources/user/delete-users.ts'
import { updateUser } from '../../../../core/resources/user/update-user.ts'
import { updateUserEmail } from '../../../../core/resources/user/update-user-email.ts'
import { updateUserName } from '../../../../core/resources/user/update-user-name.ts'
import { updateUserPhoneNumber } from '../../../../core/resources/user/update-user-phone-number.ts'

const it = suite('the projection of organizations below others')

const [PARENT, CHILD] = ['parent', 'child']
const AT = 7n

const eventOf = ({ type }: Operation, change: Json): Event => ({
  organization: CHILD,
  sequence: 9n,
  activity: 'activity',
  revision: 2n,
  version: 1,
  id: 'event',
  at: instant(0),
  previous: '',
  parts: {},
  type: 'ActivityCompleted',
  data: { type, result: {}, change, revision: 1 },
})

type Step = readonly [Operation, Json, Parts?]

/** What is found after these changes: the keys of the rows, with their first facets. */
const found = (...steps: readonly Step[]): { readonly [key: string]: string | undefined } => {
  const rows = new Map<string, string | undefined>()
  for (const [operation, change, parts = noParts] of steps)
    for (const row of subOrganizations.project(eventOf(operation, change), 99n, parts, {
      organizationId: PARENT,
      position: AT,
    })) {
      assert.is(row.organization, PARENT)
      if (row._tag === 'delete') rows.delete(row.key)
      else if (row._tag === 'put') {
        assert.equal([row.order, row.value], [AT, { organizationId: CHILD, position: '7' }])
        rows.set(row.key, row.facets.first)
      }
    }
  return Object.fromEntries(rows)
}

const user = (userId: string, more: { readonly [member: string]: Json } = {}) => ({
  ...{ userId, userName: `name of ${userId}`, tagIds: [], apiKeys: [] },
  ...more,
})
const key = (apiKeyId: string, publicKey: string) => ({
  ...{ apiKeyId, publicKey, apiKeyName: 'key', curve: 'API_KEY_CURVE_P256' },
})
const passkey = (authenticatorId: string) => ({
  ...{
    authenticatorId,
    authenticatorName: 'passkey',
    webauthnId: `Id-${authenticatorId}`,
    publicKey: `Cose-${authenticatorId}`,
  },
  ...{ rpIdHash: '', aaguid: '', format: 'none', transports: [] },
})
const ADA = { userEmail: 'Ada@Example.com', userPhoneNumber: '+15550100' }

const began: Step = [
  createOrganization,
  {
    organizationName: 'Lovelace',
    threshold: 1,
    parentId: PARENT,
    features: [],
    users: [user('ada', { ...ADA, apiKeys: [key('k1', '02ab')], authenticators: [passkey('p1')] })],
  },
]
const without = (rows: { readonly [key: string]: string }, ...keys: readonly string[]) =>
  Object.fromEntries(Object.entries(rows).filter(([key]) => !keys.includes(key)))

const BEGAN = {
  child: 'EACH',
  'NAME child child': 'NAME Lovelace',
  'USERNAME child ada': 'USERNAME name of ada',
  'EMAIL child ada': 'EMAIL ada@example.com',
  'PHONE_NUMBER child ada': 'PHONE_NUMBER +15550100',
  'PUBLIC_KEY child k1': 'PUBLIC_KEY 02ab',
  'PUBLIC_KEY child p1': 'PUBLIC_KEY Cose-p1',
  'CREDENTIAL_ID child p1': 'CREDENTIAL_ID Id-p1',
}

it('finds one by its name, and the names, contacts and credentials of its users', () =>
  assert.equal(found(began), BEGAN))

it('takes nothing of an organization that stands by itself', () =>
  assert.equal(subOrganizations.project(eventOf(began[0], began[1]), 99n, noParts), []))

it('finds nothing by an empty name, or by contacts that users do not have', () =>
  assert.equal(
    found([createOrganization, { organizationName: '', threshold: 1, users: [user('ada', { userEmail: '' })] }]),
    { child: 'EACH', 'USERNAME child ada': 'USERNAME name of ada' },
  ))

it('follows the name of the organization, and goes with it', () => {
  const renamed: Step = [updateOrganizationName, { organizationName: 'Byron' }]
  assert.equal(found(began, renamed), { ...BEGAN, 'NAME child child': 'NAME Byron' })
  const ofUsers = without(BEGAN, 'child', 'NAME child child')
  assert.equal(found(began, renamed, [deleteSubOrganization, {}]), ofUsers)
})

it('follows whoever creates users', () => {
  const users = [user('joan', { apiKeys: [key('k2', '03cd')] })]
  const more = { 'USERNAME child joan': 'USERNAME name of joan', 'PUBLIC_KEY child k2': 'PUBLIC_KEY 03cd' }
  for (const step of [
    [createUsers, { users }],
    [createApiOnlyUsers, { users }],
    [acceptInvitation, { invitationId: 'invitation', users }],
  ] as const)
    assert.equal(found(began, step), { ...BEGAN, ...more })
})

it('follows each name and contact', () => {
  const userId = 'ada'
  assert.equal(
    found(began, [updateUserName, { userId, userName: 'Augusta' }])['USERNAME child ada'],
    'USERNAME Augusta',
  )
  assert.equal(found(began, [updateUserEmail, { userId, userEmail: 'A@B.C' }])['EMAIL child ada'], 'EMAIL a@b.c')
  const called = found(began, [updateUserPhoneNumber, { userId, userPhoneNumber: '+15550101' }])
  assert.is(called['PHONE_NUMBER child ada'], 'PHONE_NUMBER +15550101')
  assert.equal(
    found(began, [updateUser, { userId, userName: 'Augusta', userPhoneNumber: '' }]),
    (({ 'PHONE_NUMBER child ada': _, ...rest }) => ({ ...rest, 'USERNAME child ada': 'USERNAME Augusta' }))(BEGAN),
  )
  assert.equal(
    found(began, [updateUserEmail, { userId, userEmail: '' }], [updateUser, { userId }]),
    (({ 'EMAIL child ada': _, ...rest }) => rest)(BEGAN),
  )
})

const CREDENTIALS = Object.fromEntries(
  Object.entries(BEGAN).filter(([, facet]) => /^(?:PUBLIC_KEY|CREDENTIAL_ID|EACH|NAME)/.test(facet)),
)

it('has nothing personal of a user who is gone, or erased in an organization that is', () => {
  assert.equal(found(began, [deleteUsers, { userIds: ['ada'] }]), CREDENTIALS)
  const erased = { userId: 'ada', requests: 'NAMING', erased: [] }
  assert.equal(found(began, [eraseUser, erased]), CREDENTIALS)
  assert.equal(found(began, [eraseUser, { ...erased, subOrganizationId: 'another' }]), BEGAN)
})

it('has nothing of what is erased when it is built', () => {
  const written = { ...user('ada'), userName: null, userEmail: null }
  const change = { organizationName: 'Lovelace', threshold: 1, users: [written] }
  assert.equal(found([createOrganization, change, new Map([[personalPart('ada'), 'erased']])]), {
    child: 'EACH',
    'NAME child child': 'NAME Lovelace',
  })
})

it('follows credentials that are registered, deleted and replaced', () => {
  const keys: Step = [createApiKeys, { userId: 'ada', apiKeys: [key('k2', '03CD')], evictedApiKeyIds: ['k1'] }]
  const passkeys: Step = [createAuthenticators, { userId: 'ada', authenticators: [passkey('p2')] }]
  const more = found(began, keys, passkeys)
  const kept = without(BEGAN, 'PUBLIC_KEY child k1')
  assert.equal(more, {
    ...kept,
    'PUBLIC_KEY child k2': 'PUBLIC_KEY 03cd',
    'PUBLIC_KEY child p2': 'PUBLIC_KEY Cose-p2',
    'CREDENTIAL_ID child p2': 'CREDENTIAL_ID Id-p2',
  })
  const deleted: readonly Step[] = [
    [deleteApiKeys, { userId: 'ada', apiKeyIds: ['k2'] }],
    [deleteAuthenticators, { userId: 'ada', authenticatorIds: ['p2'] }],
  ]
  assert.equal(found(began, keys, passkeys, ...deleted), kept)
})

it.run()
