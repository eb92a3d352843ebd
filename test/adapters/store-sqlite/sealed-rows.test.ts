import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openForReading } from '../../../adapters/store-sqlite/connection.ts'
import { openSqliteStore, type SqliteStoreOptions } from '../../../adapters/store-sqlite/open.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { SealedRow, SealedRows } from '../../../core/ports/sealed-rows.ts'
import { folder } from './any-file.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: sealed rows')

it.before.each(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
})
it.after.each(({ directory }) => folder.remove(directory))

const open = async (options: SqliteStoreOptions) => {
  const storage = await right(openSqliteStore(options))
  return { storage, sealed: sealedOf(storage) }
}

const ORGANIZATIONS = ['acme', 'other', 'third']

/** From a hundred bytes to three pages, most of them as long as a sealed wallet. Hex, so that a data key can be as random as the bytes. */
const anyHex = (): string =>
  randomBytes(Math.random() < 0.8 ? 150 : Math.floor(100 + Math.random() * 6_000)).toString('hex')
const anyRow = (n: number): SealedRow => ({
  organization: ORGANIZATIONS[n % ORGANIZATIONS.length] ?? '',
  id: `row ${n}`,
  kind: 'wallet',
  dataKey: anyHex(),
  bytes: Buffer.from(anyHex()),
})

/** The beginning and the end of what a row has to hide. */
const secretsOf = ({ dataKey, bytes }: SealedRow): readonly Buffer[] =>
  [Buffer.from(dataKey), Buffer.from(bytes)].flatMap((secret) =>
    [0, secret.length - 20].map((at) => secret.subarray(at, at + 20)),
  )

/** How many of these rows, and of what they were before, are in any file beside the store. */
const foundIn = async (directory: string, rows: readonly SealedRow[]): Promise<number> => {
  const names = await readdir(directory)
  const files = Buffer.concat(await Promise.all(names.map((name) => readFile(join(directory, name)))))
  return rows.filter((row) => secretsOf(row).some((secret) => files.includes(secret))).length
}

/** Puts rows, and replaces half of them by longer and shorter ones. */
const grown = async (sealed: SealedRows, from: number, count: number) => {
  const rows = Array.from({ length: count }, (_, n) => anyRow(from + n))
  await Promise.all(rows.map((row) => right(sealed.put(row))))
  const before = rows.filter(() => Math.random() < 0.5)
  const after = before.map((row) => ({ ...row, dataKey: anyHex(), bytes: Buffer.from(anyHex()) }))
  await Promise.all(before.map(async (row, n) => assert.ok(await right(sealed.replace(row, after[n] ?? row)))))
  return { before, rows: [...rows.filter((row) => !before.includes(row)), ...after] }
}

it('leave nothing in any file when they are deleted, nor of what they were before, and others stay as they are', async ({
  directory,
  path,
}) => {
  const { storage, sealed } = await open({ path })
  const gone: SealedRow[] = []
  let kept: SealedRow[] = []
  for (let round = 0; round < 3; round += 1) {
    const { before, rows } = await grown(sealed, round * 80, 80)
    assert.ok((await foundIn(directory, rows)) === rows.length, 'they were there')
    kept.push(...rows)
    const chosen = kept.filter(() => Math.random() < 0.3)
    await Promise.all(chosen.map((row) => right(sealed.delete(row))))
    kept = kept.filter((row) => !chosen.includes(row))
    gone.push(...before, ...chosen)
    assert.is(await foundIn(directory, gone), 0)
  }
  await right(sealed.deleteAll('acme'))
  gone.push(...kept.filter(({ organization }) => organization === 'acme'))
  kept = kept.filter(({ organization }) => organization !== 'acme')
  assert.is(await foundIn(directory, gone), 0)
  const listed = (await right(sealed.list(undefined, 1_000))).filter((entry) => !('isGone' in entry))
  const byPlace = (a: SealedRow, b: SealedRow) =>
    JSON.stringify([a.organization, a.id]) < JSON.stringify([b.organization, b.id]) ? -1 : 1
  same(listed, [...kept].sort(byPlace))
  await closed(storage)
  assert.is(await foundIn(directory, gone), 0)
  assert.is(await foundIn(directory, kept), kept.length)
})

it('are not called deleted while another process can still read them', async ({ path }) => {
  const { storage, sealed } = await open({ path })
  const row = anyRow(0)
  await right(sealed.put(row))
  const reading = openForReading(path)
  for (const remove of [sealed.delete(row), sealed.deleteAll(row.organization)]) {
    reading.exec('BEGIN')
    reading.query('SELECT count(*) FROM sealed_secrets').get([])
    await failsWith('UNAVAILABLE', remove)
    reading.exec('COMMIT')
    await right(remove)
  }
  reading.close()
  await closed(storage)
})

it('are read beside the process that writes, and written by it alone', async ({ path }) => {
  const writing = await open({ path })
  const reading = await open({ path, readOnly: true })
  const [row, other] = [anyRow(0), anyRow(3)]
  await right(writing.sealed.put(row))
  same(await right(reading.sealed.get(row)), row)
  const { sealed } = reading
  for (const refused of [sealed.put(other), sealed.replace(row, other), sealed.delete(row), sealed.deleteAll('acme')])
    await failsWith('CONFIGURATION_INVALID', refused)
  same(await right(reading.sealed.list(undefined, 9)), [row])
  await closed(reading.storage)
  await closed(writing.storage)
})

it('keep a new file, although it has no events', async ({ path }) => {
  const { storage, sealed } = await open({ path })
  await right(sealed.delete(anyRow(0)))
  storage.discard('if-empty')
  await closed(storage)
  assert.ok(existsSync(path))
})

it.run()
