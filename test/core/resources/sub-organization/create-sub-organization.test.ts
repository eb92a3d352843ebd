import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { resourceIds } from '../../../../core/activity/identity.ts'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { createSubOrganization } from '../../../../core/resources/sub-organization/create-sub-organization.ts'
import { digest } from '../../audit/logs.ts'
import { anyPasskey, paramsOf } from '../../world/software-passkey.ts'
import { begunBy, codeOf, placeIn, right, world, type Place, type World } from '../../world/world.ts'
import { everyExample } from '../all-examples.ts'
import type { Members } from '../example.ts'
import { fieldsOf } from '../execute.ts'
import { doorOf, json, parametersOf } from '../scene.ts'

const it = suite('create sub organization')

const { path, versions } = createSubOrganization
const types = versions.map(({ type }) => type)
const suffixOf = (type: string): string => /_(V\d)$/.exec(type)?.[1] ?? ''

/** The parameters of the example in one of its types, with other members. */
const parameters = async (w: World, type: string, more: Members = {}): Promise<Json> => {
  const example = everyExample.find(({ operation }) => operation === createSubOrganization)
  if (example === undefined) throw new Error('expected an example')
  return json({ ...(await parametersOf(doorOf(w, w.root.userId), example, type)), ...more })
}
const user = (more: Members = {}): Members => ({
  userName: 'eve',
  apiKeys: [],
  authenticators: [],
  oauthProviders: [],
  ...more,
})
const keyOf = (key = generateKey('API_KEY_CURVE_P256')): Members => ({
  apiKeyName: 'key',
  publicKey: key.publicKey,
  curveType: key.curve,
})
const submitted = (w: World, more: Members, type = createSubOrganization.type) =>
  parameters(w, type, more).then((all) => w.submit(w.root, path, all, { type }))
const below = (w: World, organizationId: string): Place => placeIn(w, organizationId, w.root)

for (const type of types)
  it(`${type}: begins an organization with the users that the request says`, async () => {
    const w = await world()
    const given = await parameters(w, type)
    const done = await w.done(w.root, path, given, { type })
    assert.equal(Object.keys(done.intent), [`createSubOrganizationIntent${suffixOf(type)}`])
    const [[name, value] = ['', {}]] = Object.entries(done.result)
    assert.is(name, `createSubOrganizationResult${suffixOf(type).replace('V2', '')}`)
    const { subOrganizationId, rootUserIds, ...others } = value as ReturnType<typeof begunBy>
    assert.is(subOrganizationId, resourceIds(digest, done.id)())
    const { organizationData } = await below(w, subOrganizationId).answer(w.root, 'get_organization')
    const shown = organizationData as {
      readonly name: string
      readonly users: readonly { readonly userId: string; readonly userName: string }[]
      readonly rootQuorum: Json
      readonly wallets: readonly { readonly walletId: string }[]
      readonly privateKeys: readonly { readonly privateKeyId: string; readonly addresses: Json }[]
    }
    const { accounts } = await below(w, subOrganizationId).answer(w.root, 'list_wallet_accounts')
    const addresses = (accounts as readonly { readonly address: string }[]).map(({ address }) => address)
    const keys = shown.privateKeys.map(({ privateKeyId, addresses: all }) => ({ privateKeyId, addresses: all }))
    assert.equal(others, {
      ...(suffixOf(type) === 'V3' ? { privateKeys: keys } : {}),
      ...(shown.wallets[0] && { wallet: { walletId: shown.wallets[0].walletId, addresses } }),
    })
    const wanted = given as { readonly wallet?: Json; readonly privateKeys?: readonly Json[] }
    assert.equal([shown.wallets.length, keys.length], [wanted.wallet ? 1 : 0, wanted.privateKeys?.length ?? 0])
    assert.equal(shown.rootQuorum, { threshold: 1, userIds: [...rootUserIds] })
    const asked = given as { readonly rootUsers?: readonly { readonly userName: string }[] }
    const names = asked.rootUsers?.map(({ userName }) => userName) ?? ['Root user']
    assert.equal(
      shown.users.map(({ userName }) => userName),
      names,
    )
    await w.close()
  })

