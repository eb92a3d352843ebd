import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { family } from '../sub-organization/children.ts'
import { codeOf, right, testClock } from '../../world/world.ts'
import {
  auth,
  bundleOf,
  encrypted,
  GENERATIONS,
  otherThan,
  plain,
  rootIsAda,
  sayAuth,
  sayPlain,
} from './generations.ts'
import { ADA, claimsOf, clientKey, loginBy, office, postOffice, toAda, verifyEncrypted } from './scene.ts'

const it = suite('forms of codes')

type Members = { readonly [member: string]: Json }

it('are as long as the request says, of digits alone or of letters, too', async () => {
  const made = await office()
  const codes: string[] = []
  for (const alphanumeric of [true, false])
    for (const otpLength of [6, 7, 8, 9]) {
      const { code } = await plain.send(made, made.mails, {
        contact: `${codes.length}@example.com`,
        alphanumeric,
        otpLength,
      })
      assert.match(code, new RegExp(`^[${alphanumeric ? '0-9A-HJKMNP-TV-Z' : '0-9'}]{${otpLength}}$`))
      codes.push(code)
    }
  assert.is(new Set(codes).size, codes.length)
  for (const otpLength of [5, 10, 6.5, -6, '6', 1e21])
    assert.is(
      codeOf(await made.submit(made.root, 'init_otp', { ...toAda, otpLength })),
      'REQUEST_INVALID',
      `${otpLength}`,
    )
  for (const expirationSeconds of ['0', '601', '-1', '1e2', ' 60', '060', 300])
    assert.is(
      codeOf(await made.submit(made.root, 'init_otp', { ...toAda, expirationSeconds })),
      'REQUEST_INVALID',
      `${expirationSeconds}`,
    )
  assert.is(made.mails.length, 8)
  await made.close()
})

it('do not live longer than they say, by the clock of the server', async () => {
  const made = await office()
  await rootIsAda(made)
  for (const { name, send, say } of GENERATIONS) {
    for (const [members, seconds] of [
      [{}, 300],
      [{ expirationSeconds: '600' }, 600],
    ] as const) {
      const [early, late] = [await send(made, made.mails, members), await send(made, made.mails, members)]
      made.clock.pass(seconds * 1000 - 1)
      assert.ok(E.isRight(await say(made, early, early.code)), name)
      made.clock.pass(1)
      assert.is(codeOf(await say(made, late, late.code)), 'REQUEST_INVALID', name)
      made.clock.pass(180_000)
    }
  }
  await made.close()
})

it('hold over midnight, with the tries that were taken before it', async () => {
  const made = await office()
  const DAY_MS = 24 * 60 * 60 * 1000
  made.clock.pass(DAY_MS - (made.clock.now() % DAY_MS) - 60_000) // a minute before
  const sent = await plain.send(made, made.mails)
  for (let n = 0; n < 2; n += 1) assert.is(codeOf(await plain.say(made, sent, otherThan(sent.code))), 'REQUEST_INVALID')
  made.clock.pass(120_000)
  assert.is(codeOf(await plain.say(made, sent, otherThan(sent.code))), 'REQUEST_INVALID')
  assert.is(codeOf(await plain.say(made, sent, sent.code)), 'REQUEST_INVALID')
  const other = await plain.send(made, made.mails)
  assert.is(codeOf(await plain.say(made, other, other.code)), 'no failure')
  await made.close()
})

it('sign in once by a token that lives over midnight', async () => {
  const made = await office()
  await rootIsAda(made)
  const DAY_MS = 24 * 60 * 60 * 1000
  made.clock.pass(DAY_MS - (made.clock.now() % DAY_MS) - 60_000)
  const key = clientKey()
  const sent = await encrypted.send(made, made.mails)
  const encryptedOtpBundle = await bundleOf(sent, sent.code, key.publicKey)
  const verified = await made.done(made.root, 'verify_otp', {
    otpId: sent.otpId,
    encryptedOtpBundle,
    expirationSeconds: '86400',
  })
  const { verificationToken } = verified.result['verifyOtpResult'] as { readonly verificationToken: string }
  assert.is(Number(claimsOf(verificationToken)['exp']), made.clock.now() + DAY_MS)
  const login = async () => {
    const { publicKey } = clientKey()
    const clientSignature = loginBy(key, verificationToken, publicKey)
    return codeOf(await made.submit(made.root, 'otp_login', { verificationToken, publicKey, clientSignature }))
  }
  assert.is(await login(), 'no failure')
  made.clock.pass(DAY_MS - 1)
  assert.is(await login(), 'REQUEST_INVALID')
  await made.close()
})

