import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { policyWarnings } from '../../../../core/resources/policy/policy-warnings.ts'
import { PROXY_KINDS } from '../../../../core/organization/issued-key.ts'
import { catalogue } from '../../../../core/definition/catalogue.ts'
import { kindOf } from '../../../../core/definition/operation-names.ts'
import { intlTimeZones } from '../../../../adapters/time-zones/intl-time-zones.ts'
import { withBeginning } from '../../../../core/resources/public-api.ts'
import { PROXY_KEYS } from '../../world/proxy-keys.ts'
import { codeOf, right, type Place } from '../../world/world.ts'
import { childOf, family } from '../sub-organization/children.ts'
import { came } from '../oauth-provider/scene.ts'
import { allow, asConfig, asProxy, configOf, letIn, opened } from './scene.ts'

const it = suite('letting in the auth proxy')

type Shown = { readonly [member: string]: unknown }
const listed = async (place: Place, path: string, name: string): Promise<readonly Shown[]> =>
  (await place.answer(place.root, path))[name] as readonly Shown[]
const features = async (place: Place): Promise<unknown> =>
  ((await place.answer(place.root, 'get_organization'))['organizationData'] as Shown)['features']

it('makes a user with two keys that last, a policy, and a feature with the id of the organization', async () => {
  const w = await family()
  const done = await w.done(w.root, 'enable_auth_proxy', {})
  const { userId } = done.result['enableAuthProxyResult'] as { readonly userId: string }
  const { user } = await w.answer(w.root, 'get_user', { userId })
  const { userName, apiKeys } = user as { readonly userName: string; readonly apiKeys: readonly Shown[] }
  assert.is(userName, 'Auth Proxy')
  const { publicKey } = await configOf(w, w.root)
  assert.equal(
    apiKeys.map(({ credential, apiKeyName, expirationSeconds }) => [credential, apiKeyName, expirationSeconds]),
    [
      [{ publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' }, 'auth-proxy', undefined],
      [{ publicKey: PROXY_KEYS.signing.publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' }, 'auth-proxy-config', undefined], // prettier-ignore
    ],
  )
  const [policy, ...others] = await listed(w, 'list_policies', 'policies')
  assert.equal(others, [])
  assert.is(policy?.['policyName'], 'Auth Proxy')
  assert.is(policy?.['effect'], 'EFFECT_ALLOW')
  assert.equal(await features(w), [{ name: 'FEATURE_NAME_AUTH_PROXY', value: w.organizationId }])
  await w.close()
})

it('has a policy that names each kind which the proxy may submit, and that nobody is warned of', async () => {
  const w = await letIn()
  const known = right(catalogue(withBeginning(publicApi), intlTimeZones()))
  const kinds = new Set(known.operations.flatMap(({ versions }) => versions.map(({ type }) => kindOf(type))))
  assert.equal(PROXY_KINDS.filter((kind) => !kinds.has(kind)), []) // prettier-ignore
  const [policy] = await listed(w, 'list_policies', 'policies')
  const { condition, consensus, effect } = policy as { readonly [member: string]: string }
  for (const kind of PROXY_KINDS) assert.ok(condition?.includes(`'${kind}'`), kind)
  assert.equal(policyWarnings(known).of({ condition: condition ?? '', consensus: consensus ?? '', effect }), [])
  await w.close()
})

it('shows the sealed key to the key of the proxy alone, which opens it for this organization and public half alone', async () => {
  const w = await letIn()
  const config = await configOf(w)
  const { publicKey = '', userId } = config
  assert.equal([config.isEnabled, userId], [true, w.proxy.userId])
  assert.ok(await opened(config, w.organizationId, publicKey))
  assert.is(await opened(config, w.proxy.userId, publicKey), undefined)
  assert.is(await opened(config, w.organizationId, PROXY_KEYS.signing.publicKey), undefined)
  const shown = await configOf(w, w.root)
  assert.equal([shown.isEnabled, shown.publicKey, shown.encryptedApiKey], [true, publicKey, undefined])
  const child = await childOf(w)
  assert.equal((await configOf(child, child.root)).isEnabled, false)
  assert.is((await configOf(child)).encryptedApiKey, undefined)
  await w.close()
})

it('is refused a second time, below another organization, and by a server without a proxy', async () => {
  const w = await letIn()
  assert.is(codeOf(await w.submit(w.root, 'enable_auth_proxy', {})), 'REQUEST_INVALID')
  const child = await childOf(w)
  for (const path of ['enable_auth_proxy', 'disable_auth_proxy', 'update_auth_proxy_config'])
    assert.is(codeOf(await child.submit(child.root, path, {})), 'INVALID_ACTIVITY_CALLER', path)
  await w.close()
  const without = await family({ ports: { authProxy: undefined } })
  assert.is(codeOf(await without.submit(without.root, 'enable_auth_proxy', {})), 'UNSUPPORTED')
  right(await without.submit(without.root, 'update_auth_proxy_config', { otpLength: 6 }))
  await without.close()
})

it('never lets the user be in the root quorum', async () => {
  const w = await letIn()
  const asked = (...userIds: readonly string[]) =>
    w.submit(w.root, 'update_root_quorum', { threshold: 1, userIds: [...userIds] })
  for (const userIds of [[w.proxy.userId], [w.root.userId, w.proxy.userId]])
    assert.is(codeOf(await asked(...userIds)), 'REQUEST_INVALID')
  right(await asked(w.root.userId))
  await w.close()
})

it('can be undone: user, keys, policy and feature go, and the settings stay; enabled again, it has another key', async () => {
  const w = await letIn()
  right(await w.submit(w.root, 'update_auth_proxy_config', { otpLength: 7 }))
  const first = await configOf(w)
  right(await w.submit(w.root, 'disable_auth_proxy', {}))
  assert.is(codeOf(await w.ask(asConfig, 'get_auth_proxy_config')), 'PUBLIC_KEY_NOT_FOUND')
  assert.is(codeOf(await w.ask(w.proxy, 'list_suborgs')), 'PUBLIC_KEY_NOT_FOUND')
  assert.equal(await listed(w, 'list_policies', 'policies'), [])
  assert.equal((await listed(w, 'list_users', 'users')).map(({ userId }) => userId), [w.root.userId]) // prettier-ignore
  assert.equal(await features(w), [])
  const off = await configOf(w, w.root)
  assert.equal([off.isEnabled, off['otpLength'], off.publicKey, off.userId], [false, 7, undefined, undefined])
  assert.is(codeOf(await w.submit(w.root, 'disable_auth_proxy', {})), 'REQUEST_INVALID')
  right(await w.submit(w.root, 'enable_auth_proxy', {}))
  const again = await configOf(w)
  assert.equal([again.isEnabled, again['otpLength']], [true, 7])
  assert.not.equal([again.userId, again.publicKey], [first.userId, first.publicKey])
  right(await w.ask(await asProxy(w), 'list_suborgs'))
  assert.is(codeOf(await w.ask(w.proxy, 'list_suborgs')), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

/** What somebody may do by hand to an organization that has let the proxy in; the proxy then, and after it is enabled again. */
const byHand: { readonly [what: string]: (w: Awaited<ReturnType<typeof letIn>>) => Promise<unknown> } = {
  'its user': (w) => w.done(w.root, 'delete_users', { userIds: [w.proxy.userId] }),
  'the key by which it acts': (w) => deleteKey(w, 'auth-proxy'),
  'its own key': (w) => deleteKey(w, 'auth-proxy-config'),
}
const deleteKey = async (w: Awaited<ReturnType<typeof letIn>>, name: string): Promise<unknown> => {
  const { userId } = w.proxy
  const { apiKeys } = await w.answer(w.root, 'get_api_keys', { userId })
  const key = (apiKeys as readonly Shown[]).find(({ apiKeyName }) => apiKeyName === name)
  return w.done(w.root, 'delete_api_keys', { userId, apiKeyIds: [key?.['apiKeyId'] as string] })
}

for (const [what, undo] of Object.entries(byHand))
  it(`is no longer enabled if somebody deletes ${what}: it can be enabled again, or disabled`, async () => {
    for (const next of ['enable_auth_proxy', 'disable_auth_proxy']) {
      const w = await letIn()
      await undo(w)
      assert.is((await configOf(w, w.root)).isEnabled, false)
      right(await w.submit(w.root, next, {}))
      const names = (await listed(w, 'list_users', 'users')).map(({ userName }) => userName)
      const policies = await listed(w, 'list_policies', 'policies')
      const isOn = next === 'enable_auth_proxy'
      assert.equal(names, isOn ? ['root', 'Auth Proxy'] : ['root'])
      assert.is(policies.length, isOn ? 1 : 0)
      if (isOn) right(await w.ask(await asProxy(w), 'list_suborgs'))
      await w.close()
    }
  })

it('is enabled where a policy has its name already, and disabled where its policy is gone or renamed', async () => {
  const w = await family()
  await allow(w, 'Auth Proxy', 'false')
  right(await w.submit(w.root, 'enable_auth_proxy', {}))
  const [own, its] = await listed(w, 'list_policies', 'policies')
  const { userId } = await asProxy(w)
  assert.equal([own?.['policyName'], its?.['policyName']], ['Auth Proxy', `Auth Proxy ${userId}`])
  right(await w.submit(w.root, 'update_policy', { policyId: its?.['policyId'] as string, policyName: 'renamed' }))
  right(await w.submit(w.root, 'disable_auth_proxy', {}))
  assert.equal((await listed(w, 'list_policies', 'policies')).map(({ policyName }) => policyName), ['Auth Proxy']) // prettier-ignore
  right(await w.submit(w.root, 'enable_auth_proxy', {}))
  const [, next] = await listed(w, 'list_policies', 'policies')
  await w.done(w.root, 'delete_policy', { policyId: next?.['policyId'] as string })
  right(await w.submit(w.root, 'disable_auth_proxy', {}))
  await w.close()
})

it('is refused while somebody has the key of the proxy as their own, and nobody gets it after that', async () => {
  const w = await family()
  const ada = await w.enrol('ada')
  const { publicKey } = PROXY_KEYS.signing
  const registered = (userId: string) =>
    w.submit(w.root, 'create_api_keys', {
      userId,
      apiKeys: [{ apiKeyName: 'mine', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    })
  const { result } = right(await registered(ada.userId))
  const enabled = () => w.submit(w.root, 'enable_auth_proxy', {})
  assert.is(codeOf(await enabled()), 'REQUEST_INVALID')
  const { apiKeyIds } = Object.values(result)[0] as { readonly apiKeyIds: string[] } // as the wire says
  await w.done(w.root, 'delete_api_keys', { userId: ada.userId, apiKeyIds })
  right(await enabled())
  assert.is(codeOf(await registered(ada.userId)), 'REQUEST_INVALID')
  await w.close()
})

it('lets nobody else wait who does in their own name what the proxy may do', async () => {
  const w = await letIn()
  const ada = await w.enrol('ada')
  assert.is(came(await w.submit(ada, 'stamp_login', { publicKey: generateKey().publicKey })), 'COMPLETED')
  assert.is(
    came(await w.submit(ada, 'create_oauth_providers', { userId: ada.userId, oauthProviders: [] })),
    'COMPLETED',
  )
  const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'user@example.com', appName: 'app' }
  assert.is(codeOf(await w.submit(ada, 'init_otp', code)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(came(await w.submit(w.proxy, 'init_otp', code)), 'COMPLETED')
  await w.close()
})

it('is gone from the log with its user, when that is erased', async () => {
  const w = await letIn()
  await w.submit(w.proxy, 'init_otp', { otpType: 'OTP_TYPE_EMAIL', contact: 'user@example.com', appName: 'app' })
  await w.done(w.root, 'disable_auth_proxy', {})
  right(await w.submit(w.root, 'erase_user', { userId: w.proxy.userId }))
  right(await w.submit(w.root, 'enable_auth_proxy', {}))
  right(await w.ask(await asProxy(w), 'list_suborgs'))
  await w.close()
})

it.run()
