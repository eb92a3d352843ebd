import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anIssuer, google } from '../../world/issuer.ts'
import { begunBy, codeOf, placeIn, type Place, type Signer } from '../../world/world.ts'
import { audited, exported } from '../../audit/logs.ts'
import type { Members } from '../example.ts'
import { byGoogle, byToken, came, register } from '../oauth-provider/scene.ts'
import { json } from '../scene.ts'
import { childOf } from '../sub-organization/children.ts'
import { letIn } from './scene.ts'

const it = suite('connecting accounts by the auth proxy')

const LINKED = 'a client of ours'
const OTHER = 'another app'

const scene = async () => {
  const w = await letIn()
  await w.done(w.root, 'update_auth_proxy_config', { socialLinkingClientIds: ['one more', LINKED] })
  /** Signs somebody up, and gives the organization with its root user. */
  const signUp = async (signer: Signer, userEmail: string, provider: Members): Promise<Place> => {
    const user = { userName: userEmail, userEmail, apiKeys: [], authenticators: [], oauthProviders: [provider] }
    const parameters = json({ subOrganizationName: userEmail, rootQuorumThreshold: 1, rootUsers: [user] })
    const { subOrganizationId, rootUserIds } = begunBy(
      (await w.done(signer, 'create_sub_organization', parameters)).result,
    )
    return placeIn(w, subOrganizationId, { ...w.root, userId: rootUserIds[0] ?? '', apiKeyId: '' })
  }
  return { ...w, signUp }
}

/** Whom the parent finds by an address that was verified. */
const verified = async (w: Place, email: string): Promise<unknown> =>
  (await w.answer(w.root, 'list_verified_suborgs', { filterType: 'EMAIL', filterValue: email }))['organizationIds']

it('takes tokens of Google for a client that the organization has named, for an address that was verified', async () => {
  const { close, signUp, ...w } = await scene()
  const eve = await signUp(w.root, 'eve@example.com', byGoogle('eve@example.com', { aud: OTHER }))
  const { userId } = eve.root
  const asked = (place: Place, ...providers: readonly Members[]) =>
    register(place, w.proxy, place.root.userId, ...providers)
  for (const providers of [
    [byGoogle('eve@example.com', { aud: 'another app again' })],
    [byGoogle('eve@example.com', { aud: LINKED }), byGoogle('eve@example.com', { aud: 'another app again' })],
    [byGoogle('grace@example.com', { aud: LINKED })],
    [byGoogle('eve@example.com', { aud: LINKED, email_verified: false })],
    [byToken({ aud: LINKED, email: 'eve@example.com', email_verified: true }, anIssuer)],
    [byToken({ aud: LINKED }, google)],
  ])
    assert.is(codeOf(await asked(eve, ...providers)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(came(await asked(eve, byGoogle('Eve@example.com', { aud: LINKED }))), 'COMPLETED')
  assert.is(
    came(await register(eve, w.root, userId, byGoogle('eve@example.com', { aud: 'for the root' }))),
    'COMPLETED',
  )
  const bob = await childOf({ ...w, close }, 'bob') // bob has written an address, and nobody has verified it
  assert.is(
    codeOf(await asked(bob, byGoogle('bob@example.com', { aud: LINKED, sub: 'bob' }))),
    'REQUEST_NOT_AUTHORIZED',
  )
  await w.done(w.root, 'update_auth_proxy_config', { socialLinkingClientIds: [] })
  assert.is(
    codeOf(await asked(eve, byGoogle('eve@example.com', { aud: LINKED, sub: 'one more' }))),
    'REQUEST_NOT_AUTHORIZED',
  )
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
  await close()
})

it('verifies addresses at a sign-up by tokens for such a client alone; by the root, by any of Google', async () => {
  const { close, signUp, ...w } = await scene()
  const [ada, , carl] = [
    await signUp(w.proxy, 'ada@example.com', byGoogle('ada@example.com', { aud: LINKED, sub: 'ada' })),
    await signUp(w.proxy, 'bob@example.com', byGoogle('bob@example.com', { aud: OTHER, sub: 'bob' })),
    await signUp(w.root, 'carl@example.com', byGoogle('carl@example.com', { aud: OTHER, sub: 'carl' })),
  ]
  assert.equal(await verified(w, 'ada@example.com'), [ada.organizationId])
  assert.equal(await verified(w, 'bob@example.com'), [])
  assert.equal(await verified(w, 'carl@example.com'), [carl.organizationId])
  assert.equal((await audited(await exported(w.storage.store))).findings, [])

  await close()
})

it.run()
