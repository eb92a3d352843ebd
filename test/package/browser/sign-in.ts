import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { childOf } from '../../core/resources/sub-organization/children.ts'
import { keysOf } from '../../core/resources/session/scene.ts'
import type { World } from '../../core/world/world.ts'
import { call } from './call.ts'

/** What the page does with `@turnkey/core`, unmodified: it keeps the session in the browser. */
export const SIGN_IN = `
  import { TurnkeyClient } from '@turnkey/core'
  let client
  const shown = async (sessionToken) => {
    const { organizationId, publicKey } = await client.getSession()
    const { userId } = await client.httpClient.getWhoami({ organizationId })
    return { sessionToken, organizationId, publicKey, userId }
  }
  export const signIn = async ({ url, organizationId, rpId }) => {
    client = new TurnkeyClient({ organizationId, apiBaseUrl: url, passkeyConfig: { rpId } })
    await client.init()
    return shown((await client.loginWithPasskey()).sessionToken)
  }
  export const renew = async (publicKey) => shown((await client.refreshSession({ publicKey })).session)`

type Signed = {
  readonly sessionToken: string
  readonly organizationId: string
  readonly publicKey: string
  readonly userId: string
}

/** A passkey of a user below signs in right after that organization was made: its client knows the parent's id alone. Its session renews itself. */
export const signsIn = async (w: World, url: string, origin: string, page: Page): Promise<void> => {
  const child = await childOf(w)
  const { key, userId } = child.root
  await page.goto(origin)
  const about = { url, organizationId: child.organizationId, userId, rpId: 'localhost', userName: 'eve' }
  await call(page, 'register', about, { apiPublicKey: key.publicKey, apiPrivateKey: key.privateKey })
  const first = await call<Signed>(page, 'signIn', { ...about, organizationId: w.organizationId })
  assert.equal([first.organizationId, first.userId], [child.organizationId, userId])
  w.clock.pass(1000) // a token of the same second would be the same
  const second = await call<Signed>(page, 'renew', first.publicKey)
  assert.equal(
    [second.organizationId, second.userId, second.publicKey],
    [child.organizationId, userId, first.publicKey],
  )
  assert.is.not(second.sessionToken, first.sessionToken)
  const sessions = (await keysOf(child, child.root)).filter(
    ({ credential }) => credential.type === 'CREDENTIAL_TYPE_LOGIN',
  )
  assert.equal(
    sessions.map(({ credential }) => credential.publicKey),
    [first.publicKey],
  )
}
