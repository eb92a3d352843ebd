import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { decodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { clientKey, PLAIN, sendCode, verify } from '../resources/otp/scene.ts'
import { anIssuer, fakeIssuer, google } from '../world/issuer.ts'
import { codeOf, right, type Place, type Signer } from '../world/world.ts'
import { DONE, FACTOR, requires, steps } from './factors.ts'

import {
  identified,
  keysOf,
  login,
  made,
  MAIL,
  PHONE,
  proved,
  signedUp,
  texted,
  withProvider,
} from './attested-scene.ts'

const it = suite('stamps that bring a token')

it('sign in by a token for a verified address, once, and then by the session', async () => {
  const { w, child } = await made()
  const by = await proved(w, w.root)
  const { result, votes, organizationId } = await w.done(by, 'stamp_login', login(by))
  assert.is(organizationId, child.organizationId)
  assert.ok((result['stampLoginResult'] as { readonly session: string }).session.length > 100)
  assert.equal(
    votes.map(({ scheme, publicKey, userId }) => ({ scheme, publicKey, userId })),
    [{ scheme: 'SIGNATURE_SCHEME_TK_ATTESTED_P256', publicKey: by.key.publicKey, userId: child.own.userId }],
  )
  assert.is((await child.answer({ key: by.key }, 'whoami')).userId, child.own.userId)
  assert.is(codeOf(await w.submit(by, 'stamp_login', login(by))), 'REQUEST_INVALID')
  assert.is(codeOf(await child.submit(by, 'stamp_login', login(by))), 'REQUEST_INVALID')
  await w.close()
})

it('sign in to the oldest of several organizations', async () => {
  const { w, child } = await made()
  await signedUp(w)
  const by = await proved(w, w.root)
  assert.is((await w.done(by, 'stamp_login', login(by))).organizationId, child.organizationId)
  await w.close()
})

it('do nothing besides', async () => {
  const { w, child } = await made()
  const by = await proved(w, w.root)
  const apiKeys = [{ apiKeyName: 'a', publicKey: clientKey().publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const { userId } = child.own
  assert.is(codeOf(await child.submit(by, 'create_api_keys', { userId, apiKeys })), 'UNAUTHENTICATED')
  for (const path of ['whoami', 'list_users', 'list_activities'])
    assert.is(codeOf(await child.ask(by, path)), 'UNAUTHENTICATED')
  await w.close()
})

it('are refused with a token of another key, one that is over, and one of nobody', async () => {
  const { w, child } = await made()
  const by = await proved(w, w.root)
  assert.is(codeOf(await child.submit({ ...by, key: clientKey() }, 'stamp_login', login(by))), 'SIGNATURE_INVALID')
  const token = by.proof?.token ?? ''
  const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
  const wrong = [
    ...[token.slice(1), '', 'a.b.c'].map((text) => [text, 'SIGNATURE_INVALID'] as const),
    [forged, 'CREDENTIAL_NOT_FOUND'] as const,
  ]
  for (const [text, code] of wrong)
    assert.is(
      codeOf(await child.submit({ ...by, proof: { by: 'VERIFICATION_TOKEN', token: text } }, 'stamp_login', login(by))),
      code,
    )
  const asIdentity: Signer = { ...by, proof: { by: 'OIDC', token } }
  assert.is(codeOf(await child.submit(asIdentity, 'stamp_login', login(by))), 'SIGNATURE_INVALID')
  const nobody = await proved(w, w.root, 'eve@example.com')
  assert.is(codeOf(await child.submit(nobody, 'stamp_login', login(nobody))), 'CREDENTIAL_NOT_FOUND')
  assert.is(codeOf(await w.submit(nobody, 'stamp_login', login(nobody))), 'CREDENTIAL_NOT_FOUND')
  w.clock.pass(3_600_000)
  assert.is(codeOf(await child.submit(by, 'stamp_login', login(by))), 'API_KEY_EXPIRED')
  await w.close()
})

it('tell strangers nothing of whom they mean', async () => {
  const { w, child } = await withProvider()
  const real = await proved(w, w.root)
  const told = async (place: Place, by: Signer): Promise<string> => {
    const refused = await place.submit(by, 'stamp_login', login(by))
    return E.isLeft(refused) ? JSON.stringify(refused.left).replaceAll(by.key.publicKey, 'key') : 'no failure'
  }
  /** A token that the deployment has not signed. */
  const madeUp = (contact: string, exp: number): Signer => {
    const key = clientKey()
    const [header = '', claims = '', signature = ''] = (real.proof?.token ?? '').split('.')
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
    const text = JSON.stringify({ ...said, exp: String(exp), contact, public_key: key.publicKey })
    const token = [header, Buffer.from(text).toString('base64url'), signature].join('.')
    return { key, proof: { by: 'VERIFICATION_TOKEN', token } }
  }
  const forger = fakeIssuer(anIssuer.url)
  for (const place of [w, child])
    for (const exp of [w.clock.now() + 60_000, w.clock.now() - 60_000]) {
      assert.is(await told(place, madeUp(MAIL, exp)), await told(place, madeUp('eve@example.com', exp)))
      const until = { exp: Math.floor(exp / 1000) - 60 }
      const known = await told(place, identified(forger, until))
      assert.is(known, await told(place, identified(forger, { ...until, sub: 'nobody' })))
    }
  await w.close()
})

it('are refused where the address was never verified, has changed, or codes are off', async () => {
  const { w, child } = await made()
  const by = await proved(w, w.root)
  await child.done(child.own, 'remove_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' })
  assert.is(codeOf(await child.submit(by, 'stamp_login', login(by))), 'CREDENTIAL_NOT_FOUND')
  await child.done(child.own, 'set_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: 'true' })
  await child.done(child.own, 'update_user_email', { userId: child.own.userId, userEmail: 'other@example.com' })
  assert.is(codeOf(await child.submit(by, 'stamp_login', login(by))), 'CREDENTIAL_NOT_FOUND')
  await child.done(child.own, 'update_user_email', { userId: child.own.userId, userEmail: MAIL })
  assert.is(codeOf(await child.submit(by, 'stamp_login', login(by))), 'CREDENTIAL_NOT_FOUND')
  await w.close()
})

it('are a second factor by code, and find the activity by the id of the parent', async () => {
  const { w, child } = await made()
  const [EMAIL, API_KEY] = [{ type: 'AUTHENTICATION_TYPE_EMAIL_OTP' }, { type: 'AUTHENTICATION_TYPE_API_KEY' }]
  await requires(child, child.own, steps(API_KEY, EMAIL))
  const waiting = await child.done(child.own, 'create_user_tag', { userTagName: 'a', userIds: [] })
  assert.is(waiting.status, FACTOR)
  const by = await proved(w, w.root)
  const asked = { organizationId: w.organizationId, activityId: waiting.id }
  const status = async () =>
    ((await w.answer(by, 'get_mfa_status', asked)).mfaStatuses as readonly { readonly satisfiedMethods: Json }[])[0]
  const [id = ''] = await keysOf(child)
  assert.equal((await status())?.satisfiedMethods, [{ ...API_KEY, id }])
  assert.is(right(await child.approve(by, waiting)).status, DONE)
  assert.equal((await status())?.satisfiedMethods, [{ ...API_KEY, id }, EMAIL])
  const { activity } = (await w.answer(by, 'get_activity', asked)) as { readonly activity: { readonly status: string } }
  assert.is(activity.status, DONE)
  await w.close()
})

it('are one factor, however many codes were sent to a contact', async () => {
  const { w, child } = await made()
  const EMAIL = { type: 'AUTHENTICATION_TYPE_EMAIL_OTP' }
  await requires(child, child.own, steps(EMAIL, EMAIL))
  const waiting = await child.done(child.own, 'create_user_tag', { userTagName: 'a', userIds: [] })
  for (const by of [await proved(w, w.root), await proved(w, w.root)])
    assert.is(right(await child.approve(by, waiting)).status, FACTOR)
  await w.close()
})

it('wait for a factor of a log-in, which gives the session then', async () => {
  const { w, child } = await made()
  await child.done(child.own, 'update_user_phone_number', { userId: child.own.userId, userPhoneNumber: PHONE })
  const asRoot = { ...child.own }
  const { otpId } = await sendCode(child, asRoot, { otpType: 'OTP_TYPE_SMS', contact: PHONE, appName: 'a' }, PLAIN)
  await child.done(asRoot, 'update_user_phone_number', {
    userId: child.own.userId,
    userPhoneNumber: PHONE,
    verificationToken: await verify(child, asRoot, otpId, texted()),
  })
  const EMAIL = { type: 'AUTHENTICATION_TYPE_EMAIL_OTP' }
  await requires(child, child.own, steps(EMAIL, { type: 'AUTHENTICATION_TYPE_SMS_OTP' }), {
    condition: "activity.type == 'ACTIVITY_TYPE_STAMP_LOGIN'",
  })
  const by = await proved(w, w.root)
  const waiting = await w.done(by, 'stamp_login', login(by))
  assert.is(waiting.status, FACTOR)
  const second = await proved(child, child.own, PHONE)
  const { status, result } = right(await child.approve(second, waiting))
  assert.is(status, DONE)
  assert.ok((result['stampLoginResult'] as { readonly session: string }).session.length > 100)
  const again = await w.done(by, 'stamp_login', login(by))
  assert.is(right(await child.approve(second, again)).status, 'ACTIVITY_STATUS_FAILED')
  await w.close()
})

it('sign in by the token of an identity provider, also through the parent', async () => {
  const { w, child } = await withProvider()
  for (const place of [w, child]) {
    const by = identified(anIssuer)
    const { organizationId, votes } = await place.done(by, 'stamp_login', login(by))
    assert.is(organizationId, child.organizationId)
    assert.is(votes[0]?.scheme, 'SIGNATURE_SCHEME_TK_ATTESTED_P256')
    assert.is((await child.answer({ key: by.key }, 'whoami')).userId, child.own.userId)
  }
  await w.close()
})

it('are refused with what is not bound to the text of the key, is of another identity, is over, or was not signed', async () => {
  const { w, child, issuers } = await withProvider()
  const key = clientKey()
  const hash = (bytes: Uint8Array) => nodeDigest().sha256Hex(bytes)
  const asked = issuers.asked()
  for (const nonce of [undefined, hash(decodeHex(key.publicKey) ?? new Uint8Array()), hash(encodeUtf8('a')), ''])
    assert.is(
      codeOf(await child.submit(identified(anIssuer, { nonce }, key), 'stamp_login', login({ key }))),
      'SIGNATURE_INVALID',
    )
  for (const other of [
    { sub: 'else' },
    { aud: 'else' },
    { iss: 'https://id.example.com/' },
    { iss: 'https://ID.example.com' },
  ])
    for (const place of [w, child])
      assert.is(
        codeOf(await place.submit(identified(anIssuer, other, key), 'stamp_login', login({ key }))),
        'CREDENTIAL_NOT_FOUND',
      )
  assert.is(codeOf(await w.submit(identified(google, {}, key), 'stamp_login', login({ key }))), 'CREDENTIAL_NOT_FOUND')
  assert.is(issuers.asked(), asked) // an issuer that nobody signs in by is never asked
  const forger = fakeIssuer(anIssuer.url)
  assert.is(codeOf(await w.submit(identified(forger, {}, key), 'stamp_login', login({ key }))), 'CREDENTIAL_NOT_FOUND')
  assert.is(
    codeOf(await child.submit(identified(forger, {}, key), 'stamp_login', login({ key }))),
    'CREDENTIAL_NOT_FOUND',
  )
  issuers.answer(false)
  assert.is(codeOf(await child.submit(identified(anIssuer, {}, key), 'stamp_login', login({ key }))), 'UNAVAILABLE')
  issuers.answer(true)
  const over = { exp: w.clock.now() / 1000 - 60 }
  assert.is(
    codeOf(await child.submit(identified(anIssuer, over, key), 'stamp_login', login({ key }))),
    'API_KEY_EXPIRED',
  )
  await w.close()
})

it('have their token verified once, before any organization is loaded that may have the user', async () => {
  const { w, child, issuers } = await withProvider()
  const another = await signedUp(w)
  const oauthProviders = [{ providerName: 'own', oidcToken: anIssuer.token() }]
  await another.done(another.own, 'create_oauth_providers', { userId: another.own.userId, oauthProviders })
  const asked = issuers.asked()
  const by = identified(fakeIssuer(anIssuer.url))
  assert.is(codeOf(await w.submit(by, 'stamp_login', login(by))), 'CREDENTIAL_NOT_FOUND')
  assert.is(issuers.asked(), asked + 1)
  const right = identified(anIssuer)
  assert.is((await w.done(right, 'stamp_login', login(right))).organizationId, child.organizationId)
  await w.close()
})

it('are a second factor by an identity provider, as long as the user has it', async () => {
  const { w, child, providerId } = await withProvider()
  const [OAUTH, API_KEY] = [
    { type: 'AUTHENTICATION_TYPE_OAUTH', id: providerId },
    { type: 'AUTHENTICATION_TYPE_API_KEY' },
  ]
  await requires(child, child.own, steps(OAUTH, API_KEY))
  const [first, second] = [
    await child.done(child.own, 'create_user_tag', { userTagName: 'a', userIds: [] }),
    await child.done(child.own, 'create_user_tag', { userTagName: 'b', userIds: [] }),
  ]
  assert.is(right(await child.approve(identified(anIssuer), first)).status, DONE)
  await child.done(child.own, 'delete_oauth_providers', { userId: child.own.userId, providerIds: [providerId] })
  assert.is(codeOf(await child.approve(identified(anIssuer), second)), 'CREDENTIAL_NOT_FOUND')
  await w.close()
})

it.run()
