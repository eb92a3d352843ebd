import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, CountersignError } from '../../../adapters/index.ts'
import { keyOf, readCredentials } from '../../../adapters/credentials/credentials.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { folder } from '../cli/run-cli.ts'

const it = suite('a credentials file')

const curves = ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1', 'API_KEY_CURVE_ED25519'] as const
const made = (curveType: (typeof curves)[number]) => {
  const { publicKey, privateKey } = generateKey(curveType)
  return { curveType, apiPublicKey: publicKey, apiPrivateKey: privateKey }
}

it('gives the key, in which both halves belong together', () => {
  for (const curveType of curves) {
    const credentials = made(curveType)
    const apiPublicKey = credentials.apiPublicKey.toUpperCase()
    assert.is(keyOf('c.json', { ...credentials, apiPublicKey }).publicKey, credentials.apiPublicKey)
  }
})

it('is refused where it holds halves of two keys', () => {
  for (const curveType of curves) {
    const { apiPublicKey } = made(curveType)
    const says = 'c.json holds no usable key: its public key does not belong to its private key'
    assert.throws(
      () => keyOf('c.json', { ...made(curveType), apiPublicKey }),
      (error: unknown) =>
        error instanceof CountersignError && error.code === 'CONFIGURATION_INVALID' && error.message === says,
    )
  }
})

const cwd = folder()
const organizationId = crypto.randomUUID()
const secret = made('API_KEY_CURVE_P256')
const written = (name: string, content: unknown): string => {
  const path = join(cwd, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

it('gives what a client of a server and a client of an engine are made of', async () => {
  const url = 'https://countersign.example.com'
  for (const [baseUrl, expected] of [
    [{ baseUrl: url }, url],
    [{ baseUrl: null }, undefined],
    [{}, undefined],
  ] as const) {
    const path = written('good.json', { ...baseUrl, organizationId, userId: crypto.randomUUID(), ...secret })
    const read = await readCredentials(path)
    assert.equal([read.url, read.organizationId, read.key.privateKey], [expected, organizationId, secret.apiPrivateKey])
    if (expected === undefined) assert.throws(() => connect(read), /the credentials file names none/)
    else assert.is(connect(read).organizationId, organizationId)
  }
})

mkdirSync(join(cwd, 'a-folder'))
const wrong: Readonly<Record<string, readonly [path: string, says: RegExp]>> = {
  'is missing': [join(cwd, 'none.json'), /there is no file .*none\.json$/],
  'is a folder': [join(cwd, 'a-folder'), /cannot read .*a-folder: it is a directory$/],
  'is no JSON': [written('text', `key ${secret.apiPrivateKey}`), /text is not a credentials file: expected JSON$/],
  'is null': [written('null', null), /null is not a credentials file: .*expected/],
  'is a list': [written('list', [secret]), /list is not a credentials file: .*expected/],
  'has no private key': [
    written('half', { organizationId, apiPublicKey: secret.apiPublicKey }),
    /half is not a credentials file: .*apiPrivateKey/,
  ],
  'has a number as its organization': [
    written('number', { ...secret, organizationId: 7 }),
    /number is not a credentials file: .*organizationId.*expected a UUID/,
  ],
  'has no organization': [written('nobody', secret), /nobody has no organizationId$/],
  'has a wrong URL member': [
    written('url', { ...secret, organizationId, baseUrl: 7 }),
    /url is not a credentials file: .*baseUrl/,
  ],
  'has a key that is none': [
    written('short', { ...secret, organizationId, apiPrivateKey: secret.apiPrivateKey.slice(2) }),
    /short holds no usable key: expected a private key/,
  ],
}
for (const [what, [path, says]] of Object.entries(wrong)) {
  it(`is refused where it ${what}, without its secret`, async () => {
    const error: unknown = await readCredentials(path).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof CountersignError, String(error))
    assert.is(error.code, 'CONFIGURATION_INVALID')
    assert.match(error.message, says)
    assert.not.match(error.message, secret.apiPrivateKey.slice(2, 20))
  })
}

it.run()
