import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { uncompressed } from '../../../../core/keys/public-key.ts'
import { eventsOf } from '../../command/history.ts'
import { codeOf, right } from '../../world/world.ts'
import { plain, rootIsAda } from '../otp/generations.ts'
import { ADA, claimsOf, clientKey, clientSignature, loginBy, office } from '../otp/scene.ts'
import { derOf, mirrored, tokenIn } from './tokens.ts'

const it = suite('signatures of clients')

type Members = { readonly [member: string]: Json }

it('sign a log-in by the key of the token, over its id and the key of the session', async () => {
  const made = await office()
  await rootIsAda(made)
  const [key, stranger, session] = [clientKey(), clientKey(), clientKey()]
  const [token, other] = [await tokenIn(made, made, key), await tokenIn(made, made, key)]
  const { publicKey } = session
  const right = loginBy(key, token, publicKey)
  const said = { login: { publicKey }, tokenId: claimsOf(token)['id'] ?? '', type: 'USAGE_TYPE_LOGIN' }
  const saying = (members: Members) => clientSignature(key, { ...said, ...members })
  const text = (message: string) => clientSignature(key, message, message)
  const members = JSON.stringify(said).slice(1, -1)
  const submit = (clientSignatureOf: Json, verificationToken = token) =>
    made.submit(made.root, 'otp_login', { verificationToken, publicKey, clientSignature: clientSignatureOf })
  const wrong: readonly Json[] = [
    null,
    loginBy(stranger, token, publicKey),
    { ...loginBy(stranger, token, publicKey), publicKey: key.publicKey },
    { ...right, publicKey: stranger.publicKey },
    { ...right, publicKey: uncompressed('CURVE_P256', key.publicKey) },
    { ...right, message: `${right.message} ` },
    { ...right, signature: `${right.signature}00` },
    { ...right, signature: '00'.repeat(64) },
    { ...right, signature: derOf(right.signature).slice(2) },
    { ...right, signature: loginBy(key, other, publicKey).signature },
    { ...right, scheme: 'CLIENT_SIGNATURE_SCHEME_API_ED25519' },
    loginBy(key, other, publicKey),
    loginBy(key, token, stranger.publicKey),
    saying({ type: 'USAGE_TYPE_SIGNUP' }),
    saying({ type: 'login' }),
    saying({ tokenId: '' }),
    saying({ login: {} }),
    saying({ login: [publicKey] }),
    text(`[${JSON.stringify(said)}]`),
    text(`{${members},"type":"USAGE_TYPE_LOGIN"}`),
    text(`{"tokenId":"${claimsOf(other)['id']}",${members}}`),
    text(`{"login":{"publicKey":"${stranger.publicKey}","publicKey":"${publicKey}"},${members}}`),
    text(`{"__proto__":{},${members}}`),
    text(`{${members}`),
    text(''),
  ]
  const before = (await eventsOf(made)).length
  for (const [index, one] of wrong.entries()) assert.is(codeOf(await submit(one)), 'REQUEST_INVALID', `${index}`)
  for (const one of [right, saying({})]) assert.is(codeOf(await submit(one, other)), 'REQUEST_INVALID') // of another token
  assert.is((await eventsOf(made)).length, before)
  await made.close()
})

it('take a signature raw or in DER, with either s, over JSON in any order', async () => {
  const made = await office()
  await rootIsAda(made)
  const key = clientKey()
  const forms = [
    (raw: string) => raw,
    mirrored,
    derOf,
    (raw: string) => derOf(mirrored(raw)),
    (raw: string) => raw.toUpperCase(),
  ]
  for (const form of forms) {
    const token = await tokenIn(made, made, key)
    const { publicKey } = clientKey()
    const message = `{ "type": "USAGE_TYPE_LOGIN",\n "tokenId": "${claimsOf(token)['id']}", "login": {"publicKey":"${publicKey.toUpperCase()}"} }`
    const signed = clientSignature(key, message, message)
    const parameters = {
      verificationToken: token,
      publicKey,
      clientSignature: { ...signed, signature: form(signed.signature) },
    }
    await made.done(made.root, 'otp_login', parameters)
    made.clock.pass(180_000)
  }
  await made.close()
})

