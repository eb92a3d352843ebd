import { decryptCredentialBundle, generateP256KeyPair } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { signingKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { beginBelow, codeOf, right, type Place, type Signer } from '../../world/world.ts'
import { keysOf } from '../session/scene.ts'
import { ADA, nonceOf, register, tokenFor, withAccounts } from './scene.ts'

const it = suite('oauth')

type Result = { readonly userId: string; readonly apiKeyId: string; readonly credentialBundle: string }
type Client = ReturnType<typeof generateP256KeyPair>

/** Takes a key, and opens its bundle as clients do. */
const taken = async (
  place: Place,
  signer: Signer,
  token: (publicKey: string) => string,
  members: { readonly [member: string]: Json } = {},
  keyOf: (client: Client) => string = ({ publicKeyUncompressed }) => publicKeyUncompressed,
) => {
  const client = generateP256KeyPair()
  const targetPublicKey = keyOf(client)
  const parameters = { oidcToken: token(targetPublicKey), targetPublicKey, ...members }
  const { result } = await place.done(signer, 'oauth', parameters)
  const shown = result['oauthResult'] as Result // as the wire says
  const opened = decryptCredentialBundle(shown.credentialBundle, client.privateKey)
  return { ...shown, key: right(signingKey('API_KEY_CURVE_P256', opened)) }
}

it('gives the user whom a token names a key, which the client opens to which the token is bound', async () => {
  const { ada, issuer, close, ...w } = await withAccounts()
  const made = await taken(w, w.root, (publicKey) => tokenFor(issuer, publicKey))
  assert.is(made.userId, ada.userId)
  assert.is((await w.answer(made, 'whoami'))['userId'], ada.userId)
  const key = (await keysOf(w, ada)).find(({ apiKeyId }) => apiKeyId === made.apiKeyId)
  assert.equal(key?.credential, { publicKey: made.key.publicKey, type: 'CREDENTIAL_TYPE_OAUTH_KEY_P256' })
  assert.is(key?.expirationSeconds, '900')
  assert.match(key?.apiKeyName ?? '', /^Oauth - 2026-01-01T/)
  await close()
})

it('takes the hash of the text of the key as it was sent: compressed or not, in whatever case', async () => {
  const { issuer, close, ...w } = await withAccounts()
  const spellings: readonly ((client: Client) => string)[] = [
    ({ publicKey }) => publicKey,
    ({ publicKey }) => publicKey.toUpperCase(),
    ({ publicKeyUncompressed }) => publicKeyUncompressed,
  ]
  for (const spelled of spellings) await taken(w, w.root, (text) => tokenFor(issuer, text), {}, spelled)
  const { publicKey, publicKeyUncompressed } = generateP256KeyPair()
  const otherwise = { oidcToken: tokenFor(issuer, publicKey), targetPublicKey: publicKeyUncompressed }
  assert.is(codeOf(await w.submit(w.root, 'oauth', otherwise)), 'INVALID_OIDC_TOKEN')
  await close()
})

it('gives the key a name and a life, and ends earlier ones of its kind if it shall', async () => {
  const { ada, issuer, close, ...w } = await withAccounts()
  const token = (publicKey: string): string => tokenFor(issuer, publicKey)
  const first = await taken(w, w.root, token)
  const second = await taken(w, w.root, token, {
    apiKeyName: 'phone',
    expirationSeconds: '60',
    invalidateExisting: true,
  })
  assert.is(codeOf(await w.ask(first, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  const [own, made, ...more] = await keysOf(w, ada)
  assert.equal([own?.apiKeyId, made?.apiKeyId, more], [ada.apiKeyId, second.apiKeyId, []])
  assert.equal([made?.apiKeyName, made?.expirationSeconds], ['phone', '60'])
  await close()
})

it('is submitted by the parent, too, and needs its approvals', async () => {
  const { ada, other, close, ...w } = await withAccounts()
  const child = await beginBelow(w, w)
  await register(child, child.root, other.token(ADA))
  const made = await taken(child, w.root, (publicKey) => tokenFor(other, publicKey))
  assert.is((await child.answer(made, 'whoami'))['userId'], child.root.userId)
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const { publicKey } = generateP256KeyPair()
  const oidcToken = other.token({ ...ADA, nonce: nonceOf(publicKey) })
  const asked = await child.done(w.root, 'oauth', { oidcToken, targetPublicKey: publicKey })
  assert.is(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  w.clock.pass(1_000)
  assert.is(right(await child.approve(ada, asked)).status, 'ACTIVITY_STATUS_COMPLETED')
  await close()
})

it.run()
