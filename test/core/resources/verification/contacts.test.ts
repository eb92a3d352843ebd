import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { anIssuer } from '../../world/issuer.ts'
import { begunBy, codeOf, placeIn, type Place, type World } from '../../world/world.ts'
import {
  ADA,
  claimsOf,
  clientKey,
  clientSignature,
  loginBy,
  office,
  PLAIN,
  sendCode,
  toAda,
  verify,
  verifyEncrypted,
  type ClientKey,
} from '../otp/scene.ts'

const it = suite('verified contacts')

type Office = Awaited<ReturnType<typeof office>>

/** A token for Ada's address, for a key of the client. */
const tokenFor = async (made: Office, key: ClientKey): Promise<string> => {
  const started = await sendCode(made, made.root)
  return verifyEncrypted(made, made.root, started, made.mails.at(-1)?.secret ?? '', key.publicKey)
}

const keyOf = ({ publicKey }: ClientKey) => ({ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' })

const signUp = (key: ClientKey, token: string, said: { readonly [member: string]: Json } = {}) => {
  const user = { userName: 'ada', userEmail: ADA, apiKeys: [keyOf(key)], authenticators: [], oauthProviders: [] }
  const usage = {
    signupV2: { apiKeys: user.apiKeys, email: ADA, ...said },
    tokenId: claimsOf(token)['id'] ?? '',
    type: 'USAGE_TYPE_SIGNUP',
  }
  return {
    subOrganizationName: 'of ada',
    rootQuorumThreshold: 1,
    rootUsers: [user],
    verificationToken: token,
    clientSignature: clientSignature(key, usage),
  }
}

const verifiedBelow = async (made: World, filter: { readonly [member: string]: Json } = {}): Promise<Json> =>
  (await made.answer(made.root, 'list_verified_suborgs', filter))['organizationIds'] ?? null

const EMAIL = { filterType: 'EMAIL', filterValue: ADA.toUpperCase() }

it('sign up and in by one token, each once', async () => {
  const made = await office()
  const key = clientKey()
  const token = await tokenFor(made, key)
  const parameters = signUp(key, token)
  const { result } = await made.done(made.root, 'create_sub_organization', parameters)
  const { subOrganizationId, rootUserIds } = begunBy(result)
  assert.equal(await verifiedBelow(made), [subOrganizationId])
  assert.equal(await verifiedBelow(made, EMAIL), [subOrganizationId])
  assert.equal(await verifiedBelow(made, { ...EMAIL, filterValue: 'grace@example.com' }), [])

  const session = clientKey()
  const signIn = {
    verificationToken: token,
    publicKey: session.publicKey,
    clientSignature: loginBy(key, token, session.publicKey),
  }
  const below = placeIn(made, subOrganizationId, { ...made.root, userId: rootUserIds[0] ?? '' })
  await below.done(made.root, 'otp_login', signIn) // a user of the parent sends it
  assert.is((await below.answer({ key: session }, 'whoami'))['userId'], rootUserIds[0])

  const again = await made.done(made.root, 'create_sub_organization', { ...parameters, subOrganizationName: 'again' })
  assert.is(again.status, 'ACTIVITY_STATUS_FAILED')
  await made.close()
})

it('refuse a sign-up that the key of the token has not signed, word by word', async () => {
  const made = await office()
  const key = clientKey()
  const token = await tokenFor(made, key)
  const right = signUp(key, token)
  const refusalOf = async (parameters: Json): Promise<string> => {
    const refused = await made.submit(made.root, 'create_sub_organization', parameters)
    return E.isLeft(refused)
      ? `${refused.left.code} ${JSON.stringify(refused.left.details ?? refused.left.message)}`
      : 'begun'
  }
  const stranger = clientKey()
  for (const [wrong, at] of [
    [{ ...right, clientSignature: undefined }, 'clientSignature'],
    [{ ...right, clientSignature: signUp(stranger, token).clientSignature }, 'clientSignature.publicKey'],
    [signUp(key, token, { email: 'grace@example.com' }), 'clientSignature.message'],
    [signUp(key, token, { apiKeys: [] }), 'clientSignature.message'],
    [signUp(key, token, { phoneNumber: '+15005550006' }), 'clientSignature.message'],
    [{ ...right, clientSignature: loginBy(key, token, key.publicKey) }, 'clientSignature.message'],
    [{ ...right, rootUsers: [{ ...right.rootUsers[0], userEmail: 'grace@example.com' }] }, 'verificationToken'],
    [{ ...right, verificationToken: `${token.slice(0, -4)}AAAA` }, 'invalid verification token'],
    [{ ...right, verificationToken: '' }, 'verificationToken'],
  ] as const)
    assert.match(await refusalOf(JSON.parse(JSON.stringify(wrong)) as Json), new RegExp(`REQUEST_INVALID .*${at}`))
  assert.is(await refusalOf(right), 'begun')
  await made.close()
})

it('compare the identity providers of a sign-up with those that the key of the token has signed', async () => {
  const made = await office()
  const key = clientKey()
  const token = await tokenFor(made, key)
  const provider = { providerName: 'provider', oidcToken: anIssuer.token() }
  const asked = async (said: readonly Json[]): Promise<string> => {
    const { rootUsers, ...parameters } = signUp(key, token, { oauthProviders: [...said] })
    const withProvider = rootUsers.map((user) => ({ ...user, oauthProviders: [provider] }))
    return codeOf(await made.submit(made.root, 'create_sub_organization', { ...parameters, rootUsers: withProvider }))
  }
  const claims = { iss: anIssuer.url, sub: 'subject', aud: 'client' }
  for (const said of [
    [],
    [provider, provider],
    [{ ...provider, providerName: 'another' }],
    [{ providerName: 'provider', oidcClaims: claims }],
  ])
    assert.is(await asked(said), 'REQUEST_INVALID')
  assert.is(await asked([{ oidcToken: provider.oidcToken, providerName: 'provider' }]), 'no failure')
  await made.close()
})

it('take a token whose code came in plain in the seventh version alone', async () => {
  const made = await office()
  const key = clientKey()
  const { otpId } = await sendCode(made, made.root, toAda, PLAIN)
  const token = await verify(made, made.root, otpId, made.mails[0]?.secret ?? '')
  const parameters = { ...signUp(key, token), clientSignature: null }
  assert.is(codeOf(await made.submit(made.root, 'create_sub_organization', parameters)), 'REQUEST_INVALID')
  const seventh = { type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7' }
  await made.done(made.root, 'create_sub_organization', parameters, seventh)
  assert.is(((await verifiedBelow(made)) as readonly Json[]).length, 1)
  await made.close()
})

/** An organization of Ada, below that of the office. */
const below = async (made: Office, userEmail: string): Promise<Place> => {
  const key = clientKey()
  const user = { userName: 'ada', userEmail, apiKeys: [keyOf(key)], authenticators: [], oauthProviders: [] }
  const parameters = { subOrganizationName: 'below', rootQuorumThreshold: 1, rootUsers: [user] }
  const { subOrganizationId, rootUserIds } = begunBy(
    (await made.done(made.root, 'create_sub_organization', parameters)).result,
  )
  return placeIn(made, subOrganizationId, { key, userId: rootUserIds[0] ?? '', apiKeyId: '' })
}

it('are verified by a token of the parent, and are not any more when they change without one', async () => {
  const made = await office()
  const place = await below(made, ADA)
  assert.equal(await verifiedBelow(made, EMAIL), [])
  const { userId } = place.root
  const token = await tokenFor(made, clientKey())
  const change = async (members: { readonly [member: string]: Json }) =>
    place.submit(place.root, 'update_user_email', { userId, userEmail: ADA, ...members })
  assert.is(codeOf(await change({ verificationToken: token, userEmail: 'grace@example.com' })), 'REQUEST_INVALID')
  await change({ verificationToken: token })
  assert.equal(await verifiedBelow(made, EMAIL), [place.organizationId])
  await change({})
  assert.equal(await verifiedBelow(made, EMAIL), [])
  await change({ verificationToken: token })
  await place.done(place.root, 'update_user', { userId, userEmail: ADA })
  assert.equal(await verifiedBelow(made), [])
  made.clock.pass(3_600_000)
  const over = await change({ verificationToken: token })
  assert.match(E.isLeft(over) ? over.left.message : '', /has expired/)
  await made.close()
})

it('are not verified by a token of a stranger', async () => {
  const [made, others] = [await office(), await office()]
  const place = await below(made, ADA)
  const { userId } = place.root
  const sibling = await below(made, 'grace@example.com')
  const change = async (verificationToken: string) =>
    codeOf(await place.submit(place.root, 'update_user_email', { userId, userEmail: ADA, verificationToken }))
  const key = clientKey()
  const started = await sendCode(sibling, sibling.root)
  const ofSibling = await verifyEncrypted(
    sibling,
    sibling.root,
    started,
    made.mails.at(-1)?.secret ?? '',
    key.publicKey,
  )
  assert.is(await change(ofSibling), 'REQUEST_INVALID')
  assert.is(await change(await tokenFor(others, key)), 'REQUEST_INVALID')
  const claims = claimsOf(ofSibling)
  const spelled = (text: string): string => Buffer.from(text).toString('base64url')
  const mine = JSON.stringify({ ...claims, organization_id: made.organizationId })
  for (const header of ['{"typ":"JWT","alg":"none"}', '{"typ":"JWT","alg":"HS256"}', '{"typ":"JWT","alg":"ES256"}'])
    for (const signature of ['', ofSibling.split('.')[2] ?? '', spelled('a'.repeat(64))])
      assert.is(await change(`${spelled(header)}.${spelled(mine)}.${signature}`), 'REQUEST_INVALID')
  await made.close()
  await others.close()
})

it.run()
