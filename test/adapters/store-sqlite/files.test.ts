import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openForReading } from '../../../adapters/store-sqlite/connection.ts'
import { makePrivate } from '../../../adapters/store-sqlite/files.ts'
import { openSqliteStore, type SqliteStorage } from '../../../adapters/store-sqlite/open.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Notice } from '../../../core/engine.ts'
import { E } from '../../../core/prelude.ts'
import { childWriter, folder } from './any-file.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: files')

const umask = process.umask(0o022) // which says what it was
process.umask(umask)
it.before.each(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
})
it.after.each(async ({ directory }) => {
  process.umask(umask)
  await folder.remove(directory)
})

const isWindows = process.platform === 'win32' // where modes say nothing
const modeOf = (path: string): number => statSync(path).mode & 0o777
/** The names in a folder, each with its mode. */
const modesIn = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, modeOf(join(directory, name)).toString(8)]))
const open = (path: string): Promise<SqliteStorage> => right(openSqliteStore({ path }))
const append = async ({ store }: SqliteStorage): Promise<void> => {
  const commit = anyCommit({ organization: 'acme', events: [anyEvent({ parts: [anyPart()] })] })
  assert.is((await right(store.append([commit])))[0]?._tag, 'committed')
}

for (const mask of [0o000, 0o022, 0o077, 0o277]) {
  it(`are made for their owner alone, where the umask is ${mask.toString(8)}`, async ({ directory, path }) => {
    if (isWindows) return
    process.umask(mask)
    const storage = await open(path)
    await append(storage)
    const all = { 'store.db': '600', 'store.db-shm': '600', 'store.db-wal': '600', 'store.db.lock': '600' }
    const { 'store.db.lock-journal': journal = '600', ...files } = modesIn(directory)
    assert.equal([files, journal], [all, '600'])
    await right(storage.store.eraseParts('acme', [{ sequence: 1n, name: 'request' }])) // a checkpoint: what it writes is in the file alone
    assert.equal({ ...modesIn(directory), ...all }, modesIn(directory))
    await closed(storage)
    const again = await open(path)
    await append(again)
    for (const mode of Object.values(modesIn(directory))) assert.is(mode, '600')
    await closed(again)
  })
}

it('are made for their owner alone by a reader, too, who finds none beside the store', async ({ directory, path }) => {
  if (isWindows) return
  process.umask(0)
  const writer = childWriter(path)
  await once(writer.stdout, 'data')
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  await closed(await open(path)) // takes what was written out of the write-ahead log
  for (const beside of ['-wal', '-shm']) rmSync(`${path}${beside}`, { force: true })
  const reading = openForReading(path)
  reading.exec('BEGIN')
  assert.is.not(reading.query('SELECT count(*) FROM events').get([])?.[0], 0n)
  assert.ok(existsSync(`${path}-wal`))
  for (const mode of Object.values(modesIn(directory))) assert.is(mode, '600')
  reading.exec('COMMIT')
  reading.close()
})

it('keep the rights that they have, and are named where others have any', async ({ directory, path }) => {
  if (isWindows) return
  await closed(await open(path))
  const notices: Notice[] = []
  const reopened = async (readOnly = false): Promise<void> => {
    notices.length = 0
    await closed(await right(openSqliteStore({ path, readOnly, onNotice: (notice) => notices.push(notice) })))
  }
  await reopened()
  assert.equal(notices, [])

  chmodSync(path, 0o640)
  chmodSync(directory, 0o711)
  await reopened()
  assert.equal([modeOf(path), modeOf(directory)], [0o640, 0o711])
  assert.is(notices.length, 1)
  assert.match(notices[0]?.message ?? '', `rights on ${directory} (mode 711), ${path} (mode 640), `)
  assert.not.match(notices[0]?.message ?? '', '.lock')
  assert.is(notices[0]?.level, 'warn')
  await reopened(true)
  assert.equal(notices, [], 'whoever only reads cannot change it')
})

it('are named in a warning of the process where nobody else is told', async ({ path }) => {
  if (isWindows) return
  await closed(await open(path))
  chmodSync(`${path}.lock`, 0o604)
  const warnings: string[] = []
  const hear = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', hear)
  await closed(await open(path))
  await new Promise(setImmediate)
  process.off('warning', hear)
  assert.match(warnings.join('\n'), `${path}.lock (mode 604)`)
})

it('stay when the store is closed, unless it is told otherwise', async ({ directory, path }) => {
  await closed(await open(path))
  assert.ok(readdirSync(directory).includes('store.db'))
})

it('are removed again on demand, if this opening made them and no event is in them', async ({ directory, path }) => {
  const storage = await open(path)
  await right(storage.readModels.move('projection', 0n, 1n, []))
  storage.discard('if-empty')
  await closed(storage)
  assert.equal(readdirSync(directory), [])

  const written = await open(path)
  await append(written)
  written.discard('if-empty')
  await closed(written)
  const again = await open(path)
  assert.is(await right(again.store.lastPosition()), 1n)
  again.discard('all')
  await closed(again)
  assert.ok(existsSync(path), 'another opening made it')
  rmSync(path)
})

it('are removed with what is in them where that is asked for', async ({ directory, path }) => {
  const storage = await open(path)
  await append(storage)
  storage.discard('all')
  await closed(storage)
  assert.equal(readdirSync(directory), [])
})

it('are not removed where they were there before, with nothing in them', async ({ directory, path }) => {
  writeFileSync(path, '')
  const storage = await open(path)
  storage.discard('all')
  await closed(storage)
  assert.ok(readdirSync(directory).includes('store.db'))
  assert.not.ok(readdirSync(directory).includes('store.db.lock'))
})

it('are not left behind by an opening that fails', async ({ directory, path }) => {
  writeFileSync(path, 'not a database\n'.repeat(100))
  await failsWith('STORE_UNREADABLE', openSqliteStore({ path }))
  assert.equal(readdirSync(directory), ['store.db'])
})

it('are not removed by an opening that another one is before', async ({ directory, path }) => {
  const storage = await open(path)
  await failsWith('STORE_LOCKED', openSqliteStore({ path }))
  await append(storage)
  await closed(storage)
  assert.ok(readdirSync(directory).includes('store.db.lock'))
})

it('have one lock from the first opening on, also behind a link to a file that is not there yet', async ({
  directory,
  path,
}) => {
  const link = join(directory, 'link.db')
  symlinkSync('store.db', link)
  const storage = await open(link)
  await failsWith('STORE_LOCKED', openSqliteStore({ path }))
  await failsWith('STORE_LOCKED', openSqliteStore({ path: link }))
  await closed(storage)
  if (!isWindows) assert.is(modeOf(path), 0o600)
  assert.equal(
    readdirSync(directory).filter((name) => name.endsWith('.lock')),
    ['store.db.lock'],
  )
})

it('lose nothing where many open and discard them at once', async ({ path }) => {
  const openings = Array.from({ length: 12 }, async (_, i) => {
    for (;;) {
      const opened = await openSqliteStore({ path })()
      if (E.isLeft(opened)) {
        assert.is(opened.left.code, 'STORE_LOCKED')
        continue
      }
      if (i % 3 === 0) await append(opened.right)
      opened.right.discard('if-empty')
      return closed(opened.right)
    }
  })
  await Promise.all(openings)
  const last = await open(path)
  assert.is(await right(last.store.lastPosition()), 4n)
  await closed(last)
})

it('are told from one that is there', ({ path }) => {
  assert.equal([makePrivate(path), makePrivate(path), makePrivate(join(path, 'deep'))], ['made', 'there', 'impossible'])
})

it.run()
