import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { anyPasskey, paramsOf } from '../../world/software-passkey.ts'
import { beginBelow, codeOf, right, type Place, type Signer } from '../../world/world.ts'
import { ADA } from '../otp/scene.ts'
import { emailCustomization, target, withAda } from './scene.ts'

const it = suite('mailed credentials')

it('sign in whoever opens the mail', async () => {
  const { close, mails, userId, ...place } = await withAda()
  const { targetPublicKey, open } = target()
  const done = await place.done(place.root, 'email_auth', {
    email: ADA.toLowerCase(),
    targetPublicKey,
    emailCustomization,
  })
  const result = done.result['emailAuthResult'] as { readonly userId: string; readonly apiKeyId: string }
  assert.is(result.userId, userId)
  assert.not.match(JSON.stringify(done), new RegExp(mails[0]?.secret ?? 'no mail'))
  const signer = open(mails[0]?.secret ?? '')
  assert.is((await place.answer(signer, 'whoami'))['userId'], userId)
  place.clock.pass(900_000)
  assert.is(codeOf(await place.ask(signer, 'whoami')), 'API_KEY_EXPIRED')
  await close()
})

it('register a passkey and nothing else, where they are for recovery, and end then', async () => {
  const { close, mails, userId, ...place } = await withAda()
  const [first, second] = [target(), target()]
  for (const { targetPublicKey } of [first, second])
    await place.done(place.root, 'init_user_email_recovery', { email: ADA, targetPublicKey, emailCustomization })
  const [older, newer] = [first.open(mails[0]?.secret ?? ''), second.open(mails[1]?.secret ?? '')]
  assert.is(codeOf(await place.ask(older, 'whoami')), 'PUBLIC_KEY_NOT_FOUND') // the second mail has ended it
  assert.is(
    codeOf(await place.submit(newer, 'create_user_tag', { userTagName: 'a', userIds: [] })),
    'REQUEST_NOT_AUTHORIZED',
  )
  const passkey = anyPasskey()
  const recover = async (signer: Signer, of: string) =>
    place.submit(signer, 'recover_user', { userId: of, authenticator: paramsOf(passkey) })
  assert.is(codeOf(await recover(newer, place.root.userId)), 'REQUEST_NOT_AUTHORIZED')
  const { result } = right(await recover(newer, userId))
  assert.is((result['recoverUserResult'] as { readonly authenticatorId: readonly string[] }).authenticatorId.length, 1)
  assert.is(codeOf(await place.ask(newer, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  assert.is((await place.answer({ ...newer, passkey }, 'whoami'))['userId'], userId)
  await close()
})

const refusalOf = async (place: Place, path: string, parameters: Json): Promise<string> => {
  const outcome = await place.submit(place.root, path, parameters)
  return E.isLeft(outcome)
    ? `${outcome.left.code} ${JSON.stringify(outcome.left.details ?? outcome.left.message)}`
    : 'done'
}

it('need their features, which an organization below is given or not, and one on top can be denied', async () => {
  const { close, ...place } = await withAda()
  const { targetPublicKey } = target()
  const wanted = { email: ADA, targetPublicKey, emailCustomization }
  const set = (name: string, value: string) => place.done(place.root, 'set_organization_feature', { name, value })
  await place.done(place.root, 'update_user_email', { userId: place.root.userId, userEmail: 'root@example.com' })
  const ofRoot = { ...wanted, email: 'root@example.com' }
  assert.match(await refusalOf(place, 'init_user_email_recovery', ofRoot), /ROOT_USER_EMAIL_RECOVERY/)
  await set('FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY', '')
  assert.is(await refusalOf(place, 'init_user_email_recovery', ofRoot), 'done')
  await set('FEATURE_NAME_EMAIL_AUTH', 'false')
  assert.match(await refusalOf(place, 'email_auth', wanted), /^EMAIL_SENDING_DISABLED .*FEATURE_NAME_EMAIL_AUTH/)
  const below = await beginBelow(place, place, 'eve')
  const ofEve = { ...wanted, email: 'eve@example.com' }
  assert.is(await refusalOf(below, 'email_auth', ofEve), 'done')
  await below.done(below.root, 'remove_organization_feature', { name: 'FEATURE_NAME_EMAIL_AUTH' })
  assert.match(await refusalOf(below, 'email_auth', ofEve), /^EMAIL_SENDING_DISABLED/)
  await close()
})

it('name what is wrong with a request', async () => {
  const { close, mails, ...place } = await withAda()
  const { targetPublicKey } = target()
  const wanted = { email: ADA, targetPublicKey, emailCustomization }
  for (const [members, words] of [
    [{ email: 'ada' }, /email/],
    [{ targetPublicKey: '00' }, /targetPublicKey/],
    [{ emailCustomization: {} }, /appName/],
    [{ emailCustomization: { appName: 'a\nb' } }, /appName/],
    [{ emailCustomization: { appName: 'a', magicLinkTemplate: 'https://example.com/' } }, /magic link template/],
    [{ emailCustomization: { appName: 'a', magicLinkTemplate: 'https://example.com/%s%s' } }, /magic link template/],
    [{ emailCustomization: { appName: 'a', magicLinkTemplate: 'javascript:%s' } }, /magic link template/],
    [{ emailCustomization: { appName: 'a', templateVariables: '[' } }, /template variables/],
    [{ emailCustomization: { appName: 'a', templateId: '../x' } }, /templateId/],
    [{ emailCustomization: { appName: 'a', logoUrl: 'http://example.com/' } }, /logoUrl/],
    [{ expirationSeconds: '0' }, /expirationSeconds/],
  ] as const)
    assert.match(await refusalOf(place, 'email_auth', { ...wanted, ...members }), words)
  assert.match(await refusalOf(place, 'email_auth', { ...wanted, email: 'nobody@example.com' }), /^RESOURCE_NOT_FOUND/)
  assert.equal(mails, [])
  await close()
})

it('are listed by address, newest first', async () => {
  const { close, ...place } = await withAda()
  const { targetPublicKey } = target()
  const auth = await place.done(place.root, 'email_auth', { email: ADA, targetPublicKey, emailCustomization })
  await place.done(place.root, 'init_otp', { otpType: 'OTP_TYPE_EMAIL', contact: 'grace@example.com', appName: 'a' })
  const code = await place.done(place.root, 'init_otp', {
    otpType: 'OTP_TYPE_EMAIL',
    contact: ADA.toLowerCase(),
    appName: 'a',
  })
  const { emailEvents } = await place.answer(place.root, 'list_email_events', { email: ADA })
  const listed = emailEvents as readonly { readonly [member: string]: string }[]
  assert.equal(
    listed.map(({ id }) => id),
    [code.id, auth.id],
  )
  const { messageId, eventType, fromAddress, toAddress } = listed[1] ?? {}
  assert.equal([messageId, eventType, fromAddress, toAddress], ['<1@example.com>', 'SENT', 'office@example.com', ADA])
  const none = await place.answer(place.root, 'list_email_events', { email: ADA, eventType: 'BOUNCED' })
  assert.equal(none['emailEvents'], [])
  await close()
})

it.run()
