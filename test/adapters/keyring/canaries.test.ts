import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileKeystore } from '../../../adapters/keyring/file-keystore.ts'
import { nodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { encryptTo } from '../../../adapters/keyring/hpke.ts'
import { encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { deriveAt, rootOf } from '../../../core/keys/derive.ts'
import { seedOf } from '../../../adapters/keyring/seed.ts'
import { englishOf, mnemonicOf } from '../../../core/keys/mnemonic.ts'
import { parsePath } from '../../../core/keys/path.ts'
import { newPrivateKey, randomBytesOf, uncompressed } from '../../../core/keys/public-key.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Coming, KeyPath } from '../../../core/ports/keyring.ts'
import type { TE } from '../../../core/prelude.ts'
import { secretBytes, secretText, sightings } from '../../system/canaries/secret.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { bytesOf } from '../../core/resources/bundle/border.ts'
import { knownBytes, place } from './keyring-under-test.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('canaries of the keyring')

const random = knownBytes('canaries')
const curve = 'CURVE_SECP256K1'
const path: KeyPath = { curve, path: "m/44'/60'/0'/0/0" }
const entropy = random(32)
const seed = seedOf(englishOf(entropy))
const indexes = parsePath(path.path ?? '')
const words = mnemonicOf(englishOf(entropy)).split(' ')
const secrets = [
  secretBytes('entropy', encodeHex(entropy)),
  secretBytes('seed', encodeHex(seed)),
  secretBytes('key at a path', encodeHex(indexes ? deriveAt(rootOf(seed, curve), indexes).privateKey : entropy)),
  secretBytes('private key', encodeHex(newPrivateKey(curve, random(randomBytesOf(curve))))),
  secretBytes('random bytes', encodeHex(random(randomBytesOf(curve)))),
  ...[0, 6, 12, 18].map((at) => secretText(`words from ${at} on`, words.slice(at, at + 6).join(' '))),
]

const payload = 'payload of a canary of the keyring'
const passphrase = 'passphrase of a canary'
const other = englishOf(random(16), passphrase)
const brought = [
  secretText('payload', payload),
  secretText('passphrase', passphrase),
  secretBytes('other entropy', encodeHex(other.entropy)),
  secretText('other words', mnemonicOf(other)),
]

/** What comes over the border: two secrets as they should be, and two that are something else. */
const border: readonly (readonly [keyId: string, Coming, Uint8Array])[] = [
  ['a secret', { _tag: 'secret' }, encodeUtf8(payload)],
  ['a wallet', { _tag: 'mnemonic' }, encodeUtf8(`${mnemonicOf(other)}\n--PASS--\n${passphrase}`)],
  ['no wallet', { _tag: 'mnemonic' }, encodeUtf8(payload)],
  ['no key', { _tag: 'private-key', curve }, encodeUtf8(mnemonicOf(other))],
]

it('are nowhere in the files of the store, in answers, failures and notices', async () => {
  const folder = await temporaryFolder()
  const said: string[] = []
  const onNotice = (notice: unknown): void => void said.push(inspect(notice, { depth: 9 }))
  const storage = await right(openSqliteStore({ path: join(folder.path, 'store.db'), onNotice }))
  const { readModels, store } = storage
  const sealed = sealedOf(storage)
  const keystore = fileKeystore({ path: join(folder.path, 'keystore'), make: true, onNotice })
  const keyring = nodeKeyring({ sealed, keystore, random: (length) => Uint8Array.from(random(length)) })
  const privateKey = { ...place, keyId: 'private' }
  const tell = async (task: TE.TaskEither<Failure, unknown>): Promise<void> =>
    void said.push(inspect(await task(), { depth: 9 }))

  await tell(keyring.makeSeed(place, 24))
  await tell(keyring.makeKey(privateKey, curve))
  await tell(keyring.publicKeys(place, [path]))
  await tell(keyring.sign(place, path, 'ecdsa', ['5a'.repeat(32)]))
  await tell(keyring.sign(privateKey, { curve }, 'schnorr', ['5a'.repeat(32)]))
  await tell(keyring.sign(place, path, 'eddsa', ['5a']))
  await tell(keyring.publicKeys(privateKey, [path]))
  const target = { ...place, keyId: 'target' }
  for (const [keyId, coming, plain] of border) {
    await tell(keyring.makeTarget(target))
    const [key = ''] = await right(keyring.publicKeys(target, [{ curve: 'CURVE_P256' }]))
    const encrypted = await encryptTo(bytesOf(uncompressed('CURVE_P256', key)), plain)
    const at = { ...place, keyId }
    const arrival = { activityId: 'import', atMs: 1, targetId: target.keyId }
    await tell(keyring.importSecret(at, coming, { encrypted, arrival }, () => undefined))
    await tell(keyring.exportSecret(at, { _tag: 'secret' }, key))
    await tell(keyring.exportSecret(at, { _tag: 'mnemonic' }, key))
    target.keyId += '.'
  }
  await tell(sealed.list(undefined, 10))
  assert.is(said.filter((one) => one.includes("_tag: 'Left'")).length, 2 + 8)
  assert.is(said.filter((one) => one.includes('made a keystore')).length, 1)

  const found = (): readonly string[] =>
    readdirSync(folder.path).flatMap((name) =>
      sightings([...secrets, ...brought], name, readFileSync(join(folder.path, name))),
    )
  assert.equal([...found(), ...sightings([...secrets, ...brought], 'what was said', said.join('\n'))], [])
  await keyring.close()
  await readModels.close()
  await store.close()
  assert.equal(found(), [])
  await folder.remove()
})

it.run()
