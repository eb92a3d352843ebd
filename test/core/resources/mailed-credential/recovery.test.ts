import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { eventsOf } from '../../command/history.ts'
import { anyPasskey, paramsOf } from '../../world/software-passkey.ts'
import { beginBelow, codeOf, right, type Place, type Signer } from '../../world/world.ts'
import { ADA, clientKey, office } from '../otp/scene.ts'
import { emailCustomization, target, withAda } from './scene.ts'

const it = suite('recovery')

type Members = { readonly [member: string]: Json }
type Ada = Awaited<ReturnType<typeof withAda>>

/** The signer in the mail that somebody gets who recovers. */
const mailed = async (made: Ada, path = 'init_user_email_recovery', more: Members = {}) => {
  const { targetPublicKey, open } = target()
  await made.done(made.root, path, { email: ADA, targetPublicKey, emailCustomization, ...more })
  return open(made.mails.at(-1)?.secret ?? '')
}

const whoami = async (place: Place, signer: Signer) => codeOf(await place.ask(signer, 'whoami'))

it('registers a passkey and ends the key in one change, once of many at once', async () => {
  const made = await withAda()
  const { userId } = made
  const signer = await mailed(made)
  const broken = { ...paramsOf(anyPasskey()), challenge: 'AAAA' }
  const refused = await made.submit(signer, 'recover_user', { userId, authenticator: broken })
  assert.is(codeOf(refused), 'REQUEST_INVALID')
  assert.is(await whoami(made, signer), 'no failure') // what was refused ends nothing
  const passkeys = Array.from({ length: 8 }, () => anyPasskey())
  const outcomes = await Promise.all(
    passkeys.map((one) => made.submit(signer, 'recover_user', { userId, authenticator: paramsOf(one) })),
  )
  assert.is(outcomes.filter(E.isRight).length, 1)
  const { authenticators } = await made.answer(made.root, 'get_authenticators', { userId })
  assert.is((authenticators as readonly Json[]).length, 1)
  assert.is(await whoami(made, signer), 'PUBLIC_KEY_NOT_FOUND')
  const changes = (await eventsOf(made)).flatMap(({ type, data }) =>
    type === 'ActivityCompleted' && data['type'] === 'ACTIVITY_TYPE_RECOVER_USER' ? [data['change']] : [],
  )
  assert.is(changes.length, 1)
  const { deletedApiKeyIds, authenticator } = changes[0] as { readonly [member: string]: unknown }
  assert.ok(authenticator)
  assert.is((deletedApiKeyIds as readonly string[]).length, 1)
  await made.close()
})

