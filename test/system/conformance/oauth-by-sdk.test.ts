import { generateP256KeyPair, verifySessionJwtSignature } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ALGORITHMS, clientOf } from './identity-provider.ts'
import { olderResult, opened } from './post.ts'
import { byPair, nonceOf, onStageWithProvider, sessionWanted, type StageWithProvider } from './signing-in.ts'
import { publishedKey, refusal, type Stage } from './stage.ts'

/* Accounts at an identity provider, with which the official clients sign up and in, unmodified. */
const it = suite('@turnkey/sdk-server and @turnkey/http: identity providers')

const nobody = { userName: 'ada', apiKeys: [], authenticators: [] }
const registration = ({ provider }: StageWithProvider, login = 'ada') => provider.signIn({ login, nonce: 'any' })

/** An organization below, whose root user signs in as `ada` at the provider. */
const signedUp = async (stage: StageWithProvider): Promise<{ organizationId: string; userId: string }> => {
  const oauthProviders = [{ providerName: 'shop', oidcToken: await registration(stage) }]
  const made = await stage.sdk(stage.root).createSubOrganization({
    subOrganizationName: 'of ada',
    rootQuorumThreshold: 1,
    rootUsers: [{ ...nobody, oauthProviders }],
  })
  return { organizationId: made.subOrganizationId, userId: made.rootUserIds?.[0] ?? '' }
}

const isSession = async (stage: Stage, session: string): Promise<boolean> =>
  verifySessionJwtSignature(session, await publishedKey(stage, 'session'))

const providersOf = async (stage: Stage, userId: string, organizationId = stage.organizationId) =>
  (await stage.sdk(stage.root).getOauthProviders({ organizationId, userId })).oauthProviders

for (const version of ['_V5', '_V6', '_V7', '_V8'])
  it(`sign up by a token, are found by it, and sign in: an organization that was made by version ${version}`, () =>
    onStageWithProvider(async (stage) => {
      const { provider, root, sdk } = stage
      const oidcToken = await registration(stage)
      const found = async () =>
        (await sdk(root).getSubOrgIds({ filterType: 'OIDC_TOKEN', filterValue: oidcToken })).organizationIds
      assert.equal(await found(), [])
      const type = `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION${version}`
      const { subOrganizationId: organizationId = '' } = await olderResult(
        stage,
        root,
        'create_sub_organization',
        type,
        {
          subOrganizationName: 'of ada',
          rootQuorumThreshold: 1,
          rootUsers: [{ ...nobody, oauthProviders: [{ providerName: 'shop', oidcToken }] }],
        },
      )
      assert.equal(await found(), [organizationId])
      const claims = { iss: provider.issuer, sub: 'ada', aud: clientOf('RS256') }
      const byClaims = { filterType: 'OIDC_CLAIMS', filterValue: JSON.stringify(claims) }
      assert.equal((await sdk(root).getSubOrgIds(byClaims)).organizationIds, [organizationId])

      const { pair, wanted } = await sessionWanted(stage, 'ada')
      const { session } = await sdk(root).oauthLogin({ organizationId, ...wanted })
      assert.ok(await isSession(stage, session))
      const { userId, username } = await byPair(stage, pair).getWhoami({ organizationId })
      assert.is(username, 'ada')
      const [only, ...more] = await providersOf(stage, userId, organizationId)
      assert.equal(
        [more, only?.providerName, only?.issuer, only?.subject, only?.audience],
        [[], 'shop', claims.iss, claims.sub, claims.aud],
      )
    }))

for (const algorithm of ALGORITHMS)
  it(`sign in by a session, and by a bundle, with tokens that are signed by ${algorithm}`, () =>
    onStageWithProvider(async (stage) => {
      const { provider, root, sdk } = stage
      const oidcToken = await provider.signIn({ login: 'ada', nonce: 'any', algorithm })
      const oauthProviders = [{ providerName: algorithm, oidcToken }]
      const { userIds } = await sdk(root).createUsers({ users: [{ ...nobody, userTags: [], oauthProviders }] })
      const [userId = ''] = userIds

      const { pair, wanted } = await sessionWanted(stage, 'ada', algorithm)
      const { session } = await sdk(root).oauthLogin({ ...wanted, expirationSeconds: '600' })
      assert.ok(await isSession(stage, session))
      assert.is((await byPair(stage, pair).getWhoami({})).userId, userId)

      const target = generateP256KeyPair()
      const targetPublicKey = target.publicKeyUncompressed
      const given = await sdk(root).oauth({
        targetPublicKey,
        oidcToken: await provider.signIn({ login: 'ada', nonce: nonceOf(targetPublicKey), algorithm }),
      })
      assert.is(given.userId, userId)
      const { key } = opened(given.credentialBundle, target)
      const client = sdk({ key, userId, apiKeyId: given.apiKeyId })
      assert.is((await client.getWhoami({})).userId, userId)
      const { apiKeys } = await client.getApiKeys({ userId })
      assert.equal(
        apiKeys.map(({ credential }) => credential.type),
        ['CREDENTIAL_TYPE_LOGIN', 'CREDENTIAL_TYPE_OAUTH_KEY_P256'],
      )
    }))

