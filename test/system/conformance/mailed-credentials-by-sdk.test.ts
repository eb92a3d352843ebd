import { generateP256KeyPair } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { anyPasskey, paramsOf } from '../../core/world/software-passkey.ts'
import { mailed, olderResult, onStageWithPost, opened, type Key, type Post } from './post.ts'
import { refusal } from './stage.ts'

/* Keys that the official clients let be mailed to them, and open, unmodified. */
const it = suite('@turnkey/sdk-server, @turnkey/http and @turnkey/crypto: mailed credentials')

const ADA = 'Ada@Example.com'
const emailCustomization = { appName: 'Engine' }

const withAda = (play: (stage: Post, userId: string) => Promise<void>): Promise<void> =>
  onStageWithPost(async (stage) => {
    const { userId } = await stage.enrol('ada')
    await stage.sdk(stage.root).updateUserEmail({ userId, userEmail: ADA })
    await play(stage, userId)
  })

const wanted = ({ publicKeyUncompressed: targetPublicKey }: Key) => ({ email: ADA, targetPublicKey })

/** The client that stamps with the key of the last mail. */
const byMail = (stage: Post, target: Key) => stage.sdk({ ...opened(mailed(stage), target), userId: '', apiKeyId: '' })

it('sign in whoever opens the mail: asked for by each of the three versions', () =>
  withAda(async (stage, userId) => {
    const { root, sdk } = stage
    const older = (version: string, target: Key, more: object = {}) =>
      olderResult(stage, root, 'email_auth', `ACTIVITY_TYPE_EMAIL_AUTH${version}`, { ...wanted(target), ...more })
    for (const ask of [
      (target: Key) => older('', target),
      (target: Key) => older('_V2', target, { emailCustomization, apiKeyName: 'second' }),
      (target: Key) => sdk(root).emailAuth({ ...wanted(target), emailCustomization, apiKeyName: 'third' }),
    ]) {
      const target = generateP256KeyPair()
      const given = await ask(target)
      assert.equal([given.userId, stage.arrived.at(-1)?.to], [userId, ['Ada@example.com']])
      const client = byMail(stage, target)
      assert.is((await client.getWhoami({})).userId, userId)
      const { apiKeys } = await client.getApiKeys({ userId })
      const key = apiKeys.find(({ apiKeyId }) => apiKeyId === given.apiKeyId)
      assert.is(key?.credential.type, 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256')
    }
  }))

it('register a passkey of somebody who has lost theirs, and nothing else: asked for by both versions', () =>
  withAda(async (stage, userId) => {
    const { root, sdk, organizationId } = stage
    const type = 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY'
    for (const ask of [
      (target: Key) => olderResult(stage, root, 'init_user_email_recovery', type, wanted(target)),
      (target: Key) => sdk(root).initUserEmailRecovery({ ...wanted(target), emailCustomization }),
    ]) {
      const target = generateP256KeyPair()
      assert.is((await ask(target)).userId, userId)
      const client = byMail(stage, target)
      assert.is((await refusal(client.createUserTag({ userTagName: 'a', userIds: [] }))).code, 7)
      const passkey = anyPasskey()
      const { authenticatorId } = await client.recoverUser({ userId, authenticator: paramsOf(passkey) as never })
      assert.is(authenticatorId.length, 1)
      assert.is((await refusal(client.getWhoami({}))).error, 'PUBLIC_KEY_NOT_FOUND')
      const body = JSON.stringify({ organizationId })
      const stamp = { 'X-Stamp-Webauthn': passkey.stamp(encodeUtf8(body)) }
      assert.is((await stage.postRaw('query/whoami', body, stamp)).status, 200)
    }
    const { authenticators } = await sdk(root).getAuthenticators({ userId })
    assert.is(authenticators.length, 2)
  }))

it.run()