it('gives a key that is good for nothing else, whatever a policy allows, and not for long', async () => {
  const made = await withAda()
  const { userId } = made
  await made.done(made.root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', condition: 'true' })
  const open = await made.done(made.root, 'create_user_tag', { userTagName: 'of the root', userIds: [] })
  const signer = await mailed(made)
  const { publicKey } = clientKey()
  const apiKey = { apiKeyName: 'another', publicKey, curveType: 'API_KEY_CURVE_P256' }
  const submits: { readonly [path: string]: Json } = {
    create_api_keys: { userId, apiKeys: [apiKey] },
    create_authenticators: { userId, authenticators: [paramsOf(anyPasskey())] },
    create_user_tag: { userTagName: 'a', userIds: [] },
    approve_activity: { fingerprint: open.fingerprint },
    reject_activity: { fingerprint: open.fingerprint },
    stamp_login: { publicKey },
    create_read_only_session: {},
    create_read_write_session: { targetPublicKey: target().targetPublicKey },
    init_user_email_recovery: { email: ADA, targetPublicKey: target().targetPublicKey, emailCustomization },
    update_user_email: { userId, userEmail: 'eve@example.com' },
    delete_users: { userIds: [made.root.userId] },
  }
  for (const [path, parameters] of Object.entries(submits))
    assert.is(codeOf(await made.submit(signer, path, parameters)), 'REQUEST_NOT_AUTHORIZED', path)
  for (const path of [
    'list_users',
    'get_user',
    'get_api_keys',
    'list_activities',
    'get_organization',
    'list_user_tags',
  ])
    assert.is(
      codeOf(await made.ask(signer, path, path === 'get_user' ? { userId } : {})),
      'REQUEST_NOT_AUTHORIZED',
      path,
    )
  const passkey = { authenticator: paramsOf(anyPasskey()) }
  for (const other of [made.root.userId, '00000000-0000-4000-8000-000000000000'])
    assert.is(
      codeOf(await made.submit(signer, 'recover_user', { userId: other, ...passkey })),
      'REQUEST_NOT_AUTHORIZED',
    )
  assert.is(codeOf(await made.submit(made.root, 'recover_user', { userId, ...passkey })), 'REQUEST_NOT_AUTHORIZED')
  made.clock.pass(900_000)
  assert.is(codeOf(await made.submit(signer, 'recover_user', { userId, ...passkey })), 'API_KEY_EXPIRED')
  await made.close()
})

it('waits for the second factor that the user needs for it', async () => {
  const made = await withAda()
  const { userId } = made
  const factor = clientKey()
  const apiKeys = [{ apiKeyName: 'factor', publicKey: factor.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await made.done(made.root, 'create_api_keys', { userId, apiKeys })
  await made.done(made.root, 'create_mfa_policy', {
    userId,
    mfaPolicyName: 'a key besides',
    condition: "activity.type == 'ACTIVITY_TYPE_RECOVER_USER'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }] }],
    order: 1,
  })
  const signer = await mailed(made)
  const passkey = anyPasskey()
  const waiting = await made.done(signer, 'recover_user', { userId, authenticator: paramsOf(passkey) })
  assert.is(waiting.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
  assert.is(await whoami(made, { ...signer, passkey }), 'CREDENTIAL_NOT_FOUND')
  right(await made.approve({ key: factor }, waiting))
  assert.is(await whoami(made, { ...signer, passkey }), 'no failure')
  assert.is(await whoami(made, signer), 'PUBLIC_KEY_NOT_FOUND')
  await made.close()
})

it('is mailed to the address that the user has, however the request spells it, and to the oldest user with it', async () => {
  const made = await withAda()
  const later = {
    userName: 'later',
    userEmail: ADA.toLowerCase(),
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }
  const apiKeys = [{ apiKeyName: 'key', publicKey: clientKey().publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await made.done(made.root, 'create_users', { users: [{ ...later, apiKeys }] })
  for (const path of ['init_user_email_recovery', 'email_auth']) {
    const signer = await mailed(made, path, { email: ADA.toUpperCase() })
    assert.is(made.mails.at(-1)?.to, ADA, path)
    assert.is((await made.answer(signer, 'whoami'))['userId'], made.userId, path)
  }
  await made.close()
})

it('ends earlier mailed keys of the same kind where the request says so', async () => {
  const made = await withAda()
  const first = await mailed(made, 'email_auth')
  const recovers = await mailed(made)
  const second = await mailed(made, 'email_auth')
  made.clock.pass(180_000)
  assert.equal([await whoami(made, first), await whoami(made, second)], ['no failure', 'no failure'])
  const third = await mailed(made, 'email_auth', { invalidateExisting: true })
  for (const one of [first, second]) assert.is(await whoami(made, one), 'PUBLIC_KEY_NOT_FOUND')
  for (const one of [third, recovers]) assert.is(await whoami(made, one), 'no failure')
  await made.close()
})

const OTP = { appName: 'a', otpType: 'OTP_TYPE_EMAIL', contact: 'eve@example.com' }
const SMS = { ...OTP, otpType: 'OTP_TYPE_SMS', contact: '+15005550006' }
const mail = () => ({ email: 'eve@example.com', targetPublicKey: target().targetPublicKey, emailCustomization })

/** Each feature with what needs it, and how a new organization is told to be without. */
const FEATURES: readonly (readonly [string, string, { readonly [path: string]: Members }])[] = [
  ['FEATURE_NAME_OTP_EMAIL_AUTH', 'disableOtpEmailAuth', { init_otp: OTP, init_otp_auth: OTP }],
  ['FEATURE_NAME_SMS_AUTH', 'disableSmsAuth', { init_otp: SMS, init_otp_auth: SMS }],
  ['FEATURE_NAME_EMAIL_AUTH', 'disableEmailAuth', { email_auth: mail() }],
  ['FEATURE_NAME_EMAIL_RECOVERY', 'disableEmailRecovery', { init_user_email_recovery: mail() }],
]

it('and codes and mailed keys are off where their feature is, whoever asks and whoever has the contact', async () => {
  const made = await office()
  const refusalOf = async (place: Place, signer: Signer, path: string, parameters: Json): Promise<string> => {
    const outcome = await place.submit(signer, path, parameters)
    return E.isLeft(outcome) ? `${outcome.left.code} ${outcome.left.message}` : 'done'
  }
  for (const [name, flag, paths] of FEATURES) {
    const below = await beginBelow(made, made, 'eve')
    const key = clientKey()
    const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const user = { userName: 'eve', userEmail: 'eve@example.com', apiKeys, authenticators: [], oauthProviders: [] }
    const parameters = { subOrganizationName: flag, rootQuorumThreshold: 1, rootUsers: [user], [flag]: true }
    const begun = await made.done(made.root, 'create_sub_organization', parameters)
    const { subOrganizationId } = Object.values(begun.result)[0] as { readonly subOrganizationId: string }
    for (const [path, wanted] of Object.entries(paths)) {
      const off = `EMAIL_SENDING_DISABLED the organization does not have the feature ${name}`
      const unknown = { ...wanted, ...('email' in wanted ? { email: 'nobody@example.com' } : {}) }
      assert.is(await refusalOf(below, below.root, path, wanted), 'done', path)
      await below.done(below.root, 'set_organization_feature', { name, value: 'false' })
      for (const one of [wanted, unknown]) assert.is(await refusalOf(below, below.root, path, one), off, path)
      if (path !== 'init_otp') assert.is(await refusalOf(below, made.root, path, wanted), off, path)
      await below.done(below.root, 'set_organization_feature', { name, value: '' })
      const extras = { organizationId: subOrganizationId }
      const beginning = await made.submit({ key }, path, wanted, extras)
      assert.is(codeOf(beginning), 'EMAIL_SENDING_DISABLED', `${path} ${flag}`)
      made.clock.pass(180_000)
    }
  }
  assert.match(await refusalOf(made, made.root, 'init_otp', SMS), /FEATURE_NAME_SMS_AUTH/) // on top it is off at first
  await made.close()
})

it.run()
