import { StamperType, type TurnkeyClient } from '@turnkey/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { audited, exported } from '../../core/audit/logs.ts'
import { childOf } from '../../core/resources/sub-organization/children.ts'
import type { Place } from '../../core/world/world.ts'
import { coreClient } from './core-client.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { mailed, onStageWithPost, verified, type Post } from './post.ts'
import { nonceOf, withProvider } from './signing-in.ts'

/*
 * `loginWithOtp` and `loginWithOauth` send one `stamp_login` each, with the parent's id, in `X-Stamp-Attested`: the key that the client has made, and
 * the token that vouches for it. The same key is that of the session.
 *
 * While a factor is missing, the client asks `get_mfa_status` in the organization of the activity, with the same stamp, and calls `onMfaRequired`.
 * Afterwards it polls `get_activity` in the organization of its session, or in the parent if it has none, with what the stamper has by then: the
 * second token.
 */
const it = suite('@turnkey/core: stamps that a token vouches for')

type Scene = Post & {
  readonly provider: IdentityProvider
  /** An organization below, whose root user has verified an address, and has an account at the provider. */
  readonly below: Place
  /** The client, which knows the parent's id alone; a missing factor is a code. */
  readonly client: TurnkeyClient
  /** The activities for which it needed one. */
  readonly missing: readonly string[]
  /** A verification token of the address for a key. */
  readonly tokenFor: (publicKey: string) => Promise<string>
}

const ADDRESS = 'eve@example.com'

const onScene = (play: (scene: Scene) => Promise<void>): Promise<void> =>
  withProvider((provider, ports) =>
    onStageWithPost(
      async (stage) => {
        const below = await childOf(stage)
        const { root, done } = below
        const { userId } = root
        const tokenFor: Scene['tokenFor'] = async (publicKey) => {
          const wanted = { otpType: 'OTP_TYPE_EMAIL', contact: ADDRESS, appName: 'Engine' }
          const started = await stage.sdk(stage.root).initOtp(wanted)
          return verified(stage, started, mailed(stage), { publicKey })
        }
        const verificationToken = await tokenFor(root.key.publicKey)
        await done(root, 'update_user_email', { userId, userEmail: ADDRESS, verificationToken })
        const oidcToken = await provider.signIn({ login: 'eve', nonce: 'any' })
        const oauthProviders = [{ providerName: 'provider', oidcToken }]
        await done(root, 'create_oauth_providers', { userId, oauthProviders })
        const missing: string[] = []
        const client = coreClient(stage, async (self, { activityType, fingerprint, organizationId, mfaStatuses }) => {
          missing.push(activityType)
          assert.equal(
            mfaStatuses.map((status) => [status.userId, status.satisfied]),
            [[userId, false]],
          )
          const publicKey = await self.createApiKeyPair()
          await self.overrideAttestedStamper({ verificationToken: await tokenFor(publicKey), publicKey })
          await self.httpClient.approveActivity({ fingerprint, organizationId }, StamperType.Attested)
        })
        await play({ ...stage, provider, below, client, missing, tokenFor })
        assert.equal((await audited(await exported(stage.storage.store))).findings, [])
      },
      { ports },
    ),
  )

const byCode = async ({ client, tokenFor }: Scene): Promise<void> => {
  const publicKey = await client.createApiKeyPair()
  await client.loginWithOtp({ verificationToken: await tokenFor(publicKey) })
}

const byProvider = async ({ client, provider }: Scene): Promise<void> => {
  const publicKey = await client.createApiKeyPair()
  const oidcToken = await provider.signIn({ login: 'eve', nonce: nonceOf(publicKey) })
  await client.loginWithOauth({ oidcToken, publicKey })
}

/** Whether the session of the client is one of that user below, who then leaves. */
const isTheirs = async ({ below, client }: Scene): Promise<boolean> => {
  const { organizationId, userId } = await client.httpClient.getWhoami({})
  await client.clearSession()
  return organizationId === below.organizationId && userId === below.root.userId
}

