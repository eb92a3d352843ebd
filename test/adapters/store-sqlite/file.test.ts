import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openForReading, openForWriting } from '../../../adapters/store-sqlite/connection.ts'
import { makePrivate } from '../../../adapters/store-sqlite/files.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { migrations, prepareForWriting, refuseForReading } from '../../../adapters/store-sqlite/schema.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { emptyDatabase, folder } from './any-file.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: file')

it.before.each(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
})
it.after.each(({ directory }) => folder.remove(directory))

it('writes with a write-ahead log and an fsync for each group', ({ path }) => {
  makePrivate(path)
  const db = openForWriting(path)
  assert.is(prepareForWriting(db), undefined)
  const pragmas = ['journal_mode', 'synchronous', 'busy_timeout', 'secure_delete', 'user_version', 'application_id']
  assert.equal(pragmas.map(db.pragma), ['wal', 2n, 5000n, 1n, 1n, 0x4353474en])
  db.close()
})

it('brings an empty file up to this version, and notes when', async ({ path }) => {
  emptyDatabase(path)
  await closed(await right(openSqliteStore({ path })))
  const db = openForReading(path)
  const rows = db.query('SELECT version, at FROM migrations ORDER BY version').all([])
  assert.equal(
    rows.map(([version]) => version),
    [1n],
  )
  for (const [, at] of rows) assert.match(String(at), /^\d{4}-\d\d-\d\dT/)
  db.close()
  await closed(await right(openSqliteStore({ path })))
})

it('is brought to a later version by its migrations, and keeps what is in it', async ({ path }) => {
  const storage = await right(openSqliteStore({ path }))
  await right(storage.store.append([anyCommit({ organization: 'acme', events: [anyEvent()] })]))
  await closed(storage)
  const later = [...migrations, 'ALTER TABLE events ADD COLUMN note TEXT;', "UPDATE events SET note = 'migrated';"]
  const reading = openForReading(path)
  assert.is(refuseForReading(reading, later), 'OLDER')
  reading.close()
  makePrivate(path)
  const db = openForWriting(path)
  assert.is(prepareForWriting(db, later), undefined)
  assert.equal(db.query('SELECT note FROM events').all([]), [['migrated']])
  assert.equal(db.query('SELECT version FROM migrations ORDER BY version').all([]), [[1n], [2n], [3n]])
  assert.is(prepareForWriting(db, migrations), 'NEWER')
  db.close()
  await failsWith('STORE_UNREADABLE', openSqliteStore({ path }))
})

it('leaves alone what is not a store of ours, and says so in one line', async ({ directory }) => {
  const text = join(directory, 'text.db')
  await writeFile(text, 'not a database\n'.repeat(100))
  const foreign = join(directory, 'foreign.db')
  const newer = join(directory, 'newer.db')
  const newerByOne = join(directory, 'newer-by-one.db')
  const older = join(directory, 'older.db')
  const make = (path: string, sql: string) => {
    const db = new Database(path)
    db.exec(sql)
    db.close()
  }
  make(foreign, 'CREATE TABLE users (name TEXT)')
  make(newer, 'PRAGMA application_id = 0x4353474e; PRAGMA user_version = 999')
  await closed(await right(openSqliteStore({ path: newerByOne })))
  const grown = new Database(newerByOne)
  const [{ user_version: version }] = grown.pragma('user_version') as [{ readonly user_version: number }]
  grown.exec(`PRAGMA user_version = ${version + 1}`)
  grown.close()
  make(older, 'VACUUM')

  const refusals = [
    [{ path: text }, 'the store file is not an SQLite database'],
    [{ path: text, readOnly: true }, 'the store file is not an SQLite database'],
    [{ path: foreign }, 'the store file belongs to another application'],
    [{ path: newer }, 'the store file was made by a newer version: use that one'],
    [{ path: newerByOne }, 'the store file was made by a newer version: use that one'],
    [{ path: older, readOnly: true }, 'the store file was made by an older version: open it for writing once'],
    [
      { path: directory },
      'the store file cannot be opened: check that its folder exists and may be read, and written for the files beside it',
    ],
  ] as const
  for (const [options, message] of refusals) {
    const answer = await openSqliteStore(options)()
    const named = `cannot open the store ${options.path}: ${message}`
    assert.equal(answer._tag === 'Left' && answer.left, { code: 'STORE_UNREADABLE', message: named })
  }
  assert.is((await readFile(text, 'utf8')).slice(0, 5), 'not a')
  await failsWith('CONFIGURATION_INVALID', openSqliteStore({ path: ':memory:' }))
  await folder.remove(`${directory}.lock`)
})

it('leaves no trace of an erased part in any of its files', async ({ directory, path }) => {
  const secret = (i: number) => `secret-${i}-`.repeat(300)
  const part = (i: number) => anyPart({ bytes: new TextEncoder().encode(secret(i)) })
  const storage = await right(openSqliteStore({ path }))
  const events = Array.from({ length: 20 }, (_, i) => anyEvent({ parts: [part(i)] }))
  await right(storage.store.append([anyCommit({ organization: 'acme', events })]))
  await right(storage.store.eraseParts('acme', [{ sequence: 8n, name: 'request' }]))

  const files = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name))))
  const has = (text: string) => files.some((bytes) => bytes.includes(text))
  assert.ok(has('secret-6-') && has('secret-8-'))
  assert.not.ok(has('secret-7-'))
  await closed(storage)
})

it('does not call a part erased while another process can still read it', async ({ path }) => {
  const storage = await right(openSqliteStore({ path }))
  await right(storage.store.append([anyCommit({ organization: 'acme', events: [anyEvent({ parts: [anyPart()] })] })]))
  const reading = openForReading(path)
  reading.exec('BEGIN')
  reading.query('SELECT count(*) FROM parts').get([])
  await failsWith('UNAVAILABLE', storage.store.eraseParts('acme', [{ sequence: 1n, name: 'request' }]))
  reading.exec('COMMIT')
  await right(storage.store.eraseParts('acme', [{ sequence: 1n, name: 'request' }]))
  await closed(storage)
})

it('reads events of very different sizes', async ({ path }) => {
  const storage = await right(openSqliteStore({ path }))
  const sizes = [0, 1, 9_000_000, 3, 0, 4_000_000, 2]
  for (const size of sizes)
    await right(storage.store.append([anyCommit({ events: [anyEvent({ line: new Uint8Array(size) })] })]))
  assert.equal(
    (await right(storage.store.readAll(0n, 100))).map(({ line }) => line.length),
    sizes,
  )
  assert.equal(
    (await right(storage.store.readAll(0n, 1))).map(({ line }) => line.length),
    [0],
  )
  await closed(storage)
})

it.run()
