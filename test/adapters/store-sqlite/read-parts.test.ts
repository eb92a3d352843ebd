import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openForReading } from '../../../adapters/store-sqlite/connection.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { partsReader } from '../../../adapters/store-sqlite/read-parts.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right, same } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { NewEvent, Part, PartPlace } from '../../../core/ports/event-store.ts'
import type { SnapshotPart } from '../../../core/ports/read-models.ts'
import { folder } from './any-file.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: parts')

it.before.each(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
})
it.after.each(({ directory }) => folder.remove(directory))

const organization = 'acme'

/** From 10 bytes to 20 kB: many that share a page, many that fill several pages, and some just around the size of a page. */
const anyBytes = (): Uint8Array => {
  const random = Math.random()
  return randomBytes(
    Math.floor(random < 0.5 ? 10 + random * 500 : random < 0.7 ? 3_900 + random * 300 : random * 20_000),
  )
}

/** All bytes of all files of the store. */
const filesOf = async (directory: string): Promise<Buffer> =>
  Buffer.concat(await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name)))))

/** So many bytes are no accident, and the smallest part has as many. */
const SPAN = 10

/** Spans of a byte string: its begin, its end, and one in every 500 bytes, because a copy may be cut off. */
const spansOf = (bytes: Uint8Array): readonly string[] => {
  const starts = [bytes.length - SPAN]
  for (let at = 0; at + SPAN <= bytes.length; at += 500) starts.push(at)
  return starts.map((at) => Buffer.from(bytes.subarray(at, at + SPAN)).toString('latin1'))
}

/** How many of these byte strings are in the files, whole or in part. One pass over the files, however many they are. */
const foundIn = (files: Buffer, all: readonly Uint8Array[]): number => {
  const owners = new Map<string, number>()
  const begins = new Uint8Array(2 ** 24)
  all.forEach((bytes, owner) => {
    for (const span of spansOf(bytes)) owners.set(span, owner)
  })
  for (const span of owners.keys()) begins[Buffer.from(span, 'latin1').readUIntBE(0, 3)] = 1
  const found = new Set<number>()
  for (let at = 0, three = 0; at < files.length; at += 1) {
    three = ((three << 8) | (files[at] ?? 0)) & 0xffffff
    if (begins[three] !== 1 || at < 2) continue
    const owner = owners.get(files.toString('latin1', at - 2, at - 2 + SPAN))
    if (owner !== undefined) found.add(owner)
  }
  return found.size
}

it('leaves nothing of erased parts of any size in any file, erasure after erasure, and all others as they were', async ({
  directory,
  path,
}) => {
  const storage = await right(openSqliteStore({ path }))
  const kept = new Map<string, { readonly place: PartPlace; readonly part: Part }>()
  const erased: Uint8Array[] = []
  let sequence = 0n
  const grow = async (parts: number): Promise<void> => {
    const events: NewEvent[] = []
    for (let n = 0; n < parts; n += 2) {
      sequence += 1n
      const own = [anyPart({ bytes: anyBytes() }), anyPart({ name: `personal:${n}`, bytes: anyBytes() })]
      for (const part of own) kept.set(`${sequence} ${part.name}`, { place: { sequence, name: part.name }, part })
      events.push(anyEvent({ parts: own }))
    }
    for (let at = 0; at < events.length; at += 100)
      await right(storage.store.append([anyCommit({ organization, events: events.slice(at, at + 100) })]))
  }
  await grow(4_000)
  for (const share of [0.3, 0.2, 0.3]) {
    const chosen = [...kept].filter(() => Math.random() < share)
    const before = await filesOf(directory)
    assert.is(
      foundIn(
        before,
        chosen.map(([, { part }]) => part.bytes),
      ),
      chosen.length,
      'they were there',
    )
    await right(
      storage.store.eraseParts(
        organization,
        chosen.map(([, { place }]) => place),
      ),
    )
    for (const [key, { part }] of chosen) {
      erased.push(part.bytes, part.salt)
      kept.delete(key)
    }
    assert.is(foundIn(await filesOf(directory), erased), 0)
    await grow(500)
  }
  assert.is(foundIn(await filesOf(directory), erased), 0)
  const read = (await right(storage.store.readLog(organization, 0n, 10_000))).flatMap((event) =>
    event.parts.map((part) => [`${event.sequence} ${part.name}`, part]),
  )
  same(
    read,
    [...kept].map(([key, { part }]) => [key, part]),
  )
  await closed(storage)
  assert.is(foundIn(await filesOf(directory), erased), 0)
})