it('refuses wrong members with their places', async () => {
  const w = await world()
  const two = [user({ apiKeys: [keyOf()] }), user({ apiKeys: [keyOf()] })]
  const cases: readonly (readonly [string, Members])[] = [
    ['rootQuorumThreshold', { rootQuorumThreshold: 0 }],
    ['rootQuorumThreshold', { rootUsers: two, rootQuorumThreshold: 3 }],
    ['rootUsers', { rootUsers: [] }],
    ['rootUsers.0.userName', { rootUsers: [user({ userName: '' })] }],
    ['rootUsers.0.userEmail', { rootUsers: [user({ userEmail: 'eve' })] }],
    ['rootUsers.0.userPhoneNumber', { rootUsers: [user({ userPhoneNumber: '1' })] }],
    ['disableEmailAuth', { disableEmailAuth: 'no' }],
    ['subOrganizationName', { subOrganizationName: 7 }],
  ]
  for (const [field, more] of cases) {
    const refused = await submitted(w, more)
    assert.equal([codeOf(refused), E.isLeft(refused) && fieldsOf(refused.left)], ['REQUEST_INVALID', [field]], field)
  }
  const key = keyOf()
  const twice = await submitted(w, { rootUsers: [user({ apiKeys: [key] }), user({ apiKeys: [key] })] })
  assert.equal(E.isLeft(twice) && fieldsOf(twice.left), ['rootUsers.1.apiKeys.0.publicKey'])
  await w.close()
})

it('takes an empty name, a passkey alone, and a contact in place of a credential, and nobody without either', async () => {
  const w = await world()
  const rootUsers = [
    user({ userEmail: 'eve@example.com' }),
    user({ userPhoneNumber: '+15551234567' }),
    user({ authenticators: [paramsOf(anyPasskey())] }),
    user({ apiKeys: [keyOf()] }),
  ]
  const done = right(await submitted(w, { subOrganizationName: '', rootUsers, rootQuorumThreshold: 4 }))
  assert.is(done.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(begunBy(done.result).rootUserIds.length, 4)
  for (const more of [{}, { userEmail: '' }, { apiKeys: [{ ...keyOf(), expirationSeconds: '900' }] }]) {
    const refused = await submitted(w, { rootUsers: [user(more)] })
    assert.match(E.isLeft(refused) ? refused.left.message : '', 'user missing valid credential')
  }
  await w.close()
})

it('begins with the features that the request does not disable', async () => {
  const w = await world()
  const all = {
    disableEmailRecovery: 'EMAIL_RECOVERY',
    disableEmailAuth: 'EMAIL_AUTH',
    disableSmsAuth: 'SMS_AUTH',
    disableOtpEmailAuth: 'OTP_EMAIL_AUTH',
  }
  const none = Object.fromEntries(Object.keys(all).map((member) => [member, undefined]))
  const featuresBy = async (more: Members) => {
    const done = right(await submitted(w, { ...none, ...more }))
    const { configs } = await below(w, begunBy(done.result).subOrganizationId).answer(
      w.root,
      'get_organization_configs',
    )
    return (configs as { readonly features: readonly { readonly name: string }[] }).features
      .map(({ name }) => name.replace('FEATURE_NAME_', ''))
      .toSorted()
  }
  const names = Object.values(all).toSorted()
  assert.equal(await featuresBy({}), names)
  for (const [member, feature] of Object.entries(all)) {
    assert.equal(
      await featuresBy({ [member]: true }),
      names.filter((name) => name !== feature),
    )
    assert.equal(await featuresBy({ [member]: false }), names)
  }
  await w.close()
})

it('is for the root quorum, or for whom a policy lets', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const asked = async () => w.submit(ada, path, await parameters(w, createSubOrganization.type))
  assert.is(codeOf(await asked()), 'REQUEST_NOT_AUTHORIZED')
  const policy = {
    policyName: 'one',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${ada.userId}')`,
    notes: '',
  }
  await w.done(w.root, 'create_policy', {
    ...policy,
    condition: "activity.resource == 'ORGANIZATION' && activity.action == 'CREATE'",
  })
  assert.is(right(await asked()).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.close()
})

it('begins one for one body, and at most 10 user tags may be in it', async () => {
  const w = await world()
  const key = generateKey('API_KEY_CURVE_P256')
  const body = w.body(
    path,
    await parameters(w, createSubOrganization.type, { rootUsers: [user({ apiKeys: [keyOf(key)] })] }),
  )
  const [first, again] = [right(await w.send(w.root, path, body)), right(await w.send(w.root, path, body))]
  assert.equal([again.id, again.result], [first.id, first.result])
  const child = placeIn(w, begunBy(first.result).subOrganizationId, { key, userId: '', apiKeyId: '' })
  for (let n = 0; n < 10; n += 1)
    await child.done(child.root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  assert.is(
    codeOf(await child.submit(child.root, 'create_user_tag', { userTagName: 'more', userIds: [] })),
    'RESOURCE_EXHAUSTED',
  )
  for (let n = 0; n < 11; n += 1) await w.done(w.root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  await w.close()
})

it.run()
