import { encryptOtpCodeToBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { childOf } from '../../core/resources/sub-organization/children.ts'
import type { Place, World } from '../../core/world/world.ts'
import type { mailServer } from '../../adapters/mail/mail-server.ts'
import type { IdentityProvider } from '../../system/conformance/identity-provider.ts'
import { secretIn } from '../../system/conformance/post.ts'
import { call } from './call.ts'

/**
 * What a page does with `@turnkey/core`, unmodified, for somebody who has a code or an account elsewhere, and no key: `loginWithOtp` and
 * `loginWithOauth` each send one `stamp_login`, for the parent, in `X-Stamp-Attested`: with the key that the client has made, and the token that
 * vouches for it. The same key is that of the session.
 *
 * Where a factor is missing, the client asks `get_mfa_status` in the organization of the activity, by the same stamp, and calls `onMfaRequired`.
 * Afterwards it polls `get_activity`, in the organization of its session, or in the parent while it has none, with what the stamper has by then:
 * the second token.
 */
export const PROVE = `
  import { StamperType, TurnkeyClient } from '@turnkey/core'
  let client
  const begin = async ({ url, organizationId }) => {
    const activityPoller = { intervalMs: 50, numRetries: 20 }
    client = new TurnkeyClient({ organizationId, apiBaseUrl: url, activityPoller, onMfaRequired })
    await client.init()
  }
  const onMfaRequired = async ({ fingerprint, organizationId, mfaStatuses }) => {
    const publicKey = await client.createApiKeyPair()
    const verificationToken = await globalThis.tokenFor(publicKey, mfaStatuses)
    await client.overrideAttestedStamper({ verificationToken, publicKey })
    await client.httpClient.approveActivity({ fingerprint, organizationId }, StamperType.Attested)
  }
  const shown = async ({ sessionToken }) => {
    const { organizationId, publicKey } = await client.getSession()
    const { userId } = await client.httpClient.getWhoami({ organizationId })
    return { sessionToken, organizationId, publicKey, userId }
  }
  export const signInByCode = async (about) => {
    await begin(about)
    const publicKey = await client.createApiKeyPair()
    const verificationToken = await globalThis.tokenFor(publicKey, [])
    return shown(await client.loginWithOtp({ verificationToken }))
  }
  export const beginAtProvider = async (about) => {
    await begin(about)
    const publicKey = await client.createApiKeyPair()
    localStorage.setItem('signs-in', publicKey)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(publicKey)))
    return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  export const signInFromProvider = async (about) => {
    await begin(about)
    const oidcToken = new URLSearchParams(location.hash.slice(1)).get('id_token')
    return shown(await client.loginWithOauth({ oidcToken, publicKey: localStorage.getItem('signs-in') }))
  }
  export const makeTag = (userTagName) => client.httpClient.createUserTag({ userTagName, userIds: [] })
  export const leave = () => client.clearSession()`

type Signed = { readonly organizationId: string; readonly userId: string; readonly publicKey: string }

/** A root user below signs in by a code, by an account at a provider, and by both; a code is the second factor of what the session asks for, too. */
export const proves =
  ({ arrived }: Awaited<ReturnType<typeof mailServer>>, provider: IdentityProvider) =>
  async (w: World, url: string, origin: string, page: Page): Promise<void> => {
    const child = await childOf(w, 'hedy')
    const { userId } = child.root
    const tokenFor = (publicKey: string): Promise<string> =>
      codeToken(w, url, publicKey, () => secretIn(arrived.at(-1)))
    const verificationToken = await tokenFor(generateP256KeyPair().publicKey)
    await child.done(child.root, 'update_user_email', { userId, userEmail: ADDRESS, verificationToken })
    const oidcToken = await provider.signIn({ login: 'hedy', nonce: 'any' })
    await child.done(child.root, 'create_oauth_providers', {
      userId,
      oauthProviders: [{ providerName: 'provider', oidcToken }],
    })
    const missing: unknown[] = []
    await page.exposeFunction('tokenFor', (publicKey: string, mfaStatuses: readonly unknown[]) => {
      missing.push(...mfaStatuses)
      return tokenFor(publicKey)
    })

    const about = { url, organizationId: w.organizationId } // the client knows the parent's id alone
    const isHedy = (signed: Signed) =>
      assert.equal([signed.organizationId, signed.userId], [child.organizationId, userId])
    await page.goto(origin)
    isHedy(await call<Signed>(page, 'signInByCode', about))
    await call(page, 'leave')
    const fromProvider = async () => {
      const nonce = await call<string>(page, 'beginAtProvider', about)
      await page.context().clearCookies() // the provider would remember who it is
      await page.goto(provider.signInPage({ nonce, redirectUri: `${origin}/` }))
      await throughPages(page, 'hedy')
      await page.waitForURL(`${origin}/#*`)
      return call<Signed>(page, 'signInFromProvider', about)
    }
    isHedy(await fromProvider())
    await call(page, 'leave')

    await wantsCode(child, 'ACTIVITY_TYPE_STAMP_LOGIN', 'AUTHENTICATION_TYPE_OAUTH', 1)
    await wantsCode(child, 'ACTIVITY_TYPE_CREATE_USER_TAG', 'AUTHENTICATION_TYPE_SESSION', 2)
    assert.is(missing.length, 0)
    isHedy(await fromProvider())
    assert.is(missing.length, 1)
    w.clock.pass(180_000) // an address gets three codes in that time
    const made = await call(page, 'makeTag', 'by a session and a code')
    assert.equal([made.activity.status, missing.length], ['ACTIVITY_STATUS_COMPLETED', 2])
  }

const ADDRESS = 'hedy@example.com'

/** The verification token of whoever types the code that was mailed. */
const codeToken = async (w: World, url: string, publicKey: string, mailed: () => string): Promise<string> => {
  const wanted = { otpType: 'OTP_TYPE_EMAIL', contact: ADDRESS, appName: 'Treasury' }
  const { otpId, otpEncryptionTargetBundle } = (await w.done(w.root, 'init_otp', wanted)).result['initOtpResultV2'] as {
    readonly otpId: string
    readonly otpEncryptionTargetBundle: string
  } // as the operation is defined
  const published = await publishedKey(url)
  const encryptedOtpBundle = await encryptOtpCodeToBundle(mailed(), otpEncryptionTargetBundle, publicKey, published)
  const { result } = await w.done(w.root, 'verify_otp', { otpId, encryptedOtpBundle })
  return (result['verifyOtpResult'] as { readonly verificationToken: string }).verificationToken
}

const publishedKey = async (url: string): Promise<string> => {
  const { keys } = (await (await fetch(`${url}/public/v1/discovery/keys`)).json()) as {
    readonly keys: readonly { readonly purpose: string; readonly publicKey: string }[]
  } // of a server of ours
  return keys.find(({ purpose }) => purpose === 'verification')?.publicKey ?? ''
}

/** Fills in the provider's own pages: who signs in, and that the client may know. */
export const throughPages = async (page: Page, login: string): Promise<void> => {
  await page.fill('[name=login]', login)
  await page.fill('[name=password]', 'any')
  await page.click('[type=submit]')
  await page.click('[type=submit]')
}

/** From now on, such an activity of the user needs a code beside its stamp. */
const wantsCode = async ({ done, root }: Place, activityType: string, stamp: string, order: number): Promise<void> => {
  await done(root, 'create_mfa_policy', {
    userId: root.userId,
    mfaPolicyName: activityType,
    condition: `activity.type == '${activityType}'`,
    requiredAuthenticationMethods: [stamp, 'AUTHENTICATION_TYPE_EMAIL_OTP'].map((type) => ({ any: [{ type }] })),
    order,
  })
}
