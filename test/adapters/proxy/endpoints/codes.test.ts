import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Mail } from '../../../../core/ports/mailer.ts'
import { claimsOf, loginBy } from '../../../core/resources/otp/scene.ts'
import {
  ADA,
  clientKey,
  lastCode,
  NOTHING,
  onScene,
  proved,
  refusalIn,
  sessionOf,
  signedUp,
  signUpBy,
  text,
  type Answer,
  type Scene,
  type Tenant,
} from './scene.ts'

const it = suite('endpoints of the proxy for codes')

const toAda = { otpType: 'OTP_TYPE_EMAIL', contact: ADA }
const TEMPLATES = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const

it('send codes that look as the configuration says', () =>
  onScene(async ({ tenant, mails, messages }) => {
    const settings = {
      otpLength: 8,
      otpTemplateId: TEMPLATES[0],
      emailCustomizationParams: { appName: 'Shop', logoUrl: 'https://shop.example.com/logo.png' },
      smsCustomizationParams: { template: 'Shop: {{.OtpCode}}' },
      sendFromEmailAddress: 'shop@example.com',
      sendFromEmailSenderName: 'The shop',
      replyToEmailAddress: 'help@example.com',
    }
    const shop = tenant.with(settings)
    await shop.got('otp_init', toAda)
    const mail: Partial<Mail> = mails[0] ?? {}
    const { to, appName, logoUrl, templateId } = mail
    assert.match(mail.secret ?? '', /^[0-9]{8}$/)
    assert.equal(
      [to, appName, logoUrl, templateId],
      [ADA, 'Shop', settings.emailCustomizationParams.logoUrl, TEMPLATES[0]],
    )
    assert.equal(
      [mail.sendFromEmailAddress, mail.sendFromEmailSenderName, mail.replyToEmailAddress],
      ['shop@example.com', 'The shop', 'help@example.com'],
    )
    await shop.got('otp_init_v2', { ...toAda, emailCustomization: { templateId: TEMPLATES[1] } })
    assert.is(mails[1]?.templateId, TEMPLATES[1])
    await shop.got('otp_init', { otpType: 'OTP_TYPE_SMS', contact: '+15550001111' })
    assert.match(messages[0]?.text ?? '', /^Shop: [0-9]{8}$/)
    await tenant.with({}, '192.0.2.2').got('otp_init', toAda)
    assert.is(mails[2]?.appName, 'Default')
  }))

it('take null for what is left out, and refuse members of wrong types', () =>
  onScene(async ({ tenant }) => {
    assert.ok(text(await tenant.got('otp_init', { ...toAda, emailCustomization: null }), 'otpId'))
    const wrong = await tenant.asked('otp_init', { otpType: 'OTP_TYPE_PIGEON', contact: 1 })
    assert.match(refusalIn(wrong), /^REQUEST_INVALID: invalid request body at otpType/)
    assert.match(refusalIn(await tenant.asked('otp_init', { ...toAda, contact: 'nobody' })), /^INVALID_EMAIL/)
  }))

it('stop whoever asks for many codes from one address, and not others', () =>
  onScene(async ({ tenant }) => {
    const ask = (from: Tenant, user: number) =>
      from.asked('otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: `user-${user}@example.com` })
    for (const user of [1, 2, 3]) assert.type(await ask(tenant, user), 'object')
    assert.is(await ask(tenant, 4), 'MAX_OTP_INITIATED: Max number of OTPs have been initiated')
    assert.type(await ask(tenant.with({}, '192.0.2.2'), 4), 'object')
    for (const user of [5, 6, 7, 8]) assert.type(await ask(tenant.with({}, null), user), 'object')
  }))

it('refuse a wrong code in the words that clients know', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const otpId = text(await tenant.got('otp_init', toAda), 'otpId')
    const otpCode = lastCode(scene) === '123456' ? '654321' : '123456'
    assert.is(await tenant.asked('otp_verify', { otpId, otpCode }), 'REQUEST_INVALID: Invalid OTP code')
    assert.is(
      await scene.other.asked('otp_verify', { otpId, otpCode: lastCode(scene) }),
      'REQUEST_INVALID: Invalid OTP code',
    )
  }))

it('give tokens that live as long as the configuration says', () =>
  onScene(async (scene) => {
    const { tenant, clock } = scene
    const token = await proved(scene, tenant.with({ verificationTokenExpirationSeconds: 60 }))
    assert.is(Number(claimsOf(token)['exp']) - clock.now() <= 60_000 + 10, true)
  }))

it('sign up and in at once, with a code in plain', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { organizationId, userId, token } = await signedUp(scene, tenant)
    const { publicKey } = clientKey()
    const short = tenant.with({ sessionExpirationSeconds: 60 })
    const session = sessionOf(await short.got('otp_login', { verificationToken: token, publicKey }))
    assert.equal(
      [session['organization_id'], session['user_id'], session['public_key']],
      [organizationId, userId, publicKey],
    )
    assert.ok(Number(session['exp']) <= scene.clock.now() / 1000 + 61)
  }))

