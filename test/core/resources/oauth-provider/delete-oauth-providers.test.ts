import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, right } from '../../world/world.ts'
import { NOBODY } from '../example.ts'
import { json } from '../scene.ts'
import { byClaims, byToken, came, office, providersOf, register } from './scene.ts'

const it = suite('delete oauth providers')

it('deletes accounts of the user, who may do it alone', async () => {
  const w = await office()
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  const { userId } = ada
  right(await register(w, ada, userId, byToken(), byClaims()))
  const [first, second] = await providersOf(w, userId)
  const gone = { userId, providerIds: [first?.providerId ?? ''] }
  assert.is(codeOf(await w.submit(grace, 'delete_oauth_providers', gone)), 'REQUEST_NOT_AUTHORIZED')
  const { result } = await w.done(ada, 'delete_oauth_providers', gone)
  assert.equal(result, { deleteOauthProvidersResult: { providerIds: gone.providerIds } })
  assert.equal(await providersOf(w, userId), [second])
  for (const providerIds of [[], gone.providerIds, [NOBODY]])
    assert.is(
      codeOf(await w.submit(ada, 'delete_oauth_providers', { userId, providerIds })),
      providerIds.length === 0 ? 'REQUEST_INVALID' : 'RESOURCE_NOT_FOUND',
    )
  await w.close()
})

it('leaves the user something by which to sign in', async () => {
  const w = await office()
  const created = await w.done(
    w.root,
    'create_users',
    json({ users: [{ userName: 'ada', apiKeys: [], authenticators: [], oauthProviders: [byToken()], userTags: [] }] }),
  )
  const { userIds } = created.result['createUsersResult'] as { readonly userIds: readonly string[] }
  const [userId = ''] = userIds
  const [only] = await providersOf(w, userId)
  const asked = () => w.submit(w.root, 'delete_oauth_providers', { userId, providerIds: [only?.providerId ?? ''] })
  assert.match(codeOf(await asked()), 'REQUEST_INVALID')
  right(await register(w, w.root, userId, byToken({ sub: 'another' })))
  assert.is(came(await asked()), 'COMPLETED')
  await w.close()
})

it('goes with the user, and frees the identity', async () => {
  const w = await office()
  const ada = await w.enrol('ada')
  right(await register(w, ada, ada.userId, byToken()))
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  right(await register(w, w.root, w.root.userId, byToken()))
  await w.close()
})

it.run()
