import { decryptCredentialBundle } from '@turnkey/crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { uncompressed } from '../../../../core/keys/public-key.ts'
import { E } from '../../../../core/prelude.ts'
import { CLIENT, USER_IDS } from '../../../adapters/oauth2/providers.ts'
import { audited, exported } from '../../audit/logs.ts'
import { recordsOf } from '../../command/history.ts'
import { PUBLIC_URL } from '../../world/ports.ts'
import { beginBelow, codeOf, right } from '../../world/world.ts'
import { fieldsOf } from '../execute.ts'
import { clientKey } from '../otp/scene.ts'
import { json } from '../scene.ts'
import { encryptionKeyOf } from '../bundle/border.ts'
import { clientAt, NONCE, office, parametersOf, tokenIn, type Office } from './sign-in.ts'

const it = suite('codes of OAuth2 providers')

const inAnOffice = async (use: (office: Office) => Promise<void>, options = {}): Promise<void> => {
  const made = await office(options)
  try {
    await use(made)
  } finally {
    await made.close()
  }
}

const PROVIDERS = ['OAUTH2_PROVIDER_X', 'OAUTH2_PROVIDER_DISCORD'] as const
const PATH = 'oauth2_authenticate'

it('give an identity token of the server, for ten minutes, and it is bound to what was asked', () =>
  inAnOffice(async (made) => {
    const { root, services, encrypted, clock } = made
    const keys = right(await made.engine.deploymentKeys()())
    for (const provider of PROVIDERS) {
      const id = await clientAt(made, provider, encrypted)
      const { result } = await made.done(root, PATH, parametersOf(id, services.signIn(provider)))
      const token = tokenIn(result)
      const iat = Math.floor(clock.now() / 1000)
      const sub = `${provider === 'OAUTH2_PROVIDER_X' ? 'x' : 'discord'}:${USER_IDS[provider]}`
      assert.equal(decodeJwt(token), { iss: PUBLIC_URL, aud: CLIENT.clientId, sub, nonce: NONCE, iat, exp: iat + 600 })
      const kid = keys.find(({ purpose }) => purpose === 'oidc')?.id
      assert.equal(decodeProtectedHeader(token), { alg: 'ES256', kid, typ: 'JWT' })
    }
  }))

it('give the access token to the key of a client, and to nobody else', () =>
  inAnOffice(async (made) => {
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
    for (const keyOf of [(key: string) => key, (key: string) => uncompressed('CURVE_P256', key)]) {
      const key = clientKey()
      const parameters = parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_X'))
      const to = { bearerTokenTargetPublicKey: keyOf(key.publicKey) }
      const { result } = await made.done(made.root, PATH, { ...parameters, ...to })
      const bundle = String(decodeJwt(tokenIn(result))['encrypted_bearer_token'])
      const accessToken = Buffer.from(decryptCredentialBundle(bundle, key.privateKey), 'hex').toString()
      assert.is(made.services.accessTokens.get(accessToken), 'OAUTH2_PROVIDER_X')
      assert.throws(() => decryptCredentialBundle(bundle, clientKey().privateKey))
    }
  }))

it('are shown to their requester only, as the token is', () =>
  inAnOffice(async (made) => {
    const ada = await made.enrol('ada')
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
    const signedIn = made.services.signIn('OAUTH2_PROVIDER_X')
    const { id: activityId, result } = await made.done(made.root, PATH, parametersOf(id, signedIn))
    const shownTo = async (who: typeof ada): Promise<string> =>
      JSON.stringify(await made.answer(who, 'get_activity', { activityId }))
    const [own, others] = [await shownTo(made.root), await shownTo(ada)]
    for (const secret of [tokenIn(result), signedIn.code, signedIn.codeVerifier]) {
      assert.match(own, secret)
      assert.not.match(others, secret)
    }
  }))

it('work once: the same body again is the same activity, and another one is refused', () =>
  inAnOffice(async (made) => {
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
    const parameters = parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_X'))
    const body = made.body(PATH, parameters)
    const [first, again] = [await made.send(made.root, PATH, body), await made.send(made.root, PATH, body)].map(right)
    assert.equal(again, first)
    assert.is(made.services.asked.length, 2)
    const before = (await recordsOf(made)).length
    assert.is(codeOf(await made.submit(made.root, PATH, parameters)), 'REQUEST_INVALID')
    assert.is((await recordsOf(made)).length, before)
  }))

