import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { audited, exported } from '../audit/logs.ts'
import { anyPasskey, paramsOf } from '../world/software-passkey.ts'
import { world, type Person, type World } from '../world/world.ts'

const it = suite('credentials that were somebody else’s')

/** The members of a request that registers one credential, the same one each time. */
const kinds = {
  'api key': () => {
    const apiKeys = [
      { apiKeyName: 'a key', publicKey: generateKey('API_KEY_CURVE_P256').publicKey, curveType: 'API_KEY_CURVE_P256' },
    ]
    return { path: 'create_api_keys', given: { apiKeys }, refused: 'apiKeys.0.publicKey' }
  },
  'expiring api key': () => {
    const { publicKey } = generateKey('API_KEY_CURVE_P256')
    const apiKeys = [{ apiKeyName: 'a key', publicKey, curveType: 'API_KEY_CURVE_P256', expirationSeconds: '60' }]
    return { path: 'create_api_keys', given: { apiKeys }, refused: 'apiKeys.0.publicKey' }
  },
  passkey: () => {
    const authenticators = [paramsOf(anyPasskey())]
    const refused = 'authenticators.0.attestation.credentialId'
    return { path: 'create_authenticators', given: { authenticators }, refused }
  },
}
type Kind = keyof typeof kinds

const idsOf = async (w: World, { userId }: Person): Promise<{ readonly [member: string]: readonly string[] }> => {
  const { user } = await w.answer(w.root, 'get_user', { userId })
  const { apiKeys, authenticators } = user as {
    readonly apiKeys: readonly { readonly apiKeyId: string; readonly apiKeyName: string }[]
    readonly authenticators: readonly { readonly authenticatorId: string }[]
  }
  return {
    apiKeyIds: apiKeys.filter(({ apiKeyName }) => apiKeyName === 'a key').map(({ apiKeyId }) => apiKeyId),
    authenticatorIds: authenticators.map(({ authenticatorId }) => authenticatorId),
  }
}

const deleted =
  (path: string, member: string) =>
  async (w: World, ada: Person): Promise<void> =>
    void (await w.done(w.root, path, { userId: ada.userId, [member]: (await idsOf(w, ada))[member] ?? [] }))

const evicted = async (w: World, ada: Person): Promise<void> => {
  const others = Array.from({ length: 10 }, () => {
    const { publicKey, curve: curveType } = generateKey('API_KEY_CURVE_P256')
    return { apiKeyName: 'another', publicKey, curveType, expirationSeconds: '60' }
  })
  await w.done(w.root, 'create_api_keys', { userId: ada.userId, apiKeys: others })
}

const withUser = async (w: World, ada: Person): Promise<void> =>
  void (await w.done(w.root, 'delete_users', { userIds: [ada.userId] }))

const still = (): Promise<void> => Promise.resolve()

const ways: readonly (readonly [string, Kind, (w: World, ada: Person) => Promise<void>, mayComeBack: boolean])[] = [
  ['is still there', 'api key', still, false],
  ['is still there', 'passkey', still, false],
  ['was deleted', 'api key', deleted('delete_api_keys', 'apiKeyIds'), true],
  ['was deleted', 'passkey', deleted('delete_authenticators', 'authenticatorIds'), true],
  ['was deleted with its user', 'api key', withUser, false],
  ['was deleted with its user', 'passkey', withUser, false],
]

for (const [what, kind, goes, mayComeBack] of ways)
  it(`are refused for everybody else, if the ${kind} ${what}`, async () => {
    const w = await world()
    const [ada, bob] = [await w.enrol('ada'), await w.enrol('bob')]
    const { path, given, refused } = kinds[kind]()
    const user = { userName: 'eve', apiKeys: [], authenticators: [], oauthProviders: [], userTags: [], ...given }
    const refusalOf = async (asked: string, parameters: Json): Promise<string> => {
      const answered = await w.submit(w.root, asked, parameters)
      return answered._tag === 'Left' ? `${answered.left.code} ${answered.left.message}` : ''
    }
    await w.done(w.root, path, { userId: ada.userId, ...given })
    await goes(w, ada)
    assert.match(
      await refusalOf(path, { userId: bob.userId, ...given }),
      `REQUEST_INVALID invalid parameters at ${refused}: This field must be unique.`,
    )
    assert.match(
      await refusalOf('create_users', { users: [user] }),
      `REQUEST_INVALID invalid parameters at users.0.${refused}: This field must be unique.`,
    )
    if (mayComeBack) {
      assert.is(await refusalOf(path, { userId: ada.userId, ...given }), '')
      await goes(w, ada)
      assert.match(await refusalOf(path, { userId: bob.userId, ...given }), 'must be unique')
    }
    assert.equal((await audited(await exported(w.storage.store))).findings, [])
    await w.close()
  })

it('are not remembered if they expire: there is one for each session', async () => {
  const w = await world()
  const [ada, bob] = [await w.enrol('ada'), await w.enrol('bob')]
  const { path, given } = kinds['expiring api key']()
  await w.done(w.root, path, { userId: ada.userId, ...given })
  await evicted(w, ada)
  await w.done(w.root, path, { userId: bob.userId, ...given })
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
  await w.close()
})

it.run()
