import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { NOBODY, onStage, refusal, violationOf } from './stage.ts'

const it = suite('@turnkey/http: API keys')

const curveType = 'API_KEY_CURVE_P256'
const newKey = (apiKeyName = 'phone', more: { readonly expirationSeconds?: string } = {}) =>
  ({
    apiKeyName,
    publicKey: generateKey(curveType).publicKey,
    curveType,
    ...more,
  }) as const

it('creates a key that stamps from then on', () =>
  onStage(async ({ http, root, enrol, asks, organizationId }) => {
    const ada = await enrol('ada')
    const key = generateKey(curveType)
    const apiKeys = [{ apiKeyName: 'phone', publicKey: key.publicKey, curveType, expirationSeconds: '600' }] as const
    const body = asks('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: ada.userId, apiKeys: [...apiKeys] })
    const { activity } = await http(root).createApiKeys(body)
    assert.equal(activity.intent.createApiKeysIntentV2, { userId: ada.userId, apiKeys })
    const [apiKeyId = ''] = activity.result.createApiKeysResult?.apiKeyIds ?? []
    const { apiKey } = await http({ ...ada, key }).getApiKey({ organizationId, apiKeyId })
    assert.equal(apiKey.credential, { publicKey: key.publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' })
    assert.equal([apiKey.apiKeyName, apiKey.expirationSeconds], ['phone', '600'])
    const { apiKeys: all } = await http(root).getApiKeys({ organizationId, userId: ada.userId })
    assert.equal(all[1], apiKey)
    assert.equal(all.map(({ apiKeyName }) => apiKeyName), ['key', 'phone']) // prettier-ignore
  }))

it('lets users manage their own keys, and nobody else theirs', () =>
  onStage(async ({ http, root, enrol, asks, organizationId }) => {
    const ada = await enrol('ada')
    const create = (userId: string) =>
      http(ada).createApiKeys(asks('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys: [newKey()] }))
    const { activity } = await create(ada.userId)
    const apiKeyIds = activity.result.createApiKeysResult?.apiKeyIds ?? []
    assert.is((await http(ada).getApiKeys({ organizationId })).apiKeys.length, 2)
    const removal = asks('ACTIVITY_TYPE_DELETE_API_KEYS', { userId: ada.userId, apiKeyIds })
    assert.equal((await http(ada).deleteApiKeys(removal)).activity.result.deleteApiKeysResult, { apiKeyIds })
    const denied = await refusal(create(root.userId))
    assert.equal([denied.code, denied.error], [7, 'REQUEST_NOT_AUTHORIZED'])
    assert.match(denied.message, /permission/i)
  }))

it('refuses keys that break rules', () =>
  onStage(
    async ({ http, root, enrol, asks, organizationId }) => {
      const { userId, key } = await enrol('ada')
      const create = (apiKeys: ReturnType<typeof newKey>[], of = userId) =>
        refusal(http(root).createApiKeys(asks('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: of, apiKeys })))
      const taken = await create([{ ...newKey(), publicKey: key.publicKey }])
      assert.equal(taken.details, violationOf('apiKeys.0.publicKey', 'This field must be unique.'))
      const offCurve = await create([{ ...newKey(), publicKey: `02${'f'.repeat(64)}` }])
      assert.equal(
        offCurve.details,
        violationOf('apiKeys.0.publicKey', 'expected a compressed public key on its curve'),
      )
      assert.match((await create([newKey('a', { expirationSeconds: '0' })])).message, /invalid api key expiration/)
      assert.is(
        (await create([newKey()], NOBODY)).message,
        `unable to find user ${NOBODY} in organization ${organizationId}`,
      )
      assert.equal(await create([newKey(), newKey()]), {
        code: 8,
        error: 'RATE_LIMIT_EXCEEDED',
        message: 'user has exceeded maximum long-lived api keys',
        details: [],
      })
    },
    { limits: { longLivedApiKeys: 2 } },
  ))

it('reads ACTIVITY_TYPE_CREATE_API_KEYS, whose keys have no curve', () =>
  onStage(async ({ http, root, post, bytes, organizationId }) => {
    const key = { apiKeyName: 'phone', publicKey: newKey().publicKey }
    const old = (apiKeys: readonly { readonly apiKeyName: string; readonly publicKey: string }[]) =>
      post(root, 'submit/create_api_keys', bytes('ACTIVITY_TYPE_CREATE_API_KEYS', { userId: root.userId, apiKeys }))
    const { status, body } = await old([key])
    assert.is(status, 200)
    assert.equal(body.activity.intent, { createApiKeysIntent: { apiKeys: [key], userId: root.userId } })
    assert.is((await http(root).getApiKeys({ organizationId })).apiKeys.length, 2)
    assert.is((await old([{ ...key, publicKey: 'not hexadecimal' }])).status, 400)
  }))

it('refuses to delete what is not there, and the last key that does not expire', () =>
  onStage(async ({ http, root, enrol, asks, organizationId }) => {
    const { userId, apiKeyId } = await enrol('ada')
    const remove = (apiKeyIds: string[]) =>
      refusal(http(root).deleteApiKeys(asks('ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds })))
    assert.is((await remove([NOBODY])).message, `unable to find api key ${NOBODY} in organization ${organizationId}`)
    assert.equal(await remove([apiKeyId]), {
      code: 3,
      error: 'REQUEST_INVALID',
      message: `user missing valid credential: ${userId}`,
      details: [],
    })
    assert.match((await remove([])).message, /at least one entry/)
  }))

it('refuses questions about keys that are not there', () =>
  onStage(async ({ http, root, organizationId }) => {
    const unknownKey = await refusal(http(root).getApiKey({ organizationId, apiKeyId: NOBODY }))
    assert.is(unknownKey.code, 5)
    assert.is(unknownKey.message, `unable to find api key ${NOBODY} in organization ${organizationId}`)
    assert.is((await refusal(http(root).getApiKeys({ organizationId, userId: NOBODY }))).code, 5)
    const malformed = await refusal(http(root).getApiKeys({ organizationId, userId: 'ada' }))
    assert.equal(malformed.details, violationOf('userId', 'expected a UUID'))
  }))

it.run()
