import { createPublicKey, verify } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decryptWith } from '../../../adapters/keyring/hpke.ts'
import { openedKeys } from '../../../adapters/proxy/opened-key.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { failureOf } from '../../../core/countersign-error.ts'
import { sealedFor } from './scene.ts'

const it = suite('opened-key')

const ORGANIZATION = '11111111-1111-4111-8111-111111111111'
const [opening, key] = [generateKey(), generateKey()]
const BODY = encodeUtf8('{}')

/** Keeps what was decrypted, as nobody else does. */
const watched = (of = opening) => {
  const secrets: Uint8Array[] = []
  const opened = openedKeys(of, async (...args) => {
    const secret = await decryptWith(...args)
    if (secret !== undefined) secrets.push(secret)
    return secret
  })
  return { opened, secrets }
}

it('stamps by the sealed key', async () => {
  const { stamper } = openedKeys(opening)(await sealedFor(ORGANIZATION, key, opening.publicKey))
  const { name, value } = await stamper(BODY)
  assert.is(name, 'X-Stamp')
  const { publicKey, signature } = JSON.parse(Buffer.from(value, 'base64url').toString()) as {
    [member: string]: string
  } // as it was written
  assert.is(publicKey, key.publicKey)
  const spki = Buffer.from(`3039301306072a8648ce3d020106082a8648ce3d030107032200${publicKey}`, 'hex')
  const point = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  assert.ok(verify('sha256', BODY, point, Buffer.from(String(signature), 'hex')))
})

it('overwrites the private bytes before it has stamped', async () => {
  const { opened, secrets } = watched()
  const { stamper } = opened(await sealedFor(ORGANIZATION, key, opening.publicKey))
  await stamper(BODY)
  assert.equal(secrets, [new Uint8Array(32)])
})

it('opens once for a request, and only if something is stamped', async () => {
  const { opened, secrets } = watched()
  const { stamper } = opened(await sealedFor(ORGANIZATION, key, opening.publicKey))
  assert.is(secrets.length, 0)
  await Promise.all([stamper(BODY), stamper(BODY)])
  assert.is(secrets.length, 1)
})

it('stamps nothing after the request', async () => {
  const { stamper, close } = openedKeys(opening)(await sealedFor(ORGANIZATION, key, opening.publicKey))
  await stamper(BODY)
  close()
  const thrown = await Promise.resolve(stamper(BODY)).catch((error: unknown) => error)
  assert.instance(thrown, Error)
})

const sealed = async () => sealedFor(ORGANIZATION, key, opening.publicKey)
const other = generateKey()
const wrong: readonly (readonly [string, () => Promise<Parameters<ReturnType<typeof openedKeys>>[0]>])[] = [
  ['of another organization', async () => ({ ...(await sealed()), organizationId: ORGANIZATION.replace('1', '2') })],
  ['with the name of another key', async () => ({ ...(await sealed()), publicKey: other.publicKey })],
  ['for another proxy', async () => sealedFor(ORGANIZATION, key, other.publicKey)],
  [
    'whose halves do not fit',
    async () => sealedFor(ORGANIZATION, { ...key, publicKey: other.publicKey }, opening.publicKey),
  ],
  ['that is no key', async () => sealedFor(ORGANIZATION, { ...key, privateKey: 'ff'.repeat(32) }, opening.publicKey)],
  ['that is too short', async () => sealedFor(ORGANIZATION, { ...key, privateKey: '01' }, opening.publicKey)],
  ['that is no hex', async () => ({ ...(await sealed()), encryptedApiKey: { encappedPublic: 'x', ciphertext: 'y' } })],
]
for (const [what, make] of wrong)
  it(`opens no key ${what}, and overwrites what it has seen`, async () => {
    const { opened, secrets } = watched()
    const thrown: unknown = await Promise.resolve(opened(await make()).stamper(BODY)).catch((error: unknown) => error)
    assert.is(failureOf(thrown)?.code, 'UNAVAILABLE')
    assert.ok(secrets.every((secret) => secret.every((byte) => byte === 0)))
  })

it.run()
