import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { claimsIn } from '../../../../core/resources/deployment-key/token.ts'
import { sessionToken } from '../../../../core/resources/session/session-token.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import type { TokenClaims } from '../../world/issuer.ts'
import { beginBelow, codeOf, right, type Place, type Signer } from '../../world/world.ts'
import { keysOf } from '../session/scene.ts'
import { ADA, countOf, newKey, nonceOf, register, tokenFor, withAccounts } from './scene.ts'

const it = suite('oauth_login')

/** The claims of the session that an activity began. */
const sessionIn = ({ result }: ActivityView) => {
  const { session } = result['oauthLoginResult'] as { readonly session: string } // as the wire says
  const claims = claimsIn(sessionToken, session)
  if (claims === undefined) throw new Error(`no token: ${session}`)
  return claims
}

const userOf = async (place: Place, signer: Signer) => (await place.answer(signer, 'whoami'))['userId']

it('begins a session of the user whom a token names, with the key of the client to which it is bound', async () => {
  const { ada, issuer, close, ...w } = await withAccounts()
  const key = newKey()
  const { publicKey } = key
  const done = await w.done(w.root, 'oauth_login', { oidcToken: tokenFor(issuer, publicKey), publicKey })
  const { exp, ...claims } = sessionIn(done)
  assert.equal(claims, {
    public_key: publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: ada.userId,
    organization_id: w.organizationId,
  })
  assert.is(exp, Math.floor(w.clock.now() / 1000) + 900)
  assert.is(await userOf(w, { key }), ada.userId)
  const [, made] = await keysOf(w, { key })
  assert.equal(made?.credential, { publicKey, type: 'CREDENTIAL_TYPE_LOGIN' })
  assert.match(made?.apiKeyName ?? '', /^Session - 2026-01-01T/)
  await close()
})

it('takes the hash of the text of the key as it was sent, which is that of the documented example', async () => {
  const { issuer, ada, close, ...w } = await withAccounts()
  const publicKey = '0394e549c71fa99dd5cf752fba623090be314949b74e4cdf7ca72031dd638e281a'
  const nonce = '1663bba492a323085b13895634a3618792c4ec6896f3c34ef3c26396df22ef82'
  const shouted = publicKey.toUpperCase()
  const signIn = (key: string, claims: object) =>
    w.submit(w.root, 'oauth_login', { oidcToken: issuer.token({ ...ADA, ...claims }), publicKey: key })
  right(await signIn(publicKey, { nonce }))
  right(await signIn(publicKey, { tknonce: nonce }))
  right(await signIn(publicKey, { nonce: 'another', tknonce: nonce }))
  assert.is(codeOf(await signIn(shouted, { nonce })), 'INVALID_OIDC_TOKEN')
  const { intent, result } = right(await signIn(shouted, { nonce: nonceOf(shouted) }))
  assert.is((intent['oauthLoginIntent'] as { readonly publicKey: string }).publicKey, shouted)
  assert.is(sessionIn({ result } as ActivityView).public_key, publicKey)
  assert.equal(
    (await keysOf(w, ada)).map(({ credential }) => credential.publicKey),
    [ada.key.publicKey, publicKey],
  )
  await close()
})

