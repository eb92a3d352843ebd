import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { envKeystore } from '../../../adapters/keyring/env-keystore.ts'
import { fileKeystore } from '../../../adapters/keyring/file-keystore.ts'
import { keyText, keystoreOf, newKey, wrapperOf, type KeystoreKey } from '../../../adapters/keyring/keystore-keys.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { Failure } from '../../../core/failure.ts'
import { E, TE } from '../../../core/prelude.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const it = suite('keystores')

const dataKey = randomBytes(32)
const of = (...keys: readonly KeystoreKey[]) => keystoreOf(TE.right(keys))
const failureOf = async (task: TE.TaskEither<Failure, unknown>): Promise<Failure> => {
  const answer = await task()
  if (E.isRight(answer)) throw new Error('expected a failure')
  return answer.left
}
const same = (a: Uint8Array, b: Uint8Array): void => assert.is(Buffer.compare(a, b), 0)

it('wraps with its first key and unwraps with each, and names the one that it has not', async () => {
  const [older, newer] = [newKey(), newKey()]
  const before = await right(of(older).wrap(dataKey))
  const after = await right(of(newer, older).wrap(dataKey))
  assert.equal([before, after].map(wrapperOf), [older.id, newer.id])
  for (const wrapped of [before, after]) same(await right(of(newer, older).unwrap(wrapped)), dataKey)
  assert.equal(await failureOf(of(newer).unwrap(before)), {
    code: 'CONFIGURATION_INVALID',
    message: `the keystore has not the key ${older.id}`,
  })
})

it('reads its keys once, and again when it needs one that it does not have', async () => {
  const [older, newer] = [newKey(), newKey()]
  let [keys, reads]: [readonly KeystoreKey[], number] = [[older], 0]
  const keystore = keystoreOf(async () => {
    reads += 1
    return E.right(keys)
  })
  const before = await right(keystore.wrap(dataKey))
  same(await right(keystore.unwrap(before)), dataKey)
  assert.is(reads, 1)
  keys = [newer, older]
  same(await right(keystore.unwrap(await right(of(newer).wrap(dataKey)))), dataKey)
  assert.is(reads, 2)
  assert.is(wrapperOf(await right(keystore.wrap(dataKey))), newer.id)
  assert.is((await failureOf(keystore.unwrap(await right(of(newKey()).wrap(dataKey))))).code, 'CONFIGURATION_INVALID')
})

it('does not unwrap what was changed, or what a keystore of another kind has wrapped', async () => {
  const key = newKey()
  const wrapped = await right(of(key).wrap(dataKey))
  const changed = wrapped.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')).replace(/.....$/, 'AAAAA')
  assert.is((await failureOf(of(key).unwrap(changed))).code, 'STORE_UNREADABLE')
  assert.is((await failureOf(of(key).unwrap('vault:v1:abc'))).code, 'CONFIGURATION_INVALID')
})

it('reads a variable with several keys, and refuses anything else without repeating it', async () => {
  const [one, two] = [newKey(), newKey()]
  const name = 'KEYSTORE_OF_A_TEST'
  const reading = async (text: string) => {
    process.env[name] = text
    return envKeystore({ name })
  }
  const wrapped = await right(of(two).wrap(dataKey))
  same(await right((await reading(`${keyText(one)}, ${keyText(two)}\n`)).unwrap(wrapped)), dataKey)
  const wrong = [
    '',
    'secretsecret',
    keyText(one).slice(0, -1),
    `${keyText(one)}A`,
    `${keyText(one)} ${keyText(two).slice(5)}`,
  ]
  // The last character has two bits too many: another spelling of the same key is none.
  for (const text of [...wrong, keyText(one).replace(/.$/, 'B')]) {
    const { code, message } = await failureOf((await reading(text)).wrap(dataKey))
    assert.is(code, 'CONFIGURATION_INVALID')
    assert.not.ok(text !== '' && message.includes(text), message)
    assert.match(message, name)
  }
  delete process.env[name]
})

it('makes a file only if it is to, when it first wraps, for its owner alone; and keeps to it', async () => {
  const { path: folder, remove } = await temporaryFolder()
  const path = join(folder, 'keystore')
  assert.equal(await failureOf(fileKeystore({ path }).wrap(dataKey)), {
    code: 'CONFIGURATION_INVALID',
    message: `there is no keystore ${path}`,
  })
  const keystore = fileKeystore({ path, make: true })
  assert.is((await failureOf(keystore.unwrap('csw1.0123456789abcdef.AAAA'))).code, 'CONFIGURATION_INVALID')
  assert.not.ok(existsSync(path))
  const [one, two] = await Promise.all(
    [keystore, fileKeystore({ path, make: true })].map((made) => right(made.wrap(dataKey))),
  )
  assert.is(wrapperOf(one ?? ''), wrapperOf(two ?? '?'))
  assert.equal(readdirSync(folder), ['keystore'])
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.match(readFileSync(path, 'utf8'), /^csk1_[\w-]{43}\n$/)
  same(await right(fileKeystore({ path }).unwrap(one ?? '')), dataKey)
  await remove()
})

it('refuses a file on which others have rights, and one that is something else', async () => {
  const { path: folder, remove } = await temporaryFolder()
  const path = join(folder, 'keystore')
  writeFileSync(path, `${keyText(newKey())}\n${keyText(newKey())}\n`, { mode: 0o600 })
  await right(fileKeystore({ path }).wrap(dataKey))
  for (const mode of process.platform === 'win32' ? [] : [0o640, 0o604, 0o620]) {
    chmodSync(path, mode)
    const { code, message } = await failureOf(fileKeystore({ path, make: true }).wrap(dataKey))
    assert.equal([code, message.includes(`chmod 600 ${path}`)], ['CONFIGURATION_INVALID', true])
  }
  chmodSync(path, 0o600)
  writeFileSync(path, 'something else')
  assert.match((await failureOf(fileKeystore({ path }).wrap(dataKey))).message, `${path} is not a keystore`)
  assert.is((await failureOf(fileKeystore({ path: folder }).wrap(dataKey))).code, 'UNAVAILABLE')
  await remove()
})

it.run()
