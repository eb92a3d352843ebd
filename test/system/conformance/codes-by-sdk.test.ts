import {
  getClientSignatureMessageForLogin as loginBy,
  getClientSignatureMessageForSignup as signUpBy,
} from '@turnkey/core'
import { generateP256KeyPair, verifyOtpVerificationToken, verifySessionJwtSignature } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { right, type Person } from '../../core/world/world.ts'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import {
  clientSignature,
  mailed,
  OFFICE,
  olderResult,
  onStageWithPost,
  opened,
  texted,
  verified,
  type Key,
  type Post,
} from './post.ts'
import { publishedKey } from './stage.ts'

/* Codes that the official clients ask for, unmodified, and that come by SMTP or as short messages. */
const it = suite('@turnkey/sdk-server, @turnkey/http and @turnkey/core: codes')

const ADA = 'Ada@Example.com'
const NUMBER = '+441234567890'
const toAda = { otpType: 'OTP_TYPE_EMAIL', contact: ADA } as const
const app = { appName: 'Engine' }

const nobody = { userName: 'ada', apiKeys: [], authenticators: [], oauthProviders: [] }
const user = { ...nobody, userEmail: ADA }
const below = { subOrganizationName: 'of ada', rootQuorumThreshold: 1, rootUsers: [user] }

/** Who signs by a session that was begun with a key of a client. */
const inSession = (stage: Post, organizationId: string, { privateKey }: Key) => {
  const key = right(signingKey('API_KEY_CURVE_P256', privateKey))
  const person: Person = { userId: '', apiKeyId: '', key }
  return stage.sdk(person).getWhoami({ organizationId })
}

const isSession = async (stage: Post, session: string): Promise<boolean> =>
  verifySessionJwtSignature(session, await publishedKey(stage, 'session'))

it('sign up and in: by a token that is verified under the published key', () =>
  onStageWithPost(async (stage) => {
    const client = stage.sdk(stage.root)
    const key = generateP256KeyPair()
    const started = await client.initOtp({ ...toAda, ...app })
    assert.equal([stage.arrived.length, stage.arrived[0]?.to], [1, ['Ada@example.com']])
    const verificationToken = await verified(stage, started, mailed(stage), key)
    const accepted = async (purpose: string) =>
      verifyOtpVerificationToken(verificationToken, await publishedKey(stage, purpose)).catch(() => undefined)
    assert.equal([(await accepted('verification'))?.contact, await accepted('session')], [ADA, undefined])

    const filter = { filterType: 'EMAIL', filterValue: ADA } as const
    assert.equal((await client.getVerifiedSubOrgIds(filter)).organizationIds, [])
    const { subOrganizationId, rootUserIds = [] } = await client.createSubOrganization({
      ...below,
      verificationToken,
      clientSignature: await clientSignature(key, signUpBy({ verificationToken, email: ADA })),
    })
    assert.equal((await client.getVerifiedSubOrgIds(filter)).organizationIds, [subOrganizationId])
    assert.equal((await client.getVerifiedSubOrgIds({})).organizationIds, [subOrganizationId])

    const pair = generateP256KeyPair()
    const { session } = await client.otpLogin({
      organizationId: subOrganizationId,
      verificationToken,
      publicKey: pair.publicKey,
      clientSignature: await clientSignature(key, loginBy({ verificationToken, sessionPublicKey: pair.publicKey })),
    })
    assert.ok(await isSession(stage, session))
    const { userId, organizationId } = await inSession(stage, subOrganizationId, pair)
    assert.equal([userId, organizationId], [rootUserIds[0], subOrganizationId])
  }))

for (const [type, more] of [
  ['ACTIVITY_TYPE_INIT_OTP', { emailCustomization: app }],
  ['ACTIVITY_TYPE_INIT_OTP_V2', app],
] as const)
  it(`sign up and in by the first clients, with and without a key in the token: ${type}`, () =>
    onStageWithPost(async (stage) => {
      const { root } = stage
      for (const key of [undefined, generateP256KeyPair()]) {
        const kind = { otpLength: 6, alphanumeric: false }
        const { otpId } = await olderResult(stage, root, 'init_otp', type, { ...toAda, ...more, ...kind })
        assert.match(mailed(stage), /^[0-9]{6}$/)
        const { verificationToken = '' } = await olderResult(stage, root, 'verify_otp', 'ACTIVITY_TYPE_VERIFY_OTP', {
          otpId,
          otpCode: mailed(stage),
          ...(key && { publicKey: key.publicKey }),
        })
        if (key)
          assert.ok(await verifyOtpVerificationToken(verificationToken, await publishedKey(stage, 'verification')))
        const signed = async (said: (token: string) => { message: string; publicKey: string }) =>
          key && { clientSignature: await clientSignature(key, said(verificationToken)) }
        const seventh = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7'
        const { subOrganizationId = '' } = await olderResult(stage, root, 'create_sub_organization', seventh, {
          ...below,
          verificationToken,
          ...(await signed((token) => signUpBy({ verificationToken: token, email: ADA }))),
        })
        const pair = generateP256KeyPair()
        const at = stage.at({ ...stage, organizationId: subOrganizationId })
        const { session = '' } = await olderResult(at, root, 'otp_login', 'ACTIVITY_TYPE_OTP_LOGIN', {
          verificationToken,
          publicKey: pair.publicKey,
          ...(await signed((token) => loginBy({ verificationToken: token, sessionPublicKey: pair.publicKey }))),
        })
        assert.ok(await isSession(stage, session))
        assert.is((await inSession(stage, subOrganizationId, pair)).username, 'ada')
      }
    }))

