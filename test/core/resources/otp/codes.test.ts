import { verifyOtpVerificationToken } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../../core/prelude.ts'
import { codeOf, testClock, type Signer } from '../../world/world.ts'
import { eventsOf } from '../../command/history.ts'
import { ADA, claimsOf, clientKey, loginBy, office, PLAIN, sendCode, toAda, verify, verifyEncrypted } from './scene.ts'

const it = suite('one-time codes')

const WRONG = 'REQUEST_INVALID: Invalid OTP code'

it('are sent by mail, and give a token that the official client accepts', async () => {
  const { close, mails, ...place } = await office({ testClock: testClock(Date.now()) }) // the official client has a clock of its own
  const key = clientKey()
  const started = await sendCode(place, place.root)
  const [mail] = mails
  assert.equal([mail?.to, mail?.what, mail?.appName], [ADA, 'code', 'Engine'])
  assert.match(mail?.secret ?? '', /^[0-9A-HJKMNP-TV-Z]{9}$/)
  const token = await verifyEncrypted(place, place.root, started, mail?.secret.toLowerCase() ?? '', key.publicKey)
  const published = (JSON.parse(started.otpEncryptionTargetBundle ?? '') as { enclaveQuorumPublic: string })
    .enclaveQuorumPublic
  assert.ok(await verifyOtpVerificationToken(token, published))
  const { exp, id, ...claims } = claimsOf(token)
  assert.equal(claims, {
    organization_id: place.organizationId,
    verification_type: 'OTP_TYPE_EMAIL',
    contact: ADA,
    public_key: key.publicKey,
  })
  assert.is(Number(exp), place.clock.now() + 3_600_000)
  assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  await close()
})

it('begin a session of the oldest user with the contact, once', async () => {
  const { close, mails, ...place } = await office()
  const user = {
    userName: 'ada',
    userEmail: ADA.toLowerCase(),
    apiKeys: [],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }
  const withKey = () => ({
    ...user,
    apiKeys: [{ apiKeyName: 'a', publicKey: clientKey().publicKey, curveType: 'API_KEY_CURVE_P256' }],
  })
  const { result } = await place.done(place.root, 'create_users', {
    users: [withKey(), { ...withKey(), userName: 'later' }],
  })
  const [userId] = (result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds
  const key = clientKey()
  const started = await sendCode(place, place.root)
  const token = await verifyEncrypted(place, place.root, started, mails[0]?.secret ?? '', key.publicKey)
  const session = clientKey()
  const parameters = {
    verificationToken: token,
    publicKey: session.publicKey,
    clientSignature: loginBy(key, token, session.publicKey),
  }
  await place.done(place.root, 'otp_login', parameters)
  const caller: Signer = { key: session }
  assert.is((await place.answer(caller, 'whoami'))['userId'], userId)
  const again = await place.submit(place.root, 'otp_login', parameters)
  assert.match(E.isLeft(again) ? again.left.message : '', /has been used to sign in/)
  await close()
})

it('are refused in the same words, whatever is wrong, and nothing is stored', async () => {
  const { close, mails, ...place } = await office()
  const { otpId } = await sendCode(place, place.root, { ...toAda, alphanumeric: false, otpLength: 6 }, PLAIN)
  const code = mails[0]?.secret ?? ''
  assert.match(code, /^[0-9]{6}$/)
  const other = await sendCode(place, place.root)
  const before = (await eventsOf(place)).length
  const wrong = code === '000000' ? '111111' : '000000'
  assert.is(await verify(place, place.root, otpId, wrong), WRONG)
  assert.is(await verify(place, place.root, `${otpId.slice(0, -2)}AA`, code), WRONG)
  assert.is(await verify(place, place.root, other.otpId, mails[1]?.secret ?? ''), WRONG) // it wants the code encrypted
  assert.is(await verify(place, place.root, otpId, ''), WRONG)
  assert.is(await verify(place, place.root, otpId, `${code}0`), WRONG)
  assert.is(await verify(place, place.root, otpId, code), WRONG) // three were tried
  assert.is((await eventsOf(place)).length, before)
  await close()
})

it('end when they are over, and when they were used', async () => {
  const { close, mails, clock, ...place } = await office()
  const first = await sendCode({ ...place }, place.root, toAda, PLAIN)
  const token = await verify(place, place.root, first.otpId, mails[0]?.secret ?? '')
  assert.is(token.split('.').length, 3)
  assert.is(await verify(place, place.root, first.otpId, mails[0]?.secret ?? ''), WRONG)
  const second = await sendCode(place, place.root, { ...toAda, expirationSeconds: '10' }, PLAIN)
  clock.pass(20_000)
  assert.is(await verify(place, place.root, second.otpId, mails[1]?.secret ?? ''), WRONG)
  await close()
})

it('are sent to a contact three times in three minutes, and the same request sends the same code again', async () => {
  const { close, mails, clock, ...place } = await office()
  for (const contact of [ADA, ADA.toLowerCase(), ADA]) await sendCode(place, place.root, { ...toAda, contact })
  const body = place.body('init_otp', toAda)
  assert.is(codeOf(await place.send(place.root, 'init_otp', body)), 'MAX_OTP_INITIATED')
  await sendCode(place, place.root, { ...toAda, contact: 'grace@example.com' })
  assert.is(mails.length, 4)
  clock.pass(180_000)
  await sendCode(place, place.root)
  await close()
})

it.run()
