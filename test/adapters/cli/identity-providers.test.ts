import { join } from 'node:path'
import { generateP256KeyPair } from '@turnkey/crypto'
import { Turnkey, type TurnkeyApiClient } from '@turnkey/sdk-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { identityProvider } from '../../system/conformance/identity-provider.ts'
import { nonceOf } from '../../system/conformance/signing-in.ts'
import { folder, json, run, serve } from './run-cli.ts'
import { audited, changedCopy } from './tampered-store.ts'

const it = suite('accounts at identity providers, at the command line')

const DISCOVERY = '/.well-known/openid-configuration'

const clientOf = (file: string): TurnkeyApiClient => {
  const { baseUrl, organizationId, apiPublicKey, apiPrivateKey } = json(file)
  return new Turnkey({
    apiBaseUrl: String(baseUrl),
    apiPublicKey: String(apiPublicKey),
    apiPrivateKey: String(apiPrivateKey),
    defaultOrganizationId: String(organizationId),
  }).apiClient()
}

/** Begins an organization below for whoever the token is about. */
const signUp = (client: TurnkeyApiClient, oidcToken: string) => {
  const oauthProviders = [{ providerName: 'shop', oidcToken }]
  const user = { userName: 'ada', apiKeys: [], authenticators: [], oauthProviders }
  return client.createSubOrganization({ subOrganizationName: 'of ada', rootQuorumThreshold: 1, rootUsers: [user] })
}

it('hold in an audit when the provider is gone, and do not when one bit of a token is another', async () => {
  const cwd = folder()
  const [provider, other] = await Promise.all([identityProvider(), identityProvider()])
  assert.is((await run(['keystore', 'create', 'keystore'], { cwd })).code, 0)
  const flags = ['--store', 'sqlite:store.db', '--keystore', 'file:keystore', '--init', '--credentials', 'c.json']
  const allowed = ['--allow-private-network', '--oidc-issuer', provider.issuer]
  const server = await serve([...flags, ...allowed], { cwd })
  const client = clientOf(join(cwd, 'c.json'))
  const registration = await provider.signIn({ login: 'ada', nonce: 'any' })
  const { subOrganizationId: organizationId } = await signUp(client, registration)
  const { publicKey } = generateP256KeyPair()
  const oidcToken = await provider.signIn({ login: 'ada', nonce: nonceOf(publicKey) })
  assert.ok((await client.oauthLogin({ organizationId, publicKey, oidcToken })).session)

  // A beginning is work with effects elsewhere: it fails, since it has begun by then.
  const { activity } = await signUp(client, await other.signIn({ login: 'ada', nonce: 'any' }))
  assert.equal([activity.status, activity.failure?.message], ['ACTIVITY_STATUS_FAILED', 'invalid OIDC token'])
  assert.equal(
    [provider, other].map(({ asked }) => asked.includes(DISCOVERY)),
    [true, false],
  )
  await Promise.all([server.stop(), provider.close(), other.close()])

  const { code, stdout } = await run(['audit', '--store', 'sqlite:store.db'], { cwd })
  assert.equal([code, stdout.includes('holds')], [0, true])
  const store = join(cwd, 'store.db')
  for (const token of [registration, oidcToken]) {
    const changed = changedCopy(store, (db) =>
      db
        .prepare(`UPDATE parts SET bytes = CAST(replace(CAST(bytes AS TEXT), ?, ?) AS BLOB)`)
        .run([token, withOtherBit(token)]),
    )
    assert.ok((await audited(changed)).findings.length > 0)
  }
  assert.equal((await audited(changedCopy(store))).findings, [])
})

/** The token with one bit of its signature changed. */
const withOtherBit = (token: string): string => {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const changed = Buffer.from(bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)))
  return [header, claims, changed.toString('base64url')].join('.')
}

it.run()
