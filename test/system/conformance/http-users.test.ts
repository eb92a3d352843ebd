import { suite } from 'uvu'
import { anyPasskey, paramsOf } from '../../core/resources/authenticator/passkey-world.ts'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { NOBODY, onStage, refusal, violationOf } from './stage.ts'

const it = suite('@turnkey/http: users')

const apiKey = () => ({
  apiKeyName: 'laptop',
  publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
  curveType: 'API_KEY_CURVE_P256' as const,
})
const ada = () => ({ userName: 'ada', apiKeys: [apiKey()], authenticators: [], oauthProviders: [], userTags: [] })

it('creates users, who are then shown', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const params = { ...ada(), userEmail: 'ada@example.com', userPhoneNumber: '+13214567890' }
    const { activity } = await client.createUsers(asks('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [params] }))
    assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal(activity.intent.createUsersIntentV4, { users: [params] })
    const [userId = ''] = activity.result.createUsersResult?.userIds ?? []
    const { user } = await client.getUser({ organizationId, userId })
    assert.is(user.userName, 'ada')
    assert.is(user.userEmail, 'ada@example.com')
    assert.is(user.userPhoneNumber, '+13214567890')
    assert.is(user.apiKeys[0]?.credential.publicKey, params.apiKeys[0]?.publicKey)
    const { users } = await client.getUsers({ organizationId })
    assert.equal(users.map(({ userName }) => userName), ['root', 'ada']) // prettier-ignore
    assert.equal(users[1], user)
  }))

it('refuses users with parameters that break rules, and says which', () =>
  onStage(async ({ http, root, asks }) => {
    const create = (users: ReturnType<typeof ada>[]) =>
      refusal(http(root).createUsers(asks('ACTIVITY_TYPE_CREATE_USERS_V4', { users })))
    const { apiKeys } = ada()
    assert.equal(await create([{ ...ada(), userName: '' }]), {
      code: 3,
      error: 'REQUEST_INVALID',
      message: 'invalid parameters at users.0.userName: expected a label of 1 to 256 printable characters',
      details: violationOf('users.0.userName', 'expected a label of 1 to 256 printable characters'),
    })
    assert.match((await create([{ ...ada(), apiKeys: [] }])).message, /^user missing valid credential: [-0-9a-f]{36}$/)
    const twice = await create([
      { ...ada(), apiKeys },
      { ...ada(), apiKeys },
    ])
    assert.equal(twice.details, violationOf('users.1.apiKeys.0.publicKey', 'This field must be unique.'))
    const passkey = { authenticatorName: 'a', challenge: 'b', attestation: {} }
    const withPasskey = [{ ...ada(), authenticators: [passkey] as never[] }]
    const inPasskey = 'users.0.authenticators.0.attestation.credentialId'
    assert.match((await create(withPasskey)).message, `invalid parameters at ${inPasskey}: missing field`)
    const { attestation, ...wrong } = paramsOf(anyPasskey())
    const other = { ...wrong, challenge: 'another', attestation: { ...attestation, transports: [] } }
    assert.match(
      (await create([ada(), { ...ada(), authenticators: [other] as never[] }])).message,
      'invalid parameters at users.1.authenticators.0: ',
    )
  }))

