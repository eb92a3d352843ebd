import { createHmac } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { signedToken } from '../../../../core/resources/deployment-key/token.ts'
import { sessionToken } from '../../../../core/resources/session/session-token.ts'
import { verificationToken } from '../../../../core/resources/verification/verification-token.ts'
import { eventsOf } from '../../command/history.ts'
import { signIn } from '../session/scene.ts'
import { testKeyring } from '../../world/keyring.ts'
import { beginBelow, codeOf, right, type Place } from '../../world/world.ts'
import { rootIsAda } from '../otp/generations.ts'
import { ADA, claimsOf, clientKey, clientSignature, loginBy, office } from '../otp/scene.ts'
import { derOf, mirrored, tokenIn } from './tokens.ts'

const it = suite('enemies of tokens')

const base64Url = (text: string): string => Buffer.from(text).toString('base64url')
const inBase64 = (part: string): string => Buffer.from(part, 'base64url').toString('base64')

/** Tokens that are almost one of the deployment. */
const forgeries = async (made: Awaited<ReturnType<typeof office>>, token: string, publicKey: string) => {
  const [header = '', body = '', signature = ''] = token.split('.')
  const claims = claimsOf(token)
  const { token: session } = await signIn(made, made.root)
  const published = right(await made.engine.deploymentKeys()()).find(({ purpose }) => purpose === 'verification')
  const point = published?.publicKey ?? ''
  const keyring = testKeyring(made.storage)
  const byKey = (said: { readonly [claim: string]: unknown }, purpose: 'session' | 'verification' = 'verification') =>
    signedToken({ ...verificationToken, purpose }, keyring, said as never)
  const byHmac = (secret: string | Buffer): string => {
    const signed = `${base64Url('{"typ":"JWT","alg":"HS256"}')}.${body}`
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  }
  const low = Buffer.from(signature, 'base64url').toString('hex')
  const forged = {
    'alg: none': `${base64Url('{"typ":"JWT","alg":"none"}')}.${body}.`,
    'alg: none, with a signature': `${base64Url('{"typ":"JWT","alg":"none"}')}.${body}.${signature}`,
    'HS256 by our public key in hex': byHmac(point),
    'HS256 by our public key': byHmac(Buffer.from(point, 'hex')),
    'HS256 by our public key, compressed': byHmac(Buffer.from(p256.Point.fromHex(point).toBytes(true))),
    'no signature': `${header}.${body}.`,
    'half of a signature': `${header}.${body}.${signature.slice(0, 43)}`,
    'a signature of zeros': `${header}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'the other s': `${header}.${body}.${Buffer.from(mirrored(low), 'hex').toString('base64url')}`,
    'a signature in DER': `${header}.${body}.${Buffer.from(derOf(low), 'hex').toString('base64url')}`,
    'another header': `${base64Url('{"alg":"ES256","typ":"JWT"}')}.${body}.${signature}`,
    'other claims': `${header}.${base64Url(JSON.stringify({ ...claims, contact: 'eve@example.com' }))}.${signature}`,
    'spelled with padding': `${header}.${inBase64(body)}=.${signature}`,
    'a fourth part': `${token}.${signature}`,
    'white space behind': `${token}\n`,
    'a session': session,
    'signed by the key of sessions': await byKey(claims, 'session'),
    'a session by our key': await signedToken({ ...sessionToken, purpose: 'verification' }, keyring, {
      exp: Number(claims['exp']),
      public_key: publicKey,
      session_type: 'SESSION_TYPE_READ_WRITE',
      user_id: made.root.userId,
      organization_id: made.organizationId,
    }),
    'without a contact': await byKey({ ...claims, contact: undefined }),
    'a claim that is no text': await byKey({ ...claims, exp: Number(claims['exp']) }),
    'of another type': await byKey({ ...claims, verification_type: 'OTP_TYPE_FAX' }),
    'of the other type': await byKey({ ...claims, verification_type: 'OTP_TYPE_SMS', contact: '+15005550006' }),
    'of no organization': await byKey({ ...claims, organization_id: '' }),
    'over for ever': await byKey({ ...claims, exp: 'NaN' }),
  }
  await keyring.close()
  return forged
}

it('sign nobody in or up, and verify nothing, by a token that the deployment has not signed as it is', async () => {
  const made = await office()
  await rootIsAda(made)
  const key = clientKey()
  const token = await tokenIn(made, made, key)
  const forged = await forgeries(made, token, key.publicKey)
  const user = { userName: 'ada', userEmail: ADA, apiKeys: [], authenticators: [], oauthProviders: [] }
  const uses = {
    otp_login: (one: string): Json => {
      const { publicKey } = clientKey()
      return { verificationToken: one, publicKey, clientSignature: loginBy(key, token, publicKey) }
    },
    update_user_email: (one: string): Json => ({ userId: made.root.userId, userEmail: ADA, verificationToken: one }),
    create_sub_organization: (one: string): Json => ({
      subOrganizationName: 'of ada',
      rootQuorumThreshold: 1,
      rootUsers: [user],
      verificationToken: one,
      clientSignature: clientSignature(key, {
        signupV2: { email: ADA },
        tokenId: claimsOf(token)['id'] ?? '',
        type: 'USAGE_TYPE_SIGNUP',
      }),
    }),
  }
  const before = (await eventsOf(made)).length
  for (const [path, use] of Object.entries(uses))
    for (const [name, one] of Object.entries(forged)) {
      const code = codeOf(await made.submit(made.root, path, use(one)))
      // Nobody has that telephone; and the organization does not take short messages.
      const others = name === 'of the other type' && path === 'otp_login' ? ['EMAIL_SENDING_DISABLED'] : []
      assert.ok(['REQUEST_INVALID', ...others].includes(code), `${path}, ${name}: ${code}`)
    }
  assert.is((await eventsOf(made)).length, before)
  for (const [path, use] of Object.entries(uses)) await made.done(made.root, path, use(token))
  await made.close()
})

it('hold a token in its organization and those below, and until it is over', async () => {
  const [made, strange] = [await office(), await office()]
  const [one, two] = [await beginBelow(made, made, 'ada'), await beginBelow(made, made, 'grace')]
  const key = clientKey()
  const tokens = {
    above: await tokenIn(made, made, key, 'ada@example.com'),
    own: await tokenIn(made, one, key, 'ada@example.com'),
    sibling: await tokenIn(made, two, key, 'ada@example.com'),
    strange: await tokenIn(strange, strange, key, 'ada@example.com'),
  }
  const login = (place: Place, token: string, signer = place.root) => {
    const { publicKey } = clientKey()
    const clientSignature = loginBy(key, token, publicKey)
    return place.submit(signer, 'otp_login', { verificationToken: token, publicKey, clientSignature })
  }
  await made.done(made.root, 'update_user_email', { userId: made.root.userId, userEmail: 'ada@example.com' })
  for (const name of ['sibling', 'strange'] as const)
    for (const place of [made, one]) assert.is(codeOf(await login(place, tokens[name])), 'REQUEST_INVALID', name)
  assert.is(codeOf(await login(made, tokens.own)), 'REQUEST_INVALID')
  made.clock.pass(3_600_000 - 1)
  assert.is(codeOf(await login(one, tokens.own)), 'no failure')
  made.clock.pass(1)
  assert.is(codeOf(await login(one, tokens.above)), 'REQUEST_INVALID')
  made.clock.pass(-1)
  assert.is(codeOf(await login(one, tokens.above, made.root)), 'no failure')
  await made.close()
  await strange.close()
})

it('sign in only where the organization below takes codes, whatever the one above does', async () => {
  const made = await office()
  const below = await beginBelow(made, made, 'ada')
  const key = clientKey()
  const token = await tokenIn(made, made, key, 'ada@example.com')
  const login = async (signer = made.root) => {
    const { publicKey } = clientKey()
    const clientSignature = loginBy(key, token, publicKey)
    return codeOf(await below.submit(signer, 'otp_login', { verificationToken: token, publicKey, clientSignature }))
  }
  await below.done(below.root, 'remove_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' })
  assert.is(await login(), 'EMAIL_SENDING_DISABLED')
  await below.done(below.root, 'set_organization_feature', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
  assert.is(await login(), 'no failure')
  await made.close()
})

it.run()
