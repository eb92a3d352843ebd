import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { childOf } from '../../core/resources/sub-organization/children.ts'
import type { World } from '../../core/world/world.ts'
import type { mailServer } from '../../adapters/mail/mail-server.ts'
import { call } from './call.ts'

/**
 * What a page does for somebody who has lost their passkeys: it has a key made, opens what comes by mail with it, and registers a new passkey. The key is
 * kept in the browser, because the link in the mail opens the page anew.
 */
export const RECOVER = `
  import { ApiKeyStamper } from '@turnkey/api-key-stamper'
  import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
  import { uint8ArrayFromHexString, uint8ArrayToHexString } from '@turnkey/encoding'
  import { makePasskey, post } from './passkeys.js'
  export const beginRecovery = async () => {
    const { privateKey, publicKeyUncompressed } = generateP256KeyPair()
    localStorage.setItem('recovers', privateKey)
    return publicKeyUncompressed
  }
  const mailedKey = () => {
    const bundle = new URL(location.href).searchParams.get('bundle')
    const apiPrivateKey = decryptCredentialBundle(bundle, localStorage.getItem('recovers'))
    const apiPublicKey = uint8ArrayToHexString(getPublicKey(uint8ArrayFromHexString(apiPrivateKey), true))
    return new ApiKeyStamper({ apiPublicKey, apiPrivateKey })
  }
  export const recover = async ({ url, organizationId, userId, rpId, userName }) =>
    post(
      url,
      'submit/recover_user',
      {
        type: 'ACTIVITY_TYPE_RECOVER_USER',
        timestampMs: String(Date.now()),
        organizationId,
        parameters: { userId, authenticator: await makePasskey(rpId, userName) },
      },
      mailedKey(),
    )
  export const whoamiByMail = async ({ url, organizationId }) =>
    post(url, 'query/whoami', { organizationId }, mailedKey())`

/** A root user below, of whom the browser has no passkey, recovers by mail, and signs with the new passkey. */
export const recovers =
  ({ arrived }: Awaited<ReturnType<typeof mailServer>>) =>
  async (w: World, url: string, origin: string, page: Page): Promise<void> => {
    const child = await childOf(w, 'grace')
    const { userId } = child.root
    const about = { url, organizationId: child.organizationId, userId, rpId: 'localhost', userName: 'grace' }
    await page.goto(origin)
    const targetPublicKey = await call<string>(page, 'beginRecovery')
    const emailCustomization = { appName: 'Treasury', magicLinkTemplate: `${origin}/?bundle=%s` }
    const email = 'grace@example.com'
    await child.done(w.root, 'init_user_email_recovery', { email, targetPublicKey, emailCustomization })
    const [mail, ...more] = arrived.filter(({ to }) => to.includes(email))
    assert.is(more.length, 0)
    const [link = ''] = /^http\S+$/m.exec(mail?.mail.text ?? '') ?? []
    await page.goto(link)
    assert.is((await call(page, 'whoamiByMail', about)).userId, userId)
    const recovered = await call(page, 'recover', about)
    assert.is(recovered.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    const refused = await call(page, 'whoamiByMail', about).then(() => 'it was taken', String)
    assert.match(refused, /PUBLIC_KEY_NOT_FOUND/)
    assert.is((await call(page, 'whoami', about)).userId, userId)
    const made = await call(page, 'createTag', about, 'by the new passkey')
    assert.is(made.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  }
