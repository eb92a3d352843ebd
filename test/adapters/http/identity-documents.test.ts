import { createRemoteJWKSet, jwtVerify, type JWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { TE } from '../../../core/prelude.ts'
import { clientAt, NONCE, office, parametersOf, tokenIn } from '../../core/resources/oauth2-credential/sign-in.ts'
import { CLIENT } from '../oauth2/providers.ts'
import { fakeEngine } from './fake-engine.ts'
import { serving } from './transport.ts'

const it = suite('documents of the issuer of identity tokens')

const CONFIGURATION = '/.well-known/openid-configuration'
const JWKS = '/.well-known/jwks.json'
const ISSUER = 'https://id.example.com'
const POINT = `04${'0a'.repeat(32)}${'ff'.repeat(32)}`

const issuing = (publicUrl: string | undefined, hasKey = true) =>
  fakeEngine({
    publicUrl,
    deploymentKeys: () => TE.right(hasKey ? [{ purpose: 'oidc', id: '0123456789abcdef', publicKey: POINT }] : []),
  })

const json = async (url: string): Promise<{ readonly [member: string]: unknown }> => {
  const reply = await fetch(url)
  assert.is(reply.status, 200, url)
  return (await reply.json()) as { readonly [member: string]: unknown } // of our server
}

it('have the issuer to the byte, and what else is true of it', () =>
  serving(issuing(`${ISSUER}/`), {}, async (url) => {
    assert.equal(await json(url + CONFIGURATION), {
      issuer: `${ISSUER}/`,
      jwks_uri: `${ISSUER}${JWKS}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      claims_supported: ['iss', 'aud', 'sub', 'nonce', 'iat', 'exp', 'encrypted_bearer_token'],
    })
    assert.equal(await json(url + JWKS), {
      keys: [
        {
          ...{ kid: '0123456789abcdef', kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' },
          x: Buffer.from('0a'.repeat(32), 'hex').toString('base64url'),
          y: Buffer.from('ff'.repeat(32), 'hex').toString('base64url'),
        },
      ],
    })
    const { headers } = await fetch(url + JWKS)
    assert.match(headers.get('cache-control') ?? '', /max-age/)
    assert.is(headers.get('access-control-allow-origin'), '*')
  }))

it('stand behind the path of the public URL, also where somebody has cut it off', async () => {
  await serving(issuing(`${ISSUER}/a/b`), {}, async (url) => {
    for (const before of ['', '/a/b'])
      assert.is((await json(url + before + CONFIGURATION))['jwks_uri'], `${ISSUER}/a/b${JWKS}`)
    assert.is((await fetch(`${url}/a${CONFIGURATION}`)).status, 404)
  })
  await serving(issuing(`${ISSUER}/a/b`), { basePath: '/a' }, async (url) => {
    for (const before of ['/a', '/a/b']) await json(url + before + CONFIGURATION)
    assert.is((await fetch(url + CONFIGURATION)).status, 404)
  })
})

it('are not there where the server does not know its public URL, or has no keys', async () => {
  for (const engine of [issuing(undefined), issuing(ISSUER, false)])
    await serving(engine, {}, async (url) => {
      for (const path of [CONFIGURATION, JWKS]) assert.is((await fetch(url + path)).status, 404)
    })
  const away = fakeEngine({ publicUrl: ISSUER, deploymentKeys: () => TE.left(failure('UNAVAILABLE', 'away')) })
  await serving(away, {}, async (url) => {
    for (const path of [CONFIGURATION, JWKS]) assert.is((await fetch(url + path)).status, 503)
  })
})

it('verify a token of ours by any library', async () => {
  const made = await office()
  await serving(made.engine, {}, async (url) => {
    const id = await clientAt(made, 'OAUTH2_PROVIDER_DISCORD', made.encrypted)
    const { result } = await made.done(
      made.root,
      'oauth2_authenticate',
      parametersOf(id, made.services.signIn('OAUTH2_PROVIDER_DISCORD')),
    )
    const { issuer, id_token_signing_alg_values_supported: algorithms } = await json(url + CONFIGURATION)
    const { payload } = await jwtVerify(tokenIn(result), createRemoteJWKSet(new URL(url + JWKS)), {
      issuer: String(issuer),
      audience: CLIENT.clientId,
      algorithms: algorithms as string[], // of our server
      currentDate: new Date(made.clock.now()),
      requiredClaims: ['iat', 'exp', 'sub', 'nonce'],
    })
    assert.equal([payload.nonce, payload.sub], [NONCE, 'discord:80351110224678912'])
    const { keys } = (await json(url + JWKS)) as { readonly keys: readonly JWK[] } // of our server
    assert.equal(keys.length, 1)
  })
  await made.close()
})

it.run()
