import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { users } from '../../../../core/organization/users.ts'
import { createUsers } from '../../../../core/resources/user/create-users.ts'
import { codeOf, right } from '../../world/world.ts'
import type { Members } from '../example.ts'
import { anyApiKey, anyOrganization, fieldsOf, uuid } from '../execute.ts'
import { E } from '../../../../core/prelude.ts'
import { byClaims, byGoogle, byToken, came, office, register } from '../oauth-provider/scene.ts'
import { json } from '../scene.ts'

const it = suite('create users with identity providers')

const anyUser = (more: Members = {}): Members => ({
  userName: 'Edsger',
  apiKeys: [],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
  ...more,
})
const intent = (...added: readonly Members[]): Json => json({ users: added.map(anyUser) })

it('draws their ids behind those of keys, and lets a user begin with a provider alone', async () => {
  const tried = anyOrganization()
  const both = { apiKeys: [anyApiKey(10)], oauthProviders: [byToken({ iat: 0 }), byClaims()] }
  const alone = { oauthProviders: [byToken({ sub: 'alone', iat: 0 })] }
  const { result } = right(await tried.inspected(createUsers, intent(both, alone)))
  assert.equal(result, { userIds: [uuid(5), uuid(9)] })
  const idsOf = (userId: string) => [...(users.of(tried.state).get(userId)?.oauthProviders.keys() ?? [])]
  assert.equal([idsOf(uuid(5)), idsOf(uuid(9))], [[uuid(7), uuid(8)], [uuid(10)]])
})

it('takes a verified address of Google for verified, if it is that of the user, and of no other provider', async () => {
  const isVerified = async (userEmail: string | undefined, provider: Members): Promise<boolean | undefined> => {
    const tried = anyOrganization()
    right(await tried.inspected(createUsers, intent({ userEmail, oauthProviders: [provider] })))
    return users.of(tried.state).get(uuid(5))?.isEmailVerified
  }
  const old = { iat: 0 }
  assert.is(await isVerified('Ada@example.com', byGoogle('ada@example.com', old)), true)
  assert.is(await isVerified('grace@example.com', byGoogle('ada@example.com', old)), undefined)
  assert.is(await isVerified(undefined, byGoogle('ada@example.com', old)), undefined)
  assert.is(await isVerified('', byGoogle('', old)), undefined)
  assert.is(await isVerified('ada@example.com', byGoogle('ada@example.com', { ...old, email_verified: 1 })), undefined)
  const elsewhere = byToken({ ...old, email: 'ada@example.com', email_verified: true })
  assert.is(await isVerified('ada@example.com', elsewhere), undefined)
})

it('has no work for requests without tokens', async () => {
  const w = await office({ ports: { identityTokens: undefined }, publicUrl: undefined })
  await w.enrol('ada')
  const { issuers, ...other } = await office()
  await other.enrol('ada')
  assert.is(issuers.asked(), 0)
  const asked = (more: Members) => w.submit(w.root, 'create_users', intent(more))
  assert.is(codeOf(await asked({ oauthProviders: [byToken()] })), 'UNSUPPORTED')
  assert.is(codeOf(await asked({ oauthProviders: [byClaims()] })), 'REQUEST_INVALID')
  await w.close()
  await other.close()
})

it('refuses a token that its issuer has not signed, an identity twice, and too many, and creates nobody', async () => {
  const w = await office()
  right(await register(w, w.root, w.root.userId, byToken()))
  const asked = (...added: readonly Members[]) => w.submit(w.root, 'create_users', intent(...added))
  const many = (sub: string, count: number) => Array.from({ length: count }, (_, n) => byToken({ sub: `${sub}${n}` }))
  for (const [code, ...added] of [
    ['INVALID_OIDC_TOKEN', { oauthProviders: [byToken({ sub: 'a' }), byToken({}, w.stranger)] }],
    ['INVALID_OIDC_TOKEN', { oauthProviders: [byToken({ sub: 'a', exp: 1 })] }],
    ['OAUTH_PROVIDER_ALREADY_EXISTS', { oauthProviders: [byToken()] }],
    ['OAUTH_PROVIDER_ALREADY_EXISTS', { oauthProviders: [byGoogle('a')] }, { oauthProviders: [byGoogle('b')] }],
    ['REQUEST_INVALID', { oauthProviders: [byToken({ sub: 'a' })] }, { oauthProviders: [byClaims({ sub: 'a' })] }],
    ['RESOURCE_EXHAUSTED', { oauthProviders: many('a', 11) }],
    ['RESOURCE_EXHAUSTED', ...['a', 'b', 'c'].map((sub) => ({ oauthProviders: many(sub, 7) }))],
  ] as const)
    assert.is(codeOf(await asked(...added)), code)
  const at = await asked({}, { oauthProviders: [byClaims()] })
  assert.equal(E.isLeft(at) && fieldsOf(at.left), ['users.1.oauthProviders.0.oidcClaims'])
  const { users: there } = await w.answer(w.root, 'list_users')
  assert.is((there as readonly unknown[]).length, 1)
  await w.close()
})

it('takes claims in the fourth version alone', async () => {
  const w = await office()
  const oauthProviders = [byToken(), byClaims()]
  const third = { type: 'ACTIVITY_TYPE_CREATE_USERS_V3' }
  assert.is(codeOf(await w.submit(w.root, 'create_users', intent({ oauthProviders }), third)), 'REQUEST_INVALID')
  assert.is(
    came(await w.submit(w.root, 'create_users', intent({ oauthProviders: [byGoogle('a')] }), third)),
    'COMPLETED',
  )
  const { result } = await w.done(w.root, 'create_users', intent({ oauthProviders }))
  const [userId = ''] = (result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds
  const { user } = await w.answer(w.root, 'get_user', { userId })
  const shown = (user as { readonly oauthProviders: readonly { readonly audience: string }[] }).oauthProviders
  assert.equal(shown.map(({ audience }) => audience), ['client', 'another']) // prettier-ignore
  await w.close()
})

it.run()