it('mark what a user changes to as verified: an address, and a number by a short message', () =>
  onStageWithPost(async (stage) => {
    const client = stage.sdk(stage.root)
    await client.setOrganizationFeature({ name: 'FEATURE_NAME_SMS_AUTH', value: '' })
    const key = generateP256KeyPair()
    const pair = { apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' as const }
    const { subOrganizationId: organizationId, rootUserIds = [] } = await client.createSubOrganization({
      ...below,
      rootUsers: [{ ...nobody, apiKeys: [pair] }],
    })
    const [userId = ''] = rootUserIds
    const own = stage.sdk({ userId, apiKeyId: '', key: right(signingKey('API_KEY_CURVE_P256', key.privateKey)) })
    const found = async (filterType: 'EMAIL' | 'PHONE_NUMBER', filterValue: string) =>
      (await client.getVerifiedSubOrgIds({ filterType, filterValue })).organizationIds

    const byMail = await client.initOtp({ ...toAda, ...app })
    const ofMail = await verified(stage, byMail, mailed(stage), key)
    await own.updateUserEmail({ organizationId, userId, userEmail: ADA, verificationToken: ofMail })
    assert.equal(await found('EMAIL', ADA), [organizationId])

    const byMessage = await client.initOtp({ otpType: 'OTP_TYPE_SMS', contact: NUMBER, ...app })
    assert.equal([stage.heard.length, stage.heard[0]?.form['To'], stage.arrived.length], [1, NUMBER, 1])
    const ofMessage = await verified(stage, byMessage, texted(stage), key)
    const change = { organizationId, userId, userPhoneNumber: NUMBER }
    await own.updateUserPhoneNumber({ ...change, verificationToken: ofMessage })
    assert.equal(await found('PHONE_NUMBER', NUMBER), [organizationId])
    await own.updateUserPhoneNumber(change)
    assert.equal(await found('PHONE_NUMBER', NUMBER), [])
    assert.equal(await found('EMAIL', ADA), [organizationId])
  }))

it('give a key in a bundle, by otp_auth: after each of the three ways to ask for a code', () =>
  onStageWithPost(async (stage) => {
    const { root, sdk } = stage
    const client = sdk(root)
    const { userId } = await stage.enrol('ada')
    await client.updateUserEmail({ userId, userEmail: ADA })
    const older = (version: string, more: object) =>
      olderResult(stage, root, 'init_otp_auth', `ACTIVITY_TYPE_INIT_OTP_AUTH${version}`, { ...toAda, ...more })
    for (const [init, code] of [
      [() => older('', { emailCustomization: app }), /^[0-9]{6}$/],
      [() => older('_V2', { otpLength: 8, alphanumeric: false }), /^[0-9]{8}$/],
      [() => client.initOtpAuth({ ...toAda, ...app, otpLength: 7 }), /^[0-9A-HJKMNP-TV-Z]{7}$/],
    ] as const) {
      const { otpId } = await init()
      assert.match(mailed(stage), code)
      const target = generateP256KeyPair()
      const given = await client.otpAuth({
        otpId,
        otpCode: mailed(stage),
        targetPublicKey: target.publicKeyUncompressed,
      })
      assert.is(given.userId, userId)
      const { key } = opened(given.credentialBundle ?? '', target)
      const whoami = await sdk({ key, userId, apiKeyId: given.apiKeyId ?? '' }).getWhoami({})
      assert.is(whoami.userId, userId)
      stage.clock.pass(1000) // keys are named by the second
    }
  }))

it('are listed by address, as mails', () =>
  onStageWithPost(async (stage) => {
    const { root, organizationId, clock } = stage
    await stage.sdk(root).initOtp({ ...toAda, ...app })
    await stage.sdk(root).initOtp({ ...toAda, ...app, contact: 'grace@example.com' })
    const { emailEvents } = await stage.sdk(root).listEmailEvents({ email: ADA.toLowerCase() })
    const [event] = emailEvents
    const timestamp = new Date(clock.now()).toISOString()
    assert.equal(emailEvents, [
      {
        id: event?.id,
        organizationId,
        messageId: stage.arrived[0]?.mail.messageId,
        eventType: 'SENT',
        fromAddress: OFFICE,
        toAddress: ADA.toLowerCase(),
        timestamp,
        createdAt: timestamp,
        details: {},
      },
    ])
    assert.equal(await stage.http(root).listEmailEvents({ organizationId, email: ADA.toLowerCase() }), { emailEvents })
  }))

it.run()