it('ends other sessions of the user if it shall, and lives under a profile of the organization above', async () => {
  const { other, close, ...w } = await withAccounts()
  const child = await beginBelow(w, w)
  await register(child, child.root, other.token(ADA))
  const { result } = await w.done(w.root, 'create_session_profile', {
    sessionProfileName: 'tags',
    scope: "activity.kind == 'CREATE_USER_TAG'",
    expirationSeconds: '60',
  })
  const { sessionProfileId } = result['createSessionProfileResult'] as { readonly sessionProfileId: string }
  const [first, second] = [newKey(), newKey()]
  const signIn = async (key: typeof first, members: object) => {
    const { publicKey } = key
    return child.done(w.root, 'oauth_login', { oidcToken: tokenFor(other, publicKey), publicKey, ...members })
  }
  await signIn(first, {})
  const session = sessionIn(await signIn(second, { sessionProfileId, invalidateExisting: true }))
  assert.is(session.session_type, 'tags')
  assert.is(session.session_profile_id, sessionProfileId)
  assert.is(codeOf(await child.ask({ key: first }, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  assert.is(codeOf(await child.submit({ key: second }, 'delete_users', { userIds: [] })), 'REQUEST_INVALID')
  const scoped = await child.submit({ key: second }, 'update_user_name', { userId: child.root.userId, userName: 'x' })
  assert.is(codeOf(scoped), 'REQUEST_NOT_AUTHORIZED')
  right(await child.submit({ key: second }, 'create_user_tag', { userTagName: 'a', userIds: [] }))
  await close()
})

it('is submitted by the parent for a user of the organization below, and finds there no user of the parent', async () => {
  const { ada, issuer, other, identityTokens, close, ...w } = await withAccounts()
  const child = await beginBelow(w, w)
  await register(child, child.root, other.token(ADA))
  const key = newKey()
  const { publicKey } = key
  await child.done(w.root, 'oauth_login', { oidcToken: tokenFor(other, publicKey), publicKey })
  assert.is(await userOf(child, { key }), child.root.userId)
  const asked = identityTokens.asked()
  const another = newKey().publicKey
  const ofParent = { oidcToken: tokenFor(issuer, another), publicKey: another }
  assert.is(codeOf(await child.submit(w.root, 'oauth_login', ofParent)), 'UNAUTHENTICATED')
  assert.is(identityTokens.asked(), asked)
  assert.is(codeOf(await child.submit(ada, 'oauth_login', ofParent)), 'REQUEST_NOT_AUTHORIZED')
  await close()
})

it('waits for approvals while the clock goes on, and fails if the token ends meanwhile', async () => {
  const { ada, issuer, close, ...w } = await withAccounts()
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const signIn = async (claims: TokenClaims = {}) => {
    const key = newKey()
    const oidcToken = tokenFor(issuer, key.publicKey, claims)
    const asked = await w.done(w.root, 'oauth_login', { oidcToken, publicKey: key.publicKey })
    assert.is(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    return { key, asked }
  }
  const first = await signIn()
  w.clock.pass(60_000)
  assert.is(right(await w.approve(ada, first.asked)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(await userOf(w, first), ada.userId)

  const ends = await signIn({ exp: Math.floor(w.clock.now() / 1000) + 60 })
  w.clock.pass(121_000)
  const { status, failure } = right(await w.approve(ada, ends.asked))
  assert.equal([status, failure?.message], ['ACTIVITY_STATUS_FAILED', 'invalid OIDC token'])
  assert.is(codeOf(await w.ask(ends, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  await close()
})

it('is one activity and one key, however often the same body comes', async () => {
  const { ada, issuer, close, ...w } = await withAccounts()
  const { publicKey } = newKey()
  const body = w.body('oauth_login', { oidcToken: tokenFor(issuer, publicKey), publicKey })
  const answers = await Promise.all([1, 2, 3].map(() => w.send(w.root, 'oauth_login', body)))
  assert.is(new Set(answers.map((answer) => right(answer).id)).size, 1)
  assert.is((await keysOf(w, ada)).length, 2)
  await close()
})

it('takes no key that is another user’s, or off its curve', async () => {
  const { issuer, close, ...w } = await withAccounts()
  const before = await countOf(w)
  for (const publicKey of [w.root.key.publicKey, `02${'00'.repeat(31)}07`, 'zz', ''])
    assert.is(
      codeOf(await w.submit(w.root, 'oauth_login', { oidcToken: tokenFor(issuer, publicKey), publicKey })),
      'REQUEST_INVALID',
      publicKey,
    )
  assert.is(await countOf(w), before)
  await close()
})

it.run()
