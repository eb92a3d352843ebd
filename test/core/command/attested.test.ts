import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { decodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { family } from '../resources/sub-organization/children.ts'
import {
  clientKey,
  PLAIN,
  postOffice,
  sendCode,
  verify,
  verifyEncrypted,
  type ClientKey,
} from '../resources/otp/scene.ts'
import { anIssuer, fakeIssuer, google, knownIssuers, type Issuer, type TokenClaims } from '../world/issuer.ts'
import { begunBy, codeOf, placeIn, right, type Person, type Place, type Signer, type World } from '../world/world.ts'
import { DONE, FACTOR, requires, steps } from './factors.ts'

const it = suite('stamps that bring a token')

const { ports, mails, messages } = postOffice()
const [MAIL, PHONE] = ['ada@example.com', '+15550100']

const texted = (): string => /[0-9A-Z]{6,9}/.exec(messages.at(-1)?.text ?? '')?.[0] ?? ''

/** A token that its key vouches with, for what is received at a contact. */
const proved = async (w: Place, signer: Signer, contact = MAIL, key: ClientKey = clientKey()): Promise<Signer> => {
  const otpType = contact.startsWith('+') ? 'OTP_TYPE_SMS' : 'OTP_TYPE_EMAIL'
  const started = await sendCode(w, signer, { otpType, contact, appName: 'Engine' })
  const code = otpType === 'OTP_TYPE_SMS' ? texted() : (mails.at(-1)?.secret ?? '')
  const token = await verifyEncrypted(w, signer, started, code, key.publicKey)
  return { key, proof: { by: 'VERIFICATION_TOKEN', token } }
}

/** An organization below, of one user whose address was verified; their own key is `own`. */
const signedUp = async (w: World): Promise<Place & { readonly own: Person }> => {
  const key = clientKey()
  const { otpId } = await sendCode(w, w.root, { otpType: 'OTP_TYPE_EMAIL', contact: MAIL, appName: 'Engine' }, PLAIN)
  const apiKeys = [{ apiKeyName: 'own', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'Ada', userEmail: MAIL, apiKeys, authenticators: [], oauthProviders: [] }
  const { result } = await w.done(
    w.root,
    'create_sub_organization',
    {
      ...{ subOrganizationName: 'below', rootQuorumThreshold: 1, rootUsers: [user] },
      verificationToken: await verify(w, w.root, otpId, mails.at(-1)?.secret ?? ''),
    },
    { type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7' },
  )
  const { subOrganizationId, rootUserIds } = begunBy(result)
  const own: Person = { key, userId: rootUserIds[0] ?? '', apiKeyId: '' }
  return { ...placeIn(w, subOrganizationId, own), own }
}

const made = async () => {
  const w = await family({ ports })
  return { w, child: await signedUp(w) }
}

const keysOf = async ({ own, answer }: Place & { readonly own: Person }): Promise<readonly string[]> =>
  ((await answer(own, 'get_api_keys', { userId: own.userId })).apiKeys as readonly { readonly apiKeyId: string }[]).map(
    ({ apiKeyId }) => apiKeyId,
  )

const login = (by: Pick<Signer, 'key'>): Json => ({ publicKey: by.key.publicKey })

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
  for (const wrong of [forged, token.slice(1), '', 'a.b.c'])
    assert.is(
      codeOf(
        await child.submit({ ...by, proof: { by: 'VERIFICATION_TOKEN', token: wrong } }, 'stamp_login', login(by)),
      ),
      'SIGNATURE_INVALID',
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

/** A token of an identity provider that was asked for with the key. */
const identified = (issuer: Issuer, claims: TokenClaims = {}, key: ClientKey = clientKey()): Signer => {
  const nonce = nodeDigest().sha256Hex(encodeUtf8(key.publicKey))
  return { key, proof: { by: 'OIDC', token: issuer.token({ nonce, ...claims }) } }
}

const withProvider = async () => {
  const issuers = knownIssuers(anIssuer, google)
  const w = await family({ ports: { ...ports, identityTokens: issuers } })
  const child = await signedUp(w)
  const oauthProviders = [{ providerName: 'own', oidcToken: anIssuer.token() }]
  const { result } = await child.done(child.own, 'create_oauth_providers', { userId: child.own.userId, oauthProviders })
  const { providerIds } = result['createOauthProvidersResultV2'] as { readonly providerIds: readonly [string] }
  return { w, child, issuers, providerId: providerIds[0] }
}

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
  assert.is(codeOf(await child.submit(identified(forger, {}, key), 'stamp_login', login({ key }))), 'SIGNATURE_INVALID')
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
