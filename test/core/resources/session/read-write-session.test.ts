import { decryptCredentialBundle, generateP256KeyPair } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { signingKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { codeOf, right, world, type BodyExtras, type Place, type Signer } from '../../world/world.ts'
import { keysOf, signIn } from './scene.ts'

const it = suite('create_read_write_session')

const office = async () => {
  const made = await world()
  return { ...made, ada: await made.enrol('ada') }
}

type Result = {
  readonly organizationId: string
  readonly organizationName: string
  readonly userId: string
  readonly username: string
  readonly apiKeyId: string
  readonly credentialBundle: string
}

const OLDER = { type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION' }

/** Makes a session, opens its bundle as clients do, and gives who stamps with the key in it. */
const sessionOf = async (
  place: Place,
  signer: Signer,
  members: { readonly [member: string]: Json } = {},
  more: BodyExtras = {},
) => {
  const client = generateP256KeyPair()
  const parameters = { targetPublicKey: client.publicKeyUncompressed, ...members }
  const { result } = await place.done(signer, 'create_read_write_session', parameters, more)
  const shown = Object.values(result)[0] as Result // as the wire says
  const opened = decryptCredentialBundle(shown.credentialBundle, client.privateKey)
  return { result, ...shown, key: right(signingKey('API_KEY_CURVE_P256', opened)) }
}

it('gives a key to the client of the caller, whom it names', async () => {
  const { ada, close, ...place } = await office()
  const session = await sessionOf(place, ada)
  assert.equal(Object.keys(session.result), ['createReadWriteSessionResultV2'])
  const { organizationId, organizationName, userId, username } = session
  assert.equal(
    [organizationId, organizationName, userId, username],
    [place.organizationId, 'Default', ada.userId, 'ada'],
  )
  assert.is((await place.answer(session, 'whoami'))['userId'], ada.userId)
  const key = (await keysOf(place, ada)).find(({ apiKeyId }) => apiKeyId === session.apiKeyId)
  assert.is(key?.credential.type, 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256')
  assert.is(key?.credential.publicKey, session.key.publicKey)
  assert.is(key?.expirationSeconds, '900')
  assert.match(key?.apiKeyName ?? '', /^Read Write Session - 2026-01-01T/)
  await close()
})

it('encrypts to a compressed key, too, and gives the key a name and a life', async () => {
  const { ada, close, ...place } = await office()
  const client = generateP256KeyPair()
  const session = await sessionOf(place, ada, { apiKeyName: 'my key', expirationSeconds: '60' })
  const key = (await keysOf(place, ada)).find(({ apiKeyId }) => apiKeyId === session.apiKeyId)
  assert.equal([key?.apiKeyName, key?.expirationSeconds], ['my key', '60'])
  const { result } = await place.done(ada, 'create_read_write_session', { targetPublicKey: client.publicKey })
  const { credentialBundle } = Object.values(result)[0] as Result
  assert.is(decryptCredentialBundle(credentialBundle, client.privateKey).length, 64)
  await close()
})

it('is made for another user by whom the rules allow it', async () => {
  const { ada, close, ...place } = await office()
  const { root } = place
  const session = await sessionOf(place, root, { userId: ada.userId })
  assert.is((await place.answer(session, 'whoami'))['userId'], ada.userId)
  const bob = await place.enrol('bob')
  const { publicKey } = generateP256KeyPair()
  const refused = await place.submit(bob, 'create_read_write_session', {
    targetPublicKey: publicKey,
    userId: ada.userId,
  })
  assert.is(codeOf(refused), 'REQUEST_NOT_AUTHORIZED')
  await close()
})

it('finds its user by the address in its older form, which is that of one user', async () => {
  const { ada, close, ...place } = await office()
  const { root } = place
  const bob = await place.enrol('bob')
  const address = async (userId: string, userEmail: string) =>
    place.done(root, 'update_user_email', { userId, userEmail })
  await address(ada.userId, 'ada@example.com')
  const session = await sessionOf(place, ada, { email: 'Ada@example.com' }, OLDER)
  assert.equal(Object.keys(session.result), ['createReadWriteSessionResult'])
  assert.is(session.userId, ada.userId)
  assert.is((await sessionOf(place, root, { email: 'ada@example.com' }, OLDER)).userId, ada.userId)
  const { publicKey: targetPublicKey } = generateP256KeyPair()
  const submitted = (signer: Signer, email: string) =>
    place.submit(signer, 'create_read_write_session', { targetPublicKey, email }, OLDER)
  assert.is(codeOf(await submitted(bob, 'ada@example.com')), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await submitted(root, 'nobody@example.com')), 'REQUEST_INVALID')
  await address(bob.userId, 'ada@example.com')
  assert.is(codeOf(await submitted(root, 'ada@example.com')), 'REQUEST_INVALID')
  await close()
})

it('takes no address in its newer form', async () => {
  const { ada, close, ...place } = await office()
  await place.done(place.root, 'update_user_email', { userId: place.root.userId, userEmail: 'root@example.com' })
  const session = await sessionOf(place, ada, { email: 'root@example.com' })
  assert.is(session.userId, ada.userId)
  await close()
})

it('ends the keys of earlier such sessions if it shall, and no others', async () => {
  const { ada, close, ...place } = await office()
  const [first, login] = [await sessionOf(place, ada), await signIn(place, ada)]
  const second = await sessionOf(place, ada, { invalidateExisting: true })
  assert.is(codeOf(await place.ask(first, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  for (const alive of [login, second]) right(await place.ask(alive, 'whoami'))
  await close()
})

it('refuses what is no key of a client, and a user who is not there', async () => {
  const { ada, close, ...place } = await office()
  const { root } = place
  const { publicKey } = generateP256KeyPair()
  for (const members of [
    { targetPublicKey: `04${'11'.repeat(64)}` },
    { targetPublicKey: '' },
    { targetPublicKey: publicKey, expirationSeconds: '0' },
    { targetPublicKey: publicKey, apiKeyName: '' },
  ])
    assert.is(codeOf(await place.submit(ada, 'create_read_write_session', members)), 'REQUEST_INVALID')
  const nobody = { targetPublicKey: publicKey, userId: place.organizationId }
  assert.is(codeOf(await place.submit(root, 'create_read_write_session', nobody)), 'RESOURCE_NOT_FOUND')
  assert.is((await keysOf(place, ada)).length, 1)
  await close()
})

it.run()