/** Enters a code as newer clients do: encrypted, together with a key. */
const provedV2 = async (scene: Scene, tenant: Tenant, contact = ADA) => {
  const { otpId, otpEncryptionTargetBundle } = await tenant.got('otp_init_v2', { otpType: 'OTP_TYPE_EMAIL', contact })
  const bundle = otpEncryptionTargetBundle as string // as the wire has it
  const { enclaveQuorumPublic } = JSON.parse(bundle) as { readonly enclaveQuorumPublic: string } // as bundles have it
  const key = clientKey()
  const encryptedOtpBundle = await encryptOtpCodeToBundle(lastCode(scene), bundle, key.publicKey, enclaveQuorumPublic)
  const verified = await tenant.got('otp_verify_v2', { otpId: otpId ?? null, encryptedOtpBundle })
  return { key, token: text(verified, 'verificationToken') }
}

it('sign up and in at once, with a code that was encrypted', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { key, token: verificationToken } = await provedV2(scene, tenant)
    const up = { ...NOTHING, userEmail: ADA, verificationToken }
    assert.match(refusalIn(await tenant.asked('signup_v2', up)), /^REQUEST_INVALID.*clientSignature/)
    const made = await tenant.got('signup_v2', { ...up, clientSignature: signUpBy(key, verificationToken, ADA) })
    const { publicKey } = clientKey()
    const login = { verificationToken, publicKey, clientSignature: loginBy(key, verificationToken, publicKey) }
    const session = sessionOf(await tenant.got('otp_login_v2', login))
    assert.equal([session['organization_id'], session['user_id']], [made['organizationId'], made['userId']])
    assert.match(refusalIn(await tenant.asked('otp_login_v2', { verificationToken, publicKey })), /clientSignature/)
  }))

it('sign in by telephone', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { organizationId, token } = await signedUp(scene, tenant, '+15550001111')
    const { publicKey } = clientKey()
    const session = sessionOf(await tenant.got('otp_login', { verificationToken: token, publicKey, organizationId }))
    assert.is(session['organization_id'], organizationId)
  }))

it('sign in to the oldest organization with the contact, verified', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    // Somebody claims the address first, and proves nothing.
    await tenant.got('signup', { ...NOTHING, userEmail: ADA })
    const { organizationId } = await signedUp(scene, tenant)
    await signedUp(scene, tenant)
    const verificationToken = await proved(scene, tenant)
    const { publicKey } = clientKey()
    const session = sessionOf(await tenant.got('otp_login', { verificationToken, publicKey }))
    assert.is(session['organization_id'], organizationId)
  }))

it('refuse a log-in to what is no organization below, in one text', () =>
  onScene(async (scene) => {
    const { tenant, other } = scene
    const theirs = await signedUp(scene, other)
    const mine = await signedUp(scene, tenant)
    const { publicKey } = clientKey()
    const to = (organizationId: string): Promise<Answer | string> =>
      tenant.asked('otp_login', { verificationToken: mine.token, publicKey, organizationId })
    const nobody = '99999999-9999-4999-8999-999999999999'
    for (const id of [theirs.organizationId, other.organizationId, tenant.organizationId, nobody])
      assert.is(await to(id), 'ORGANIZATION_NOT_FOUND: organization not found')
    assert.is(sessionOf(await to(mine.organizationId.toUpperCase()))['organization_id'], mine.organizationId)
  }))

it('keep tenants with equal names and addresses apart', () =>
  onScene(async (scene) => {
    const { tenant, other } = scene
    const mine = await signedUp(scene, tenant)
    const theirs = await signedUp(scene, other)
    const { publicKey } = clientKey()
    const session = sessionOf(await other.got('otp_login', { verificationToken: theirs.token, publicKey }))
    assert.is(session['organization_id'], theirs.organizationId)
    const foreign = { verificationToken: mine.token, publicKey }
    assert.is(await other.asked('otp_login', foreign), 'REQUEST_INVALID: invalid verification token')
    const inTheirs = { ...foreign, organizationId: theirs.organizationId }
    assert.is(await other.asked('otp_login', inTheirs), 'REQUEST_INVALID: invalid verification token')
  }))

it('tell nothing to whoever made up a token', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { token } = await signedUp(scene, tenant)
    const { publicKey } = clientKey()
    const of = (contact: string): string => {
      const [header, , signature] = token.split('.')
      const claims = JSON.stringify({ ...claimsOf(token), contact })
      return [header, Buffer.from(claims).toString('base64url'), signature].join('.')
    }
    const answers = await Promise.all(
      [ADA.toUpperCase(), 'nobody@example.com'].map((contact) =>
        tenant.asked('otp_login', { verificationToken: of(contact), publicKey }),
      ),
    )
    assert.equal(answers, Array(2).fill('REQUEST_INVALID: invalid verification token'))
  }))

it.run()