/** From now on, such an activity of the user needs a code beside its stamp. */
const wantsCode = async ({ below: { done, root } }: Scene, activityType: string, stamp: string): Promise<void> => {
  await done(root, 'create_mfa_policy', {
    userId: root.userId,
    mfaPolicyName: 'a code',
    condition: `activity.type == '${activityType}'`,
    requiredAuthenticationMethods: [stamp, 'AUTHENTICATION_TYPE_EMAIL_OTP'].map((type) => ({ any: [{ type }] })),
    order: 1,
  })
}

it('sign in by a code, and by an account at a provider, knowing the parent alone', () =>
  onScene(async (scene) => {
    await byCode(scene)
    assert.ok(await isTheirs(scene))
    await byProvider(scene)
    assert.ok(await isTheirs(scene))
    assert.equal(scene.missing, [])
  }))

it('sign in by both, where a policy wants a second factor: the session comes when the code was given', () =>
  onScene(async (scene) => {
    await wantsCode(scene, 'ACTIVITY_TYPE_STAMP_LOGIN', 'AUTHENTICATION_TYPE_OAUTH')
    await byProvider(scene)
    assert.equal(scene.missing, ['ACTIVITY_TYPE_STAMP_LOGIN'])
    assert.ok(await isTheirs(scene))
  }))

it('give a code as the second factor of what a session asks for', () =>
  onScene(async (scene) => {
    await wantsCode(scene, 'ACTIVITY_TYPE_CREATE_USER_TAG', 'AUTHENTICATION_TYPE_SESSION')
    await byCode(scene)
    const { activity } = await scene.client.httpClient.createUserTag({ userTagName: 'tag', userIds: [] })
    assert.equal([scene.missing, activity.status], [['ACTIVITY_TYPE_CREATE_USER_TAG'], 'ACTIVITY_STATUS_COMPLETED'])
    assert.equal(
      activity.votes.map(({ scheme }) => scheme),
      ['SIGNATURE_SCHEME_TK_API_P256', 'SIGNATURE_SCHEME_TK_ATTESTED_P256'],
    )
  }))

it('do not sign in by a token for another key, nor by that of somebody who has no account', () =>
  onScene(async ({ client, provider, tokenFor }) => {
    const sent = (login: Promise<unknown>) =>
      login.then(
        () => 'it was taken',
        (error: unknown) => String((error as { readonly cause?: unknown }).cause), // the client puts it around the answer
      )
    const publicKey = await client.createApiKeyPair()
    const other = await provider.signIn({ login: 'eve', nonce: nonceOf(await client.createApiKeyPair()) })
    assert.match(await sent(client.loginWithOauth({ oidcToken: other, publicKey })), /Turnkey error 16/)
    const mine = await client.createApiKeyPair()
    const stranger = await provider.signIn({ login: 'grace', nonce: nonceOf(mine) })
    assert.match(await sent(client.loginWithOauth({ oidcToken: stranger, publicKey: mine })), /Turnkey error 16/)
    const token = await tokenFor(publicKey)
    await client.overrideAttestedStamper({ verificationToken: token, publicKey: await client.createApiKeyPair() })
    const asked = client.httpClient.stampLogin({ publicKey }, StamperType.Attested)
    assert.match(await asked.then(() => 'it was taken', String), /Turnkey error 16/)
  }))

it('do nothing else by such a stamp', () =>
  onScene(async ({ below, client, tokenFor }) => {
    const publicKey = await client.createApiKeyPair()
    await client.overrideAttestedStamper({ verificationToken: await tokenFor(publicKey), publicKey })
    const { organizationId, root } = below
    const { httpClient } = client
    const apiKeys = [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' as const }]
    for (const asked of [
      httpClient.createApiKeys({ organizationId, userId: root.userId, apiKeys }, StamperType.Attested),
      httpClient.getWhoami({ organizationId }, StamperType.Attested),
    ])
      assert.match(await asked.then(() => 'it was taken', String), /Turnkey error 16/)
  }))

it.run()