it('leaves nothing of a dropped snapshot in any file, nor of those that were stored before it', async ({
  directory,
  path,
}) => {
  const { store, readModels } = await right(openSqliteStore({ path }))
  const stored = new Map<string, readonly SnapshotPart[]>()
  const gone: Uint8Array[] = []
  const save = (organizations: readonly string[], names: readonly string[]) =>
    Promise.all(
      organizations.map((id) => {
        const parts = names.map((name) => ({ name, version: 1, bytes: anyBytes() }))
        gone.push(...(stored.get(id) ?? []).map(({ bytes }) => bytes))
        stored.set(id, parts)
        return right(readModels.saveSnapshot({ organization: id, sequence: 1n, hash: 'ab', version: 'v', parts }))
      }),
    )
  const all = Array.from({ length: 1_000 }, (_, n) => `organization-${n}`)
  const half = () => all.filter(() => Math.random() < 0.5).sort(() => Math.random() - 0.5)
  await save(all, ['api-keys', 'tags', 'users'])
  for (let n = 0; n < 3; n += 1) {
    await save(half(), [])
    await save(half(), ['tags', 'users'])
  }
  const dropped = all.filter((id) => (stored.get(id) ?? []).length > 0).slice(0, 3)
  for (const id of dropped) {
    const bytes = (stored.get(id) ?? []).map((part) => part.bytes)
    assert.is(foundIn(await filesOf(directory), bytes), bytes.length, 'they were there')
    await right(readModels.dropSnapshot(id))
    gone.push(...bytes)
    assert.is(foundIn(await filesOf(directory), gone), 0)
  }
  for (const id of all.filter((one) => !dropped.includes(one)))
    same((await right(readModels.snapshot(id)))?.parts, stored.get(id))
  await closed({ store, readModels })
})

it('does not call a snapshot dropped while another process can still read it', async ({ path }) => {
  const { store, readModels } = await right(openSqliteStore({ path }))
  await right(readModels.saveSnapshot({ organization, sequence: 1n, hash: 'ab', version: 'v', parts: [] }))
  const reading = openForReading(path)
  reading.exec('BEGIN')
  reading.query('SELECT count(*) FROM snapshots').get([])
  const answer = await readModels.dropSnapshot(organization)()
  assert.is(answer._tag === 'Left' && answer.left.code, 'UNAVAILABLE')
  reading.exec('COMMIT')
  await right(readModels.dropSnapshot(organization))
  reading.close()
  await closed({ store, readModels })
})

it('reads parts by name through an index without requests, unless requests are asked for', async ({ path }) => {
  const storage = await right(openSqliteStore({ path }))
  const parts = [anyPart(), anyPart({ name: 'personal:a' })]
  await right(storage.store.append([anyCommit({ organization, events: [anyEvent({ parts }), anyEvent({ parts })] })]))
  const db = openForReading(path)
  const plans: string[] = []
  const explaining = {
    ...db,
    query: (sql: string) => {
      const plan = db.query(`EXPLAIN QUERY PLAN ${sql}`)
      const query = db.query(sql)
      const get = (values: Parameters<typeof query.get>[0]) => {
        plans.push(
          plan
            .all(values)
            .map((row) => String(row[3]))
            .join('; '),
        )
        return query.get(values)
      }
      return { ...query, get }
    },
  }
  const read = partsReader(explaining)
  for (const positions of ['[1,2]', '[1,3]'])
    for (const asked of [['personal:'], ['personal:', 'request'], true] as const) {
      read(positions, asked)
      const plan = plans.at(-1) ?? ''
      assert.is(plan.includes('parts_beside_requests'), asked !== true && asked.length === 1, plan)
      assert.not.ok(/TEMP B-TREE|SCAN parts\b/.test(plan), plan)
    }
  db.close()
  await closed(storage)
})

it.run()
