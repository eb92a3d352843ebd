import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileKeystore } from '../../../adapters/keyring/file-keystore.ts'
import { nodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { encodeHex } from '../../../core/bytes.ts'
import { deriveAt, rootOf } from '../../../core/keys/derive.ts'
import { mnemonicOf, seedOf } from '../../../core/keys/mnemonic.ts'
import { parsePath } from '../../../core/keys/path.ts'
import { newPrivateKey, randomBytesOf } from '../../../core/keys/public-key.ts'
import type { Failure } from '../../../core/failure.ts'
import type { KeyPath } from '../../../core/ports/keyring.ts'
import type { TE } from '../../../core/prelude.ts'
import { secretBytes, secretText, sightings } from '../../system/canaries/secret.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { knownBytes, place } from './keyring-under-test.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('canaries of the keyring')

const random = knownBytes('canaries')
const curve = 'CURVE_SECP256K1'
const path: KeyPath = { curve, path: "m/44'/60'/0'/0/0" }
const entropy = random(32)
const seed = seedOf(entropy)
const indexes = parsePath(path.path ?? '')
const words = mnemonicOf(entropy).split(' ')
const secrets = [
  secretBytes('entropy', encodeHex(entropy)),
  secretBytes('seed', encodeHex(seed)),
  secretBytes('key at a path', encodeHex(indexes ? deriveAt(rootOf(seed, curve), indexes).privateKey : entropy)),
  secretBytes('private key', encodeHex(newPrivateKey(curve, random(randomBytesOf(curve))))),
  secretBytes('random bytes', encodeHex(random(randomBytesOf(curve)))),
  ...[0, 6, 12, 18].map((at) => secretText(`words from ${at} on`, words.slice(at, at + 6).join(' '))),
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
  const other = { ...place, keyId: 'private' }
  const tell = async (task: TE.TaskEither<Failure, unknown>): Promise<void> =>
    void said.push(inspect(await task(), { depth: 9 }))

  await tell(keyring.makeSeed(place, 24))
  await tell(keyring.makeKey(other, curve))
  await tell(keyring.publicKeys(place, [path]))
  await tell(keyring.sign(place, path, 'ecdsa', ['5a'.repeat(32)]))
  await tell(keyring.sign(other, { curve }, 'schnorr', ['5a'.repeat(32)]))
  await tell(keyring.sign(place, path, 'eddsa', ['5a']))
  await tell(keyring.publicKeys(other, [path]))
  await tell(sealed.list(undefined, 10))
  assert.is(said.filter((one) => one.includes("_tag: 'Left'")).length, 2)
  assert.is(said.filter((one) => one.includes('made a keystore')).length, 1)

  const found = (): readonly string[] =>
    readdirSync(folder.path).flatMap((name) => sightings(secrets, name, readFileSync(join(folder.path, name))))
  assert.equal([...found(), ...sightings(secrets, 'what was said', said.join('\n'))], [])
  await keyring.close()
  await readModels.close()
  await store.close()
  assert.equal(found(), [])
  await folder.remove()
})

it.run()