it('sign up as whom the request makes, named in one of two ways', async () => {
  const made = await office()
  const key = clientKey()
  const { publicKey } = key
  const apiKeys = [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'ada', userEmail: ADA, apiKeys, authenticators: [], oauthProviders: [] }
  const token = await tokenIn(made, made, key)
  const tokenId = claimsOf(token)['id'] ?? ''
  const says = (members: Members) => clientSignature(key, { tokenId, type: 'USAGE_TYPE_SIGNUP', ...members })
  const usage = { apiKeys, email: ADA }
  const submit = (signed: Json, rootUsers: Json = [user], verificationTokenOf = token) =>
    made.submit(made.root, 'create_sub_organization', {
      subOrganizationName: 'of ada',
      rootQuorumThreshold: 1,
      rootUsers,
      verificationToken: verificationTokenOf,
      clientSignature: signed,
    })
  const [first] = apiKeys
  const before = (await eventsOf(made)).length
  for (const [index, one] of [
    says({}),
    says({ signup: usage, signupV2: usage }),
    says({ login: usage }),
    says({ signupV2: { apiKeys } }),
    says({ signupV2: { email: ADA } }),
    says({ signupV2: { ...usage, apiKeys: [...apiKeys, ...apiKeys] } }),
    says({ signupV2: { ...usage, apiKeys: [{ ...first, apiKeyName: 'other' }] } }),
    says({ signupV2: { ...usage, apiKeys: [{ ...first, expirationSeconds: '60' }] } }),
    says({ signupV2: { ...usage, oauthProviders: [{}] } }),
    says({ signupV2: { ...usage, phoneNumber: '+15005550006' } }),
    says({ signupV2: usage, tokenId: '' }),
    says({ signupV2: usage, type: 'USAGE_TYPE_LOGIN' }),
  ].entries())
    assert.is(codeOf(await submit(one)), 'REQUEST_INVALID', `${index}`)
  const eve = { ...user, userName: 'eve', userEmail: 'eve@example.com' }
  assert.is(codeOf(await submit(says({ signupV2: usage }), [eve])), 'REQUEST_INVALID')
  assert.is((await eventsOf(made)).length, before)
  const whole = { ...usage, authenticators: [], oauthProviders: [], phoneNumber: '' }
  right(await submit(says({ signup: { ...whole, apiKeys: [{ ...first, publicKey: publicKey.toUpperCase() }] } })))
  await made.close()
})

it('give a token of a code in plain a key only where the request named one', async () => {
  const made = await office()
  await rootIsAda(made)
  const [key, session] = [clientKey(), clientKey()]
  const saying = async (members: Members) => {
    const { otpId, code } = await plain.send(made, made.mails)
    const type = 'ACTIVITY_TYPE_VERIFY_OTP'
    const { result } = await made.done(made.root, 'verify_otp', { otpId, otpCode: code, ...members }, { type })
    return (result['verifyOtpResult'] as { readonly verificationToken: string }).verificationToken
  }
  const [without, named] = [await saying({}), await saying({ publicKey: key.publicKey.toUpperCase() })]
  assert.is(claimsOf(without)['public_key'], undefined)
  assert.is(claimsOf(named)['public_key'], key.publicKey)
  const { publicKey } = session
  const login = async (token: string, more: Members, type: string) =>
    codeOf(await made.submit(made.root, 'otp_login', { verificationToken: token, publicKey, ...more }, { type }))
  const [FIRST, SECOND] = ['ACTIVITY_TYPE_OTP_LOGIN', 'ACTIVITY_TYPE_OTP_LOGIN_V2']
  assert.is(await login(named, {}, FIRST), 'REQUEST_INVALID')
  assert.is(await login(without, {}, SECOND), 'REQUEST_INVALID')
  assert.is(await login(without, { clientSignature: loginBy(key, named, publicKey) }, FIRST), 'REQUEST_INVALID')
  assert.is(await login(without, {}, FIRST), 'no failure')
  await made.close()
})

it.run()
