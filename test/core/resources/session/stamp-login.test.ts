import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { codeOf, right, world, type Place, type Signer } from '../../world/world.ts'
import { keysOf, signIn } from './scene.ts'

const it = suite('stamp_login')

const DAY_SECONDS = 24 * 60 * 60

const office = async () => {
  const made = await world()
  return { ...made, ada: await made.enrol('ada') }
}

it('gives a key of the client a session of the caller, which lives for a quarter of an hour', async () => {
  const { ada, clock, close, ...place } = await office()
  const session = await signIn(place, ada)
  assert.equal(session.claims, {
    exp: Math.floor(clock.now() / 1000) + 900,
    public_key: session.key.publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: ada.userId,
    organization_id: place.organizationId,
  })
  const [, key] = await keysOf(place, session)
  assert.equal(key?.credential, { publicKey: session.key.publicKey, type: 'CREDENTIAL_TYPE_LOGIN' })
  assert.is(key?.expirationSeconds, '900')
  assert.match(key?.apiKeyName ?? '', /^Session - 2026-01-01T00:00:00\.\d{3}Z$/)
  assert.is((await place.answer(session, 'whoami'))['userId'], ada.userId)
  const { seconds = '', nanos = '' } = key?.createdAt ?? {}
  const endMs = Number(seconds) * 1000 + Number(nanos) / 1e6 + 900_000
  clock.set(endMs - 1)
  assert.is((await place.answer(session, 'whoami'))['userId'], ada.userId)
  clock.set(endMs)
  assert.is(codeOf(await place.ask(session, 'whoami')), 'API_KEY_EXPIRED')
  await close()
})

const refusalOf = async (place: Place, signer: Signer, parameters: Json) => {
  const refused = await place.submit(signer, 'stamp_login', parameters)
  if (E.isRight(refused)) return ['no failure']
  const [details] = (refused.left.details ?? []) as readonly {
    readonly fieldViolations?: readonly { field: string }[]
  }[]
  return [refused.left.code, details?.fieldViolations?.[0]?.field, refused.left.message]
}

it('refuses a key that is off its curve, a life that is no life, and a profile that is not there', async () => {
  const { ada, close, ...place } = await office()
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  const before = await place.answer(place.root, 'list_activities')
  for (const [members, field, message] of [
    [{ publicKey: `02${'00'.repeat(31)}07` }, 'publicKey'],
    [{ publicKey: generateKey('API_KEY_CURVE_ED25519').publicKey }, 'publicKey'],
    [{ publicKey: 'zz' }, 'publicKey'],
    [{ publicKey: '' }, 'publicKey'],
    ...['0', '-1', '1e3', '1'.repeat(20), ' 900', '+900', '0900'].map(
      (expirationSeconds) => [{ expirationSeconds }, 'expirationSeconds', 'invalid api key expiration'] as const,
    ),
    [{ expirationSeconds: String(30 * DAY_SECONDS + 1) }, 'expirationSeconds'],
    [{ sessionProfileId: ada.userId }, 'sessionProfileId'],
  ] as const) {
    const [code, named, said = ''] = await refusalOf(place, ada, { publicKey, ...members })
    assert.equal([code, named], ['REQUEST_INVALID', field], JSON.stringify(members))
    if (message !== undefined) assert.ok(said.includes(message), said)
  }
  assert.equal(await place.answer(place.root, 'list_activities'), before)
  await signIn(place, ada, { expirationSeconds: String(30 * DAY_SECONDS) })
  await close()
})

it('renews a session of this user, also by itself and when it has expired, and no other key', async () => {
  const { ada, clock, close, ...place } = await office()
  const bob = await place.enrol('bob')
  const session = await signIn(place, ada, { expirationSeconds: '60' })
  clock.pass(30_000)
  const renewed = await signIn(place, session, { expirationSeconds: '60' }, session.key)
  assert.is.not(renewed.apiKeyId, session.apiKeyId)
  assert.is(renewed.claims.exp, session.claims.exp + 30)
  clock.pass(60_000)
  assert.is(codeOf(await place.ask(session, 'whoami')), 'API_KEY_EXPIRED')
  assert.is(codeOf(await place.submit(session, 'stamp_login', { publicKey: session.key.publicKey })), 'API_KEY_EXPIRED')
  await signIn(place, ada, {}, session.key)
  assert.is((await keysOf(place, ada)).length, 2)
  for (const [signer, { publicKey }] of [
    [bob, session.key],
    [ada, ada.key],
    [ada, bob.key],
    [ada, place.root.key],
  ] as const)
    assert.equal((await refusalOf(place, signer, { publicKey })).slice(0, 2), ['REQUEST_INVALID', 'publicKey'])
  await close()
})

