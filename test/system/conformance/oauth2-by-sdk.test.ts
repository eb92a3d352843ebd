import { decryptCredentialBundle, encryptOauth2ClientSecret, generateP256KeyPair } from '@turnkey/crypto'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { oauth2Providers } from '../../../adapters/oauth2/index.ts'
import { CLIENT, oauth2Services, USER_IDS, type ProviderName } from '../../adapters/oauth2/providers.ts'
import { PUBLIC_URL } from '../../core/world/ports.ts'
import { byPair, nonceOf } from './signing-in.ts'
import { onStage, publishedKey, refusal, type Stage } from './stage.ts'

/* Accounts at X and Discord, which give no identity tokens: the official clients, unmodified, get one of ours for a code. */
const it = suite('@turnkey/sdk-server and @turnkey/crypto: providers of OAuth2')

type Services = Awaited<ReturnType<typeof oauth2Services>>

const onStageWithServices = async (play: (stage: Stage, services: Services) => Promise<void>): Promise<void> => {
  const services = await oauth2Services()
  const urls = { xUrl: services.url, discordUrl: services.url }
  try {
    await onStage((stage) => play(stage, services), {
      ports: { oauth2: oauth2Providers({ ...urls, allowPrivateNetwork: true }) },
    })
  } finally {
    await services.close()
  }
}

/** What a client sends for a code that somebody's browser has brought back. */
const wanted = async (stage: Stage, services: Services, provider: ProviderName, nonce: string) => {
  const { clientId, clientSecret } = CLIENT
  const encryptedClientSecret = await encryptOauth2ClientSecret(
    clientSecret,
    await publishedKey(stage, 'oauth2-encryption'),
  )
  const given = { provider, clientId, encryptedClientSecret }
  const { oauth2CredentialId } = await stage.sdk(stage.root).createOauth2Credential(given)
  const { code: authCode, codeVerifier, redirectUri } = services.signIn(provider)
  return { oauth2CredentialId, authCode, codeVerifier, redirectUri, nonce }
}

/** What the token says, to whoever verifies it under the keys that the server publishes. */
const verifiedClaims = async ({ url }: Stage, token: string) => {
  const at = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  type Discovery = { readonly issuer: string; readonly jwks_uri: string }
  const { issuer, jwks_uri: jwksUri } = (await at('/.well-known/openid-configuration')) as Discovery // as it is specified
  assert.is(jwksUri.slice(0, PUBLIC_URL.length), PUBLIC_URL)
  const keys = createLocalJWKSet((await at(jwksUri.slice(PUBLIC_URL.length))) as JSONWebKeySet)
  const { payload } = await jwtVerify(token, keys, { issuer, audience: CLIENT.clientId })
  return payload
}

for (const [provider, prefix] of [
  ['OAUTH2_PROVIDER_X', 'x'],
  ['OAUTH2_PROVIDER_DISCORD', 'discord'],
] as const)
  it(`sign up and in by a token of ours, for a code: ${provider}`, () =>
    onStageWithServices(async (stage, services) => {
      const client = stage.sdk(stage.root)
      const [pair, target] = [generateP256KeyPair(), generateP256KeyPair()]
      const { oidcToken } = await client.oauth2Authenticate({
        ...(await wanted(stage, services, provider, nonceOf(pair.publicKey))),
        bearerTokenTargetPublicKey: target.publicKeyUncompressed,
      })
      const claims = await verifiedClaims(stage, oidcToken)
      const { iss, sub, nonce, iat = 0, exp = 0, encrypted_bearer_token: bundle } = claims
      assert.equal(
        [iss, sub, nonce, exp - iat],
        [PUBLIC_URL, `${prefix}:${USER_IDS[provider]}`, nonceOf(pair.publicKey), 600],
      )
      const opened = Buffer.from(decryptCredentialBundle(String(bundle), target.privateKey), 'hex')
      assert.equal([...services.accessTokens.keys()], [opened.toString()])

      const oauthProviders = [{ providerName: prefix, oidcToken }]
      const { subOrganizationId: organizationId, rootUserIds = [] } = await client.createSubOrganization({
        subOrganizationName: 'of ada',
        rootQuorumThreshold: 1,
        rootUsers: [{ userName: 'ada', apiKeys: [], authenticators: [], oauthProviders }],
      })
      assert.ok((await client.oauthLogin({ organizationId, oidcToken, publicKey: pair.publicKey })).session)
      assert.is((await byPair(stage, pair).getWhoami({ organizationId })).userId, rootUserIds[0])
    }))

it('give no token for a code that was used, that another verifier asked for, nor without a field', () =>
  onStageWithServices(async (stage, services) => {
    const client = stage.sdk(stage.root)
    const used = await wanted(stage, services, 'OAUTH2_PROVIDER_X', 'nonce')
    assert.ok((await client.oauth2Authenticate(used)).oidcToken)
    const of = async (members: Parameters<typeof client.oauth2Authenticate>[0]) => {
      const { code, message } = await refusal(client.oauth2Authenticate(members))
      return [code, message] as const
    }
    stage.clock.pass(1)
    const [code, message] = await of(used)
    assert.is(code, 3)
    assert.match(message, /^the provider of OAuth2 refuses/)
    const other = await wanted(stage, services, 'OAUTH2_PROVIDER_X', 'nonce')
    assert.equal(await of({ ...other, codeVerifier: used.codeVerifier }), [code, message])
    for (const [member, says] of [
      ['authCode', 'auth_code must be set'],
      ['codeVerifier', 'code_verifier must be set'],
      ['redirectUri', 'redirect_uri must be set'],
      ['oauth2CredentialId', 'oauth2_credential_id must be set'],
    ] as const)
      assert.equal(await of({ ...other, [member]: '' }), [3, says])
    assert.ok((await client.oauth2Authenticate(other)).oidcToken)
  }))

it.run()
