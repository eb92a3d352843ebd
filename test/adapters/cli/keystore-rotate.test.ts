import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keyText, newKey, readKeys, wrapperOf, type KeystoreKey } from '../../../adapters/keyring/keystore-keys.ts'
import type { NodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { TE } from '../../../core/prelude.ts'
import { folder, run, serve, type Ended } from './run-cli.ts'
import { withKeyringIn } from './with-keyring-in.ts'

const it = suite('keystore commands')

const STORE = 'sqlite:store.db'
const organizationId = 'b1235103-ff80-8706-8980-45ebe2f9f13b'
const path = { curve: 'CURVE_ED25519', path: 'm' } as const
const ids = ['a', 'b', 'c']

/** Uses the sealed rows of a store in a folder, and its keyring. */
const inStore = <A>(
  cwd: string,
  use: (keyring: NodeKeyring, rows: SealedRows) => Promise<A>,
  name = 'store.db',
): Promise<A> => withKeyringIn({ file: join(cwd, name), keystore: join(cwd, 'store.db.keystore') }, use)
const publicKeys = (keyring: NodeKeyring): Promise<readonly (readonly string[])[]> =>
  Promise.all(ids.map((keyId) => right(keyring.publicKeys({ organizationId, keyId }, [path]))))
/** A folder with a store that has three secrets, and their public keys. */
const withSecrets = async () => {
  const cwd = folder()
  const keys = await inStore(cwd, async (keyring) => {
    for (const keyId of ids) await right(keyring.makeSeed({ organizationId, keyId }, 12))
    return publicKeys(keyring)
  })
  return { cwd, keys }
}
const cli = (cwd: string, line: string, env: { readonly [name: string]: string } = {}): Promise<Ended> =>
  run(line.split(' '), { cwd, env })
const keysOf = async (cwd: string): Promise<readonly KeystoreKey[]> =>
  right(TE.fromEither(readKeys(readFileSync(join(cwd, 'store.db.keystore'), 'utf8'), 'the file')))
const wrappers = (cwd: string): Promise<readonly (string | undefined)[]> =>
  inStore(cwd, async (_, rows) => {
    const entries = await right(rows.list(undefined, 10))
    return entries.map((entry) => ('isGone' in entry ? undefined : wrapperOf(entry.dataKey)))
  })

it('rotate in a file: a new key comes in front, all rows are sealed under it, and the older one goes', async () => {
  const { cwd, keys } = await withSecrets()
  const [first] = await keysOf(cwd)
  const rotated = await cli(cwd, `keystore rotate --store ${STORE}`)
  assert.equal([rotated.code, rotated.stderr], [0, ''])
  const [newer, older] = await keysOf(cwd)
  assert.is(older?.id, first?.id)
  assert.is(rotated.stdout, `Sealed 3 secrets anew, under the key ${newer?.id}.\n`)
  assert.equal(await wrappers(cwd), [newer?.id, newer?.id, newer?.id])
  if (process.platform !== 'win32') assert.is(statSync(join(cwd, 'store.db.keystore')).mode & 0o777, 0o600)

  const done = await cli(cwd, `keystore rotate --store ${STORE} --retire --json`)
  assert.equal(JSON.parse(done.stdout), { resealed: 0, unreadable: 0, key: newer?.id, retired: [first?.id] })
  assert.equal(
    (await keysOf(cwd)).map(({ id }) => id),
    [newer?.id],
  )
  assert.equal(await inStore(cwd, publicKeys), keys)
  assert.not.match(`${rotated.stdout}${done.stdout}${rotated.stderr}${done.stderr}`, /csk1_/)
})

it('rotate goes on with what was begun, and retires nothing that a row needs', async () => {
  const { cwd, keys } = await withSecrets()
  const [older] = await keysOf(cwd)
  const newer = newKey()
  // As if the first run had ended before its first row.
  writeFileSync(join(cwd, 'store.db.keystore'), [newer, older].map((key) => key && `${keyText(key)}\n`).join(''))
  const changed = await inStore(cwd, async (_, rows) => {
    const row = await right(rows.get({ organization: organizationId, id: 'b' }))
    if (row === undefined) throw new Error('expected a row')
    await right(rows.replace(row, { ...row, kind: 'private-key' }))
    return row
  })
  const retiring = await cli(cwd, `keystore rotate --store ${STORE} --retire`)
  assert.is(retiring.code, 1)
  assert.is(retiring.stderr, `countersign: secrets of the store need ${older?.id} still: nothing was removed\n`)
  const again = await cli(cwd, `keystore rotate --store ${STORE}`)
  assert.is(again.code, 1)
  assert.match(
    again.stdout,
    /^Sealed 0 secrets anew.*\n1 secret did not open: somebody has changed them in the store\.\n$/,
  )
  assert.equal(
    (await keysOf(cwd)).map(({ id }) => id),
    [newer.id, older?.id],
  )
  await inStore(cwd, async (_, rows) => right(rows.replace({ ...changed, kind: 'private-key' }, changed)))
  assert.is((await cli(cwd, `keystore rotate --store ${STORE} --retire`)).code, 0)
  assert.equal(await inStore(cwd, publicKeys), keys)
})

it('rotate in a variable: the operator puts the new key there, and takes the older one away', async () => {
  const { cwd } = await withSecrets()
  const [older] = await keysOf(cwd)
  if (older === undefined) throw new Error('expected a key')
  const newer = newKey()
  const line = `keystore rotate --store ${STORE} --keystore env:KEYS`
  const early = await cli(cwd, line, { KEYS: keyText(older) })
  assert.equal([early.code, early.stdout], [1, ''])
  assert.match(early.stderr, 'all secrets are sealed under the first key of KEYS: put a new one in front of it')
  const both = { KEYS: `${keyText(newer)},${keyText(older)}` }
  assert.is((await cli(cwd, line, both)).stdout, `Sealed 3 secrets anew, under the key ${newer.id}.\n`)
  assert.match((await cli(cwd, `${line} --retire`, both)).stdout, `Remove from KEYS: ${older.id}.`)
  assert.equal(await wrappers(cwd), [newer.id, newer.id, newer.id])
})

it('refuse what they cannot use in one line, and make nothing', async () => {
  const cwd = folder()
  for (const [line, says] of [
    ['keystore rotate --store sqlite:none.db', 'there is no such store'],
    ['keystore rotate --store memory:', 'in memory'],
    ['keystore rotate --store postgres://127.0.0.1:1/none', 'name the keystore of the servers with --keystore'],
    ['keystore rotate --store sqlite:none.db --keystore csk1_secret', '--keystore: expected file:PATH or env:NAME'],
    ['serve --store memory: --keystore env:NONE', 'the variable NONE has no keystore'],
    ['serve --store memory: --keystore file:none', 'there is no keystore none'],
  ] as const) {
    const { code, stdout, stderr } = await cli(cwd, line)
    assert.equal([code, stdout], [2, ''], line)
    assert.match(stderr, says)
    assert.not.match(stderr, 'csk1_secret')
  }
  const made = await cli(cwd, 'keystore create keys/keystore')
  assert.equal([made.code, made.stdout], [0, ''])
  assert.is((await cli(cwd, 'keystore create keys/keystore')).code, 2)
  assert.match(readFileSync(join(cwd, 'keys/keystore'), 'utf8'), /^csk1_[\w-]{43}\n$/)
  assert.not.ok(existsSync(join(cwd, 'none.db')))
})

it('serve starts with the keystore of its store, and with no other one', async () => {
  const { cwd, keys } = await withSecrets()
  const keystore = join(cwd, 'store.db.keystore')
  const flags = ['--store', STORE, '--init', '--credentials', 'root.json']
  const server = await serve(flags, { cwd })
  const busy = await cli(cwd, `keystore rotate --store ${STORE}`)
  assert.equal([busy.code, (await keysOf(cwd)).length], [2, 1])
  assert.match(busy.stderr, 'another process writes to this store')
  assert.is((await server.stop()).code, 0)

  const refused = async (says: RegExp): Promise<void> => {
    const { code, stderr } = await cli(cwd, `serve --port 0 --log-level warn --store ${STORE}`)
    assert.is(code, 2)
    assert.match(stderr, says)
  }
  if (process.platform !== 'win32') {
    chmodSync(keystore, 0o644)
    await refused(/others than the owner have rights on the keystore \S+: chmod 600/)
    chmodSync(keystore, 0o600)
  }
  const own = readFileSync(keystore)
  writeFileSync(keystore, `${keyText(newKey())}\n`)
  await refused(
    /^countersign: the keystore does not open the keys of this store: the keystore has not the key \w{16}\n$/,
  )
  rmSync(keystore)
  await refused(
    /^countersign: the keystore does not open the keys of this store: there is no keystore store\.db\.keystore\n$/,
  )
  writeFileSync(keystore, own, { mode: 0o600 })
  assert.equal(await inStore(cwd, publicKeys), keys)
})

it.run()
