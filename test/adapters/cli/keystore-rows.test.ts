import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { encodeHex } from '../../../core/bytes.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { knownBytes, place } from '../keyring/keyring-under-test.ts'
import { secretBytes, sightings } from '../../system/canaries/secret.ts'
import { folder, run, type Ended } from './run-cli.ts'
import { withKeyringIn } from './with-keyring-in.ts'

const it = suite('sealed rows in a file')

const path = { curve: 'CURVE_SECP256K1', path: "m/44'/60'/0'/0/0" } as const
const digest = '5a'.repeat(32)
const random = knownBytes('rows in a file')
const other = { ...place, keyId: 'another' }

const inStore = <A>(
  cwd: string,
  name: string,
  use: (keyring: NodeKeyring, rows: SealedRows) => Promise<A>,
): Promise<A> => withKeyringIn({ file: join(cwd, name), keystore: join(cwd, 'keystore'), random }, use)
const cli = (cwd: string, line: string): Promise<Ended> => run(line.split(' '), { cwd })

it('sign in the store that they are imported into, and what was deleted is deleted there', async () => {
  const cwd = folder()
  const sign = (keyring: NodeKeyring) => right(keyring.sign(place, path, 'ecdsa', [digest]))
  const signed = await inStore(cwd, 'a.db', async (keyring, rows) => {
    await right(keyring.makeSeed(place, 24))
    await right(keyring.makeKey(other, 'CURVE_P256'))
    await right(rows.delete({ organization: other.organizationId, id: other.keyId }))
    return sign(keyring)
  })
  await inStore(cwd, 'b.db', (keyring) => right(keyring.makeKey(other, 'CURVE_P256')))

  const written = await cli(cwd, 'keystore export --store sqlite:a.db --out keys.jsonl')
  assert.equal([written.code, written.stdout], [0, ''])
  if (process.platform !== 'win32') assert.is(statSync(join(cwd, 'keys.jsonl')).mode & 0o777, 0o600)
  assert.is((await cli(cwd, 'keystore export --store sqlite:a.db --out keys.jsonl')).code, 2)
  assert.is((await cli(cwd, 'keystore export --store sqlite:a.db --force --out a.db.keystore')).code, 0) // none stands there
  const belongs = await cli(cwd, 'keystore export --store sqlite:a.db --force --out a.db.keystore')
  assert.match(belongs.stderr, 'a.db.keystore belongs to the store itself')

  for (const attempt of ['the first', 'again']) {
    const read = await cli(cwd, 'keystore import --store sqlite:b.db keys.jsonl')
    assert.equal([read.code, read.stderr], [0, 'The store has 1 sealed key of keys.jsonl.\n'], attempt)
  }
  await inStore(cwd, 'b.db', async (keyring) => {
    assert.equal(await sign(keyring), signed)
    await failsWith('KEY_MISSING', keyring.publicKeys(other, [{ curve: 'CURVE_P256' }]))
  })
  const secrets = [secretBytes('entropy', encodeHex(random(32)))]
  const files = ['keys.jsonl', 'a.db', 'b.db'].map((name) => readFileSync(join(cwd, name)))
  assert.equal(
    files.flatMap((bytes, index) => sightings(secrets, String(index), bytes)),
    [],
  )
})

it('are not imported if the file was cut, or the store has another key there', async () => {
  const cwd = folder()
  for (const name of ['a.db', 'b.db']) await inStore(cwd, name, (keyring) => right(keyring.makeSeed(place, 12)))
  await cli(cwd, 'keystore export --store sqlite:a.db --out keys.jsonl')
  const conflict = await cli(cwd, 'keystore import --store sqlite:b.db keys.jsonl')
  assert.equal([conflict.code, conflict.stdout], [1, ''])
  const text = readFileSync(join(cwd, 'keys.jsonl'), 'utf8')
  writeFileSync(join(cwd, 'cut.jsonl'), text.replace(/\{"rows".*\n$/, ''))
  for (const [line, says] of [
    ['keystore import --store sqlite:a.db cut.jsonl', 'these are no sealed keys: its end is missing'],
    ['keystore import --store sqlite:a.db none.jsonl', 'cannot read none.jsonl: there is no such file or directory'],
    ['keystore import --store sqlite:none.db keys.jsonl', 'there is no such store'],
  ] as const) {
    const { code, stderr } = await cli(cwd, line)
    assert.is(code, 2, line)
    assert.match(stderr, says)
  }
})

it.run()
