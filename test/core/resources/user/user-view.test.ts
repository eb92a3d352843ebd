import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { createApiKeys } from '../../../../core/resources/api-key/create-api-keys.ts'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { updateUser } from '../../../../core/resources/user/update-user.ts'
import { getUser } from '../../../../core/resources/user/get-user.ts'
import { listUsers } from '../../../../core/resources/user/list-users.ts'
import { whoami } from '../../../../core/resources/user/whoami.ts'
import { ADA, anyApiKey, anyOrganization, GRACE, NOBODY, NOW, ORGANIZATION, publicKey, uuid } from '../execute.ts'
import { answer, refusal } from '../ask.ts'

const it = suite('user view')

const at = { seconds: '1700000000', nanos: '0' }
const later = { seconds: '1700000001', nanos: '500000000' }

it('shows every list, and leaves out what is not set', async () => {
  const { state } = anyOrganization()
  assert.equal(await answer(getUser, state, { userId: GRACE }), {
    user: {
      userId: GRACE,
      userName: 'Grace',
      authenticators: [],
      apiKeys: [
        {
          credential: { publicKey: publicKey(2), type: 'CREDENTIAL_TYPE_API_KEY_P256' },
          apiKeyId: uuid(4),
          apiKeyName: 'key 2',
          createdAt: at,
          updatedAt: at,
        },
      ],
      userTags: [],
      oauthProviders: [],
      mfaPolicies: [],
      createdAt: at,
      updatedAt: at,
    },
  })
})

it('shows contacts, tags and lifetimes', async () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [ADA] })
  tried.execute(createApiKeys, { userId: ADA, apiKeys: [anyApiKey(10, { expirationSeconds: '900' })] })
  const contacts = { userEmail: 'ada@example.com', userPhoneNumber: '+441234567890' }
  tried.execute(updateUser, { userId: ADA, ...contacts }, { atMs: NOW + 1500 })
  const { user } = await answer(getUser, tried.state, { userId: ADA })
  const shown = user as { readonly [member: string]: Json } // by the view
  assert.equal([shown.userEmail, shown.userPhoneNumber], ['ada@example.com', '+441234567890'])
  assert.equal([shown.userTags, shown.createdAt, shown.updatedAt], [[uuid(5)], at, later])
  const apiKeys = shown.apiKeys as readonly { readonly expirationSeconds?: string }[]
  assert.equal(
    apiKeys.map(({ expirationSeconds }) => expirationSeconds),
    [undefined, '900'],
  )
})

it('lists users in order of creation', async () => {
  const { users } = await answer(listUsers, anyOrganization().state)
  assert.equal(
    (users as readonly { readonly userId: string }[]).map(({ userId }) => userId),
    [ADA, GRACE],
  )
})

it('finds no user who is not there', async () => {
  const failure = await refusal(getUser, anyOrganization().state, { userId: NOBODY })
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
})

it('tells who asks', async () =>
  assert.equal(await answer(whoami, anyOrganization().state), {
    organizationId: ORGANIZATION,
    organizationName: 'Analytical Engines',
    userId: ADA,
    username: 'Ada',
  }))

it.run()