it('are zeros for the contacts of trials, where the server has them, and only of six digits', async () => {
  const trial = { otpLength: 6, alphanumeric: false }
  const other = { contact: 'User@Example.com' }
  const phone = { otpType: 'OTP_TYPE_SMS', contact: '+19999999999' }
  const made = await office({ ports: { sandboxContacts: true } })
  await made.done(made.root, 'set_organization_feature', { name: 'FEATURE_NAME_SMS_AUTH', value: '' })
  for (let n = 0; n < 5; n += 1)
    for (const contact of [other, phone]) {
      const sent = await plain.send(made, made.mails, { ...trial, ...contact })
      assert.is(codeOf(await plain.say(made, sent, '000000')), 'no failure') // nothing is sent, so nothing is counted
      assert.is(codeOf(await plain.say(made, sent, '000000')), 'REQUEST_INVALID')
    }
  const locked = await plain.send(made, made.mails, { ...trial, ...other })
  for (const code of ['1', '2', '3', '000000'])
    assert.is(codeOf(await plain.say(made, locked, code)), 'REQUEST_INVALID')
  assert.equal([made.mails.length, made.messages.length], [0, 0])
  for (const members of [{ otpLength: 6 }, { ...trial, otpLength: 7 }, { ...trial, contact: 'user1@example.com' }]) {
    const sent = await plain.send(made, made.mails, { ...other, ...members })
    assert.is.not(sent.code, '0'.repeat(sent.code.length))
    assert.is(codeOf(await plain.say(made, sent, '0'.repeat(sent.code.length))), 'REQUEST_INVALID')
  }
  assert.is(made.mails.length, 3)
  await made.close()

  const without = await office({ ports: { sandboxContacts: false } })
  const sent = await plain.send(without, without.mails, { ...trial, ...other })
  assert.is(without.mails.length, 1)
  assert.is.not(sent.code, '000000')
  await without.close()
})

it('give a key of the oldest user with the contact, and end earlier ones where the request says so', async () => {
  const made = await office()
  const users = ['first', 'later'].map((userName) => ({
    userName,
    userEmail: userName === 'first' ? ADA.toLowerCase() : ADA,
    apiKeys: [{ apiKeyName: 'key', publicKey: clientKey().publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }))
  const { result } = await made.done(made.root, 'create_users', { users })
  const [first = ''] = (result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds
  const issued = async (members: Members = {}) => {
    const { otpId, code } = await auth.send(made, made.mails)
    const targetPublicKey = clientKey().publicKey
    const done = await made.done(made.root, 'otp_auth', { otpId, otpCode: code, targetPublicKey, ...members })
    const { userId } = done.result['otpAuthResult'] as { readonly userId: string }
    assert.is(userId, first)
    const { apiKeys } = await made.answer(made.root, 'get_api_keys', { userId })
    return (apiKeys as readonly Json[]).length
  }
  assert.equal([await issued(), await issued(), await issued({ invalidateExisting: true })], [2, 3, 2])
  made.clock.pass(180_000)
  const nobody = await auth.send(made, made.mails, { contact: 'nobody@example.com' })
  const { otpId, code } = nobody
  assert.is(codeOf(await sayAuth(made, nobody, code)), 'RESOURCE_NOT_FOUND') // who has received the code may know
  assert.is(codeOf(await sayAuth(made, { otpId }, code)), 'REQUEST_INVALID')
  await made.close()
})

it('are sent, taken and used once each while the clock goes on', async () => {
  const clock = testClock()
  let readings = 0
  const running = { ...clock, now: () => clock.now() + (readings += 1) }
  const made = await office({ testClock: running, executeTwice: false })
  await rootIsAda(made)
  const [key, session] = [clientKey(), clientKey()]
  const sent = await encrypted.send(made, made.mails)
  const verificationToken = await verifyEncrypted(made, made.root, sent, sent.code, key.publicKey)
  const { publicKey } = session
  const clientSignature = loginBy(key, verificationToken, publicKey)
  await made.done(made.root, 'otp_login', { verificationToken, publicKey, clientSignature })
  for (const { send, say } of [plain, auth]) {
    const one = await send(made, made.mails)
    right(await say(made, one, one.code))
  }
  assert.is(made.mails.length, 3)
  const targetPublicKey = clientKey().publicKey
  await made.done(made.root, 'set_organization_feature', { name: 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY', value: '' })
  clock.pass(180_000)
  for (const path of ['email_auth', 'init_user_email_recovery'])
    await made.done(made.root, path, { email: ADA, targetPublicKey, emailCustomization: { appName: 'a' } })
  assert.is(made.mails.length, 5)
  await made.close()
})

it('let nobody in as a user who was erased, by a code or a token from before', async () => {
  const { ports, mails } = postOffice()
  const made = await family({ ports })
  const ada = await made.enrol('ada')
  await made.done(made.root, 'update_user_email', { userId: ada.userId, userEmail: ADA })
  const key = clientKey()
  const [sent, forAuth, forToken] = [
    await plain.send(made, mails),
    await auth.send(made, mails),
    await encrypted.send(made, mails),
  ]
  const token = await verifyEncrypted(made, made.root, forToken, forToken.code, key.publicKey)
  await made.done(made.root, 'delete_users', { userIds: [ada.userId] })
  await made.done(made.root, 'erase_user', { userId: ada.userId })
  const { publicKey } = clientKey()
  const login = { verificationToken: token, publicKey, clientSignature: loginBy(key, token, publicKey) }
  assert.is(codeOf(await made.submit(made.root, 'otp_login', login)), 'RESOURCE_NOT_FOUND')
  assert.is(codeOf(await sayAuth(made, forAuth, forAuth.code)), 'RESOURCE_NOT_FOUND')
  right(await sayPlain(made, sent, sent.code)) // it says that somebody has received a code, and no more
  await made.close()
})

it.run()