it('do not sign in by the token of a stranger, by one for another key, nor by one that was changed', () =>
  onStageWithProvider(async (stage) => {
    const { organizationId } = await signedUp(stage)
    const client = stage.sdk(stage.root)
    const refused = async (members: { readonly oidcToken: string; readonly publicKey: string }) => {
      const { code, error } = await refusal(client.oauthLogin({ organizationId, ...members }))
      return [code, error]
    }
    const { wanted } = await sessionWanted(stage, 'ada')
    const { publicKey, oidcToken } = wanted
    const { wanted: stranger } = await sessionWanted(stage, 'eve')
    assert.is((await refused(stranger))[0], 16)
    const other = generateP256KeyPair().publicKey
    const invalid = [3, 'INVALID_OIDC_TOKEN']
    assert.equal(await refused({ publicKey: other, oidcToken }), invalid)
    const [header = '', claims = '', signature = ''] = oidcToken.split('.')
    const flipped = Buffer.from(signature, 'base64url').map((byte, at) => (at === 40 ? byte ^ 1 : byte))
    const changed = [header, claims, Buffer.from(flipped).toString('base64url')].join('.')
    assert.equal(await refused({ publicKey, oidcToken: changed }), invalid)
    assert.ok((await client.oauthLogin({ organizationId, ...wanted })).session)
  }))

it('are added to a user by both versions, by claims beside a token as well, listed, and deleted', () =>
  onStageWithProvider(async (stage) => {
    const { provider, sdk } = stage
    const ada = await stage.enrol('ada')
    const { userId } = ada
    await stage.done(stage.root, 'create_policy', {
      policyName: 'own credentials',
      effect: 'EFFECT_ALLOW',
      consensus: `approvers.any(user, user.id == '${userId}')`,
      condition: "activity.resource == 'CREDENTIAL'",
      notes: '',
    })
    const oauthProviders = [{ providerName: 'first', oidcToken: await registration(stage) }]
    const type = 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS'
    type Made = { readonly providerIds: readonly string[] }
    const first = await olderResult<Made>(stage, ada, 'create_oauth_providers', type, { userId, oauthProviders })
    const oidcToken = await registration(stage, 'countess')
    const oidcClaims = { iss: provider.issuer, sub: 'countess', aud: 'app' }
    const { providerIds } = await sdk(ada).createOauthProviders({
      userId,
      oauthProviders: [
        { providerName: 'second', oidcToken },
        { providerName: 'third', oidcClaims },
      ],
    })
    const ids = [...first.providerIds, ...providerIds]
    const named = (await providersOf(stage, userId)).map((one) => [one.providerId, one.providerName, one.audience])
    assert.equal(named, [
      [ids[0], 'first', clientOf('RS256')],
      [ids[1], 'second', clientOf('RS256')],
      [ids[2], 'third', 'app'],
    ])
    const { user } = await sdk(ada).getUser({ userId })
    assert.equal(user.oauthProviders, await providersOf(stage, userId))
    const again = { userId, oauthProviders: [{ providerName: 'again', oidcToken }] }
    assert.is((await refusal(sdk(ada).createOauthProviders(again))).error, 'OAUTH_PROVIDER_ALREADY_EXISTS')

    const deleted = await sdk(ada).deleteOauthProviders({ userId, providerIds: ids.slice(0, 2) })
    assert.equal(deleted.providerIds, ids.slice(0, 2))
    assert.equal(
      (await providersOf(stage, userId)).map(({ providerName }) => providerName),
      ['third'],
    )
    const { wanted } = await sessionWanted(stage, 'countess')
    assert.is((await refusal(sdk(stage.root).oauthLogin(wanted))).code, 16)
  }))

it('come with new users, by the version before the last as well', () =>
  onStageWithProvider(async (stage) => {
    const { root, sdk } = stage
    const oauthProviders = [{ providerName: 'shop', oidcToken: await registration(stage) }]
    const type = 'ACTIVITY_TYPE_CREATE_USERS_V3'
    const users = [{ ...nobody, userTags: [], oauthProviders }]
    type Made = { readonly userIds: readonly string[] }
    const { userIds } = await olderResult<Made>(stage, root, 'create_users', type, { users })
    const { pair, wanted } = await sessionWanted(stage, 'ada')
    await sdk(root).oauthLogin(wanted)
    assert.is((await byPair(stage, pair).getWhoami({})).userId, userIds[0])
  }))

it.run()