it('ends the other sessions of the user if it shall', async () => {
  const { ada, close, ...place } = await office()
  const bob = await signIn(place, await place.enrol('bob'))
  const [first, second] = [await signIn(place, ada), await signIn(place, ada)]
  const third = await signIn(place, second, { invalidateExisting: true })
  for (const ended of [first, second]) assert.is(codeOf(await place.ask(ended, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  for (const alive of [ada, third, bob]) right(await place.ask(alive, 'whoami'))
  const again = await signIn(place, third, { invalidateExisting: true }, third.key)
  assert.equal(
    (await keysOf(place, again)).map(({ apiKeyId }) => apiKeyId),
    [ada.apiKeyId, again.apiKeyId],
  )
  await close()
})

it('keeps at most ten expiring keys: expired ones leave first, then the oldest', async () => {
  const { ada, clock, close, ...place } = await office()
  const sessions = []
  for (let n = 0; n < 10; n += 1) sessions.push(await signIn(place, ada, { expirationSeconds: n === 4 ? '1' : '600' }))
  clock.pass(1_000)
  const [eleventh, twelfth] = [await signIn(place, ada), await signIn(place, ada)]
  const left = (await keysOf(place, ada)).map(({ apiKeyId }) => apiKeyId)
  const expected = [ada, ...sessions.filter((_, n) => n !== 4 && n !== 0), eleventh, twelfth]
  assert.equal(
    left,
    expected.map(({ apiKeyId }) => apiKeyId),
  )
  assert.is(codeOf(await place.ask(sessions[0] ?? ada, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  await close()
})

it('keeps ten also where two sign in at the same time', async () => {
  const { ada, close, ...place } = await office()
  for (let n = 0; n < 10; n += 1) await signIn(place, ada)
  await Promise.all([signIn(place, ada), signIn(place, ada)])
  assert.is((await keysOf(place, ada)).length, 11)
  await close()
})

it('is one activity and one key, however often the same body comes', async () => {
  const { ada, close, ...place } = await office()
  const body = place.body('stamp_login', { publicKey: generateKey('API_KEY_CURVE_P256').publicKey })
  const answers = await Promise.all([1, 2, 3].map(() => place.send(ada, 'stamp_login', body)))
  const [first, ...others] = answers.map((answer) => ({ id: right(answer).id, result: right(answer).result }))
  for (const other of others) assert.equal(other, first)
  assert.is((await keysOf(place, ada)).length, 2)
  await close()
})

it('makes no session that lasts: its key makes no key that outlives it', async () => {
  const { ada, close, ...place } = await office()
  const session = await signIn(place, ada, { expirationSeconds: '600' })
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  const lasting = { apiKeyName: 'lasting', publicKey, curveType: 'API_KEY_CURVE_P256' }
  const { userId } = ada
  for (const key of [lasting, { ...lasting, expirationSeconds: '601' }])
    assert.is(
      codeOf(await place.submit(session, 'create_api_keys', { userId, apiKeys: [key] })),
      'REQUEST_NOT_AUTHORIZED',
    )
  right(await place.submit(session, 'create_api_keys', { userId, apiKeys: [{ ...lasting, expirationSeconds: '60' }] }))
  await close()
})

it('is denied by a policy that denies it', async () => {
  const { ada, close, ...place } = await office()
  const policy = { policyName: 'nobody signs in', effect: 'EFFECT_DENY', condition: "activity.kind == 'STAMP_LOGIN'" }
  await place.done(place.root, 'create_policy', policy)
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  assert.is(codeOf(await place.submit(ada, 'stamp_login', { publicKey })), 'REQUEST_NOT_AUTHORIZED')
  await close()
})

it.run()
