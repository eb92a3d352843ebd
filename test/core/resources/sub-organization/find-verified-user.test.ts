import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { anIssuer, fakeIssuer, google, knownIssuers } from '../../world/issuer.ts'
import { begin, begunBy, placeIn, type Place, type WorldOptions } from '../../world/world.ts'
import { ADA, office, PLAIN, sendCode, verify, type Claims } from '../otp/scene.ts'

const it = suite('who has a contact that a token proves')

type Office = Awaited<ReturnType<typeof office>>

const inOffice = async (play: (made: Office) => Promise<void>, options: WorldOptions = {}): Promise<void> => {
  const made = await office(options)
  try {
    await play(made)
  } finally {
    await made.close()
  }
}

const proved = async ({ mails }: Pick<Office, 'mails'>, place: Place): Promise<string> => {
  const { otpId } = await sendCode(place, place.root, undefined, PLAIN)
  return verify(place, place.root, otpId, mails.at(-1)?.secret ?? '')
}

const V7 = { type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7' }

/** Begins an organization with a user who has Ada's address, verified by a token. */
const below = async (place: Place, verificationToken?: string, key = generateKey('API_KEY_CURVE_P256')) => {
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }]
  const user = { userName: 'ada', userEmail: ADA, apiKeys, authenticators: [], oauthProviders: [] }
  const parameters = { subOrganizationName: 'below', rootQuorumThreshold: 1, rootUsers: [user] }
  const more: { readonly [member: string]: Json } = verificationToken === undefined ? {} : { verificationToken }
  const { result } = await place.done(place.root, 'create_sub_organization', { ...parameters, ...more }, V7)
  const { subOrganizationId, rootUserIds } = begunBy(result)
  return { subOrganizationId, userId: rootUserIds[0] ?? '' }
}

const found = async (place: Place, token: { readonly [member: string]: Json }): Promise<Json> => {
  const answer = await place.ask(place.root, 'find_verified_user', token)
  return E.isRight(answer) ? answer.right : answer.left.code
}

const about = { otpType: 'OTP_TYPE_EMAIL', contact: ADA }

it('is the oldest one below whose contact was verified, as long as the contact is theirs', () =>
  inOffice(async (made) => {
    const verificationToken = await proved(made, made)
    assert.equal(await found(made, { verificationToken }), about)
    await below(made)
    assert.equal(await found(made, { verificationToken }), about)
    const key = generateKey('API_KEY_CURVE_P256')
    const first = await below(made, verificationToken, key)
    made.clock.pass(180_000)
    const second = await below(made, await proved(made, made))
    assert.equal(await found(made, { verificationToken }), { ...about, ...first })
    const { done, root } = placeIn(made, first.subOrganizationId, { key, userId: first.userId, apiKeyId: '' })
    await done(root, 'update_user_email', { userId: first.userId, userEmail: 'another@example.com' })
    assert.equal(await found(made, { verificationToken }), { ...about, ...second })
  }))

it('is told to nobody without a token that holds in the organization', () =>
  inOffice(async (made) => {
    const token = await proved(made, made)
    await below(made, token)
    const other = await begin(made)
    const [header, claims = '', signature] = token.split('.')
    const forged = JSON.stringify({
      ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims), // those of a token
      contact: ADA.toLowerCase(),
    })
    const madeUp = [header, Buffer.from(forged).toString('base64url'), signature].join('.')
    for (const verificationToken of [madeUp, 'made up', await proved(made, other)])
      assert.is(await found(made, { verificationToken }), 'REQUEST_INVALID')
    assert.is(await found(other, { verificationToken: token }), 'REQUEST_INVALID')
    made.clock.pass(3_600_000)
    assert.is(await found(made, { verificationToken: token }), 'REQUEST_INVALID')
    const said = { email: ADA, email_verified: true }
    assert.is(await found(made, {}), 'REQUEST_INVALID')
    assert.is(await found(made, { verificationToken: token, oidcToken: google.token(said) }), 'REQUEST_INVALID')
  }))

it('is told for a token of Google with the address, verified, and no other issuer is asked', () => {
  const issuers = knownIssuers(anIssuer, google)
  return inOffice(
    async (made) => {
      const there = await below(made, await proved(made, made))
      const said = { email: ADA, email_verified: true }
      for (const token of [
        anIssuer.token(said),
        google.token({ email: ADA }),
        google.token({ ...said, exp: made.clock.now() / 1000 - 3_600 }),
        'made up',
      ])
        assert.is(await found(made, { oidcToken: token }), 'INVALID_OIDC_TOKEN')
      assert.is(issuers.asked(), 0)
      assert.is(await found(made, { oidcToken: fakeIssuer(google.url).token(said) }), 'INVALID_OIDC_TOKEN')
      assert.equal(await found(made, { oidcToken: google.token(said) }), { ...about, ...there })
    },
    { ports: { identityTokens: issuers } },
  )
})

it.run()