it('are refused where the provider is away, nothing is stored, and may be sent again', () =>
  inAnOffice(async (made) => {
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
    const body = made.body(PATH, parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_X')))
    const before = (await recordsOf(made)).length
    made.services.be('down')
    assert.is(codeOf(await made.send(made.root, PATH, body)), 'UNAVAILABLE')
    assert.is((await recordsOf(made)).length, before)
    made.services.be('well')
    assert.ok(tokenIn(right(await made.send(made.root, PATH, body)).result))
  }))

it('need all members, in the words of the public API', () =>
  inAnOffice(async (made) => {
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
    const whole = parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_X'))
    for (const [member, words] of [
      ['authCode', 'auth_code must be set'],
      ['codeVerifier', 'code_verifier must be set'],
      ['redirectUri', 'redirect_uri must be set'],
      ['oauth2CredentialId', 'oauth2_credential_id must be set'],
      ['nonce', 'nonce must be set'],
    ] as const)
      for (const none of [undefined, null, '']) {
        const refused = await made.submit(made.root, PATH, json({ ...whole, [member]: none }))
        if (E.isRight(refused)) throw new Error(`${member} is taken`)
        assert.equal([refused.left.code, refused.left.message], ['REQUEST_INVALID', words])
        assert.equal(fieldsOf(refused.left), [member])
      }
    const wrongKey = { ...whole, bearerTokenTargetPublicKey: `02${'ff'.repeat(32)}` }
    assert.is(codeOf(await made.submit(made.root, PATH, wrongKey)), 'REQUEST_INVALID')
    assert.equal(made.services.asked, [])
  }))

it('belong to an organization on top, which has a client at the provider', () =>
  inAnOffice(async (made) => {
    const { root, services, encrypted } = made
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', encrypted)
    const parameters = parametersOf(id, services.signIn('OAUTH2_PROVIDER_X'))
    const below = await beginBelow(made, made)
    assert.is(codeOf(await below.submit(below.root, PATH, parameters)), 'INVALID_ACTIVITY_CALLER')
    await made.done(root, 'delete_oauth2_credential', { oauth2CredentialId: id })
    assert.is(codeOf(await made.submit(root, PATH, parameters)), 'OAUTH2_CREDENTIAL_NOT_FOUND')
    assert.equal(services.asked, [])
  }))

it('need a secret that was encrypted to this deployment', () =>
  inAnOffice(async (made) => {
    const other = uncompressed('CURVE_P256', clientKey().publicKey)
    const elsewhere = await encryptOauth2ClientSecret(CLIENT.clientSecret, other)
    const id = await clientAt(made, 'OAUTH2_PROVIDER_X', elsewhere)
    const parameters = parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_X'))
    const refused = await made.submit(made.root, PATH, parameters)
    assert.is(codeOf(refused), 'REQUEST_INVALID')
    assert.match(E.isLeft(refused) ? refused.left.message : '', /oauth2-encryption/)
    assert.equal(made.services.asked, [])
    const update = { provider: 'OAUTH2_PROVIDER_X', clientId: CLIENT.clientId, encryptedClientSecret: made.encrypted }
    await made.done(made.root, 'update_oauth2_credential', { oauth2CredentialId: id, ...update })
    await made.done(made.root, PATH, parameters)
    assert.is((await encryptionKeyOf(made.engine)).length, 130)
  }))

it('are refused where the server does not know its public URL, before anybody is asked', () =>
  inAnOffice(
    async (made) => {
      const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
      const parameters = parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_X'))
      const refused = await made.submit(made.root, PATH, parameters)
      assert.is(codeOf(refused), 'OAUTH2_PROVIDER_NOT_CONFIGURED')
      assert.match(E.isLeft(refused) ? refused.left.message : '', /--public-url/)
      assert.equal(made.services.asked, [])
    },
    { publicUrl: undefined },
  ))

it('stand in no event, as what they were exchanged for, and an audit needs no provider', async () => {
  const made = await office()
  const id = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
  const key = clientKey()
  const signedIn = made.services.signIn('OAUTH2_PROVIDER_X')
  const to = { bearerTokenTargetPublicKey: key.publicKey }
  const { result } = await made.done(made.root, PATH, { ...parametersOf(id, signedIn), ...to })
  await made.services.close()
  const lines = (await recordsOf(made)).map(({ line }) => Buffer.from(line).toString()).join('\n')
  const nowhere = [
    tokenIn(result),
    CLIENT.clientSecret,
    USER_IDS.OAUTH2_PROVIDER_X,
    ...made.services.accessTokens.keys(),
  ]
  for (const secret of [...nowhere, signedIn.code, signedIn.codeVerifier]) assert.not(lines.includes(secret))
  const text = await exported(made.storage.store)
  for (const secret of nowhere) assert.not(text.includes(secret))
  const { findings, counts } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.believed, 0)
  await made.close()
})

it('are of providers that there are: credentials name no others, and always a client', () =>
  inAnOffice(async (made) => {
    const given = { provider: 'OAUTH2_PROVIDER_X', clientId: 'a', encryptedClientSecret: made.encrypted }
    for (const [wrong, code, words] of [
      [
        { provider: 'OAUTH2_PROVIDER_GOOGLE' },
        'INVALID_OAUTH2_PROVIDER',
        /at provider: expected OAUTH2_PROVIDER_X or OAUTH2_PROVIDER_DISCORD/,
      ],
      [{ provider: 7 }, 'REQUEST_INVALID', /provider/],
      [{ clientId: '' }, 'REQUEST_INVALID', /^client_id must be set$/],
    ] as const) {
      const oauth2CredentialId = await clientAt(made, 'OAUTH2_PROVIDER_X', made.encrypted)
      for (const [path, parameters] of [
        ['create_oauth2_credential', { ...given, ...wrong }],
        ['update_oauth2_credential', { oauth2CredentialId, ...given, ...wrong }],
      ] as const) {
        const refused = await made.submit(made.root, path, parameters)
        if (E.isRight(refused)) throw new Error(`${path} is done`)
        assert.is(refused.left.code, code)
        assert.match(refused.left.message, words)
        assert.is(fieldsOf(refused.left).length, 1)
      }
    }
  }))

it.run()