it('creates users with passkeys, who need no key', () =>
  onStage(async ({ http, root, asks }) => {
    const user = { ...ada(), apiKeys: [], authenticators: [paramsOf(anyPasskey(), 'laptop')] }
    const created = await http(root).createUsers(asks('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [user] } as never))
    const [userId = ''] = created.activity.result.createUsersResult?.userIds ?? []
    const shown = await http(root).getUser({ organizationId: asks('', {}).organizationId, userId })
    assert.equal(
      shown.user.authenticators.map(({ authenticatorName, credential }) => [authenticatorName, credential.type]),
      [['laptop', 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR']],
    )
  }))

it('refuses more users than the organization may have', () =>
  onStage(
    async ({ http, root, asks }) => {
      const refused = await refusal(
        http(root).createUsers(asks('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [ada(), ada()] })),
      )
      assert.is(refused.code, 8)
      assert.match(refused.message, /over its allotted quota/)
    },
    { limits: { users: 2 } },
  ))

for (const [version, more] of [
  ['ACTIVITY_TYPE_CREATE_USERS', { accessType: 'ACCESS_TYPE_ALL' }],
  ['ACTIVITY_TYPE_CREATE_USERS_V2', {}],
] as const) {
  it(`reads ${version}, whose keys have no curve`, () =>
    onStage(async ({ post, root, bytes, http, organizationId }) => {
      const key = { apiKeyName: 'laptop', publicKey: apiKey().publicKey }
      const params = { userName: 'ada', apiKeys: [key], authenticators: [], userTags: [], ...more }
      const { status, body } = await post(root, 'submit/create_users', bytes(version, { users: [params] }))
      assert.is(status, 200)
      const name = version.endsWith('V2') ? 'createUsersIntentV2' : 'createUsersIntent'
      assert.equal(body.activity.intent, { [name]: { users: [params] } })
      const { users } = await http(root).getUsers({ organizationId })
      assert.is(users[1]?.apiKeys[0]?.credential.type, 'CREDENTIAL_TYPE_API_KEY_P256')

      const bad = bytes(version, { users: [{ ...params, apiKeys: [{ ...key, publicKey: 'zz' }] }] })
      const refused = await post(root, 'submit/create_users', bad)
      assert.is(refused.status, 400)
      assert.match(refused.body.message, /users\.0\.apiKeys\.0\.publicKey/)
    }))
}

it('reads ACTIVITY_TYPE_CREATE_USERS_V3, and refuses a provider by a token that nobody has signed', () =>
  onStage(async ({ post, root, bytes }) => {
    const good = bytes('ACTIVITY_TYPE_CREATE_USERS_V3', { users: [ada()] })
    const { status, body } = await post(root, 'submit/create_users', good)
    assert.is(status, 200)
    assert.is(body.activity.type, 'ACTIVITY_TYPE_CREATE_USERS_V3')
    const provider = { providerName: 'a', oidcToken: 'b' }
    const bad = bytes('ACTIVITY_TYPE_CREATE_USERS_V3', { users: [{ ...ada(), oauthProviders: [provider] }] })
    const refused = await post(root, 'submit/create_users', bad)
    assert.is(refused.status, 400)
    assert.is(refused.body.message, 'invalid OIDC token')
  }))

it('updates a user, and refuses one whom nobody knows', () =>
  onStage(async ({ http, root, asks, enrol, organizationId }) => {
    const client = http(root)
    const { userId } = await enrol('ada')
    const update = { userId, userName: 'Ada', userEmail: 'ada@example.com', userTagIds: [] }
    const { activity } = await client.updateUser(asks('ACTIVITY_TYPE_UPDATE_USER', update))
    assert.equal(activity.result.updateUserResult, { userId })
    const { user } = await client.getUser({ organizationId, userId })
    assert.equal([user.userName, user.userEmail], ['Ada', 'ada@example.com'])
    assert.equal(await refusal(client.updateUser(asks('ACTIVITY_TYPE_UPDATE_USER', { userId: NOBODY }))), {
      code: 5,
      error: 'REQUEST_INVALID',
      message: `unable to find user ${NOBODY} in organization ${organizationId}`,
      details: [],
    })
  }))

it('deletes users, but no members of the root quorum', () =>
  onStage(async ({ http, root, asks, enrol, organizationId }) => {
    const client = http(root)
    const { userId } = await enrol('ada')
    const remove = (userIds: string[]) => client.deleteUsers(asks('ACTIVITY_TYPE_DELETE_USERS', { userIds }))
    assert.equal((await remove([userId])).activity.result.deleteUsersResult, { userIds: [userId] })
    assert.is((await client.getUsers({ organizationId })).users.length, 1)
    assert.is((await refusal(remove([userId]))).code, 5)
    assert.equal(await refusal(remove([root.userId])), {
      code: 3,
      error: 'REQUEST_INVALID',
      message: 'quorum users missing',
      details: [],
    })
  }))

it('tells callers who they are, and refuses those whom it does not know', () =>
  onStage(async ({ http, enrol, organizationId }) => {
    const grace = await enrol('grace')
    assert.equal(await http(grace).getWhoami({ organizationId }), {
      organizationId,
      organizationName: 'Default',
      userId: grace.userId,
      username: 'grace',
    })
    const stranger = { ...grace, key: generateKey('API_KEY_CURVE_P256') }
    const { publicKey } = stranger.key
    assert.equal(await refusal(http(stranger).getWhoami({ organizationId })), {
      code: 16,
      error: 'PUBLIC_KEY_NOT_FOUND',
      message: `could not find public key in organization organizationId=${organizationId} publicKey=${publicKey}`,
      details: [],
    })
  }))

it('refuses questions about a user that make no sense', () =>
  onStage(async ({ http, root, organizationId }) => {
    const client = http(root)
    assert.is((await refusal(client.getUser({ organizationId, userId: NOBODY }))).code, 5)
    const malformed = await refusal(client.getUser({ organizationId, userId: 'ada' }))
    assert.equal(malformed.details, violationOf('userId', 'expected a UUID'))
    assert.equal(await refusal(client.getUsers({ organizationId: 'acme' })), {
      code: 3,
      error: 'INVALID_ORGANIZATION_ID',
      message: 'malformed organization ID provided',
      details: [],
    })
    const elsewhere = await refusal(client.getUsers({ organizationId: NOBODY }))
    assert.is(elsewhere.error, 'ORGANIZATION_NOT_FOUND')
    assert.is(elsewhere.message, `no organization found with the given ID ${NOBODY}`)
  }))

it.run()
