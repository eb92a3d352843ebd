import { decryptCredentialBundle, generateP256KeyPair, verifySessionJwtSignature } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey, signingKey } from '../../../adapters/signatures/signer.ts'
import { right, type Person } from '../../core/world/world.ts'
import { onStage, publishedKey } from './stage.ts'

/* Sessions that the official clients begin, unmodified; they are told which key signs tokens here. */
const it = suite('@turnkey/sdk-server: sessions')

it('a session by a stamp: its token is verified under the published key, with no bit changed', () =>
  onStage(async (stage) => {
    const ada = await stage.enrol('ada')
    const key = generateKey('API_KEY_CURVE_P256')
    const { session } = await stage.sdk(ada).stampLogin({ publicKey: key.publicKey, expirationSeconds: '600' })
    const published = await publishedKey(stage, 'session')
    assert.is(published.length, 130)
    assert.ok(await verifySessionJwtSignature(session, published))
    assert.not.ok(await verifySessionJwtSignature(session, await publishedKey(stage, 'verification')))
    const [header = '', claims = '', signature = ''] = session.split('.')
    const flipped = Buffer.from(signature, 'base64url').map((byte, at) => (at === 40 ? byte ^ 1 : byte))
    for (const changed of [
      [header, claims, Buffer.from(flipped).toString('base64url')],
      [header, Buffer.from(atob(claims).replace('"exp":1', '"exp":2')).toString('base64url'), signature],
    ])
      assert.not.ok(await verifySessionJwtSignature(changed.join('.'), published))
    const renewed = await stage.sdk({ ...ada, key }).stampLogin({ publicKey: key.publicKey })
    assert.ok(await verifySessionJwtSignature(renewed.session, published))
    assert.is((await stage.sdk({ ...ada, key }).getWhoami({})).userId, ada.userId)
  }))

it('a session by a bundle: it is opened, and the key in it stamps', () =>
  onStage(async (stage) => {
    const ada = await stage.enrol('ada')
    const client = generateP256KeyPair()
    const { credentialBundle, userId, apiKeyId } = await stage
      .sdk(ada)
      .createReadWriteSession({ targetPublicKey: client.publicKeyUncompressed, expirationSeconds: '600' })
    const opened = decryptCredentialBundle(credentialBundle, client.privateKey)
    const session: Person = { userId, apiKeyId, key: right(signingKey('API_KEY_CURVE_P256', opened)) }
    assert.is((await stage.sdk(session).getWhoami({})).userId, ada.userId)
    const { apiKeys } = await stage.sdk(session).getApiKeys({ userId })
    assert.is(
      apiKeys.find((key) => key.apiKeyId === apiKeyId)?.credential.type,
      'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256',
    )
  }))

it('a read-only session: it asks by its header, alone and beside a stamp', () =>
  onStage(async (stage) => {
    const ada = await stage.enrol('ada')
    const { session, sessionExpiry, username } = await stage.sdk(ada).createReadOnlySession({})
    assert.is(username, 'ada')
    assert.is(Number(sessionExpiry), Math.floor(stage.clock.now() / 1000) + 3_600)
    const body = JSON.stringify({ organizationId: stage.organizationId })
    const asked = async (headers: { readonly [name: string]: string }) => {
      const answer = await fetch(`${stage.url}/public/v1/query/whoami`, { method: 'POST', body, headers })
      return [answer.status, ((await answer.json()) as { readonly userId?: string }).userId] // as the wire says
    }
    assert.equal(await asked({ 'X-Session': session }), [200, ada.userId])
    assert.equal(await asked({ 'X-Session': `${session}, ${session}` }), [401, undefined])
    assert.equal(await asked({}), [401, undefined])
    const reply = await stage.post(stage.root, 'query/whoami', body, { 'X-Session': session })
    assert.is(reply.status, 200)
  }))

it.run()
