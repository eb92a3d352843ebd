import { copyFile, open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore, type SqliteStoreOptions } from '../../../adapters/store-sqlite/open.ts'
import { anyCommit, anyEvent } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { causeOf } from '../../../core/telemetry/cause.ts'
import { E } from '../../../core/prelude.ts'
import { inMemory } from '../../file-systems.ts'
import { folder, killedWriter } from './any-file.ts'

const it = suite('SQLite store: durability')

/** What a killed writer must have left: all that it acknowledged, whole commits, and rows beside their checkpoint. */
const isWhole = async (options: SqliteStoreOptions, acknowledged: readonly string[]): Promise<void> => {
  const { store, readModels } = await right(openSqliteStore(options))
  const all = await right(store.readAll(0n, 1_000_000))
  const kept = new Set(all.map(({ id }) => id))
  assert.equal(
    acknowledged.filter((id) => !kept.has(id)),
    [],
  )
  assert.is(all.length % 2, 0, 'commits of two events are there whole')
  assert.is(all.at(-1)?.position ?? 0n, BigInt(all.length))
  const checkpoint = await right(readModels.checkpoint('count'))
  assert.is((await right(readModels.row('count', 'all', 'count'))) ?? 0, Number(checkpoint))
  await closed({ store, readModels })
}

const killFiveTimes = async () => {
  const directory = await folder.make()
  const path = join(directory, 'store.db')
  const acknowledged: string[] = []
  for (const atLine of [1, 200, 20, 500, 60]) {
    acknowledged.push(...(await killedWriter(path, { atLine })))
    await isWhole({ path, readOnly: true }, acknowledged)
  }
  assert.ok(acknowledged.length >= 10)
  await folder.remove(directory)
}

it('loses nothing that it acknowledged in ten kills', async () =>
  void (await Promise.all([killFiveTimes(), killFiveTimes()])))

it('is whole after a crash at every point of a group', async () => {
  // Three append at once, maybe each in a group of its own: whoever makes the fourth group has had an answer.
  const crashes = ['before-append:4', 'within-group:4', 'after-append:5', 'within-move:3', 'within-snapshot:3']
  for (const crashAt of crashes) {
    const directory = await folder.make()
    const path = join(directory, 'store.db')
    const acknowledged = await killedWriter(path, { crashAt })
    assert.ok(acknowledged.length > 0, crashAt)
    await isWhole({ path }, acknowledged)
    await folder.remove(directory)
  }
})

it('opens with a write-ahead log whose end is torn, at the last commit that is whole', async () => {
  const directory = await folder.make()
  const path = join(directory, 'store.db')
  const storage = await right(openSqliteStore({ path }))
  for (let i = 0; i < 10; i++) await right(storage.store.append([anyCommit({ events: [anyEvent(), anyEvent()] })]))
  const whole = await right(storage.store.readAll(0n, 100))

  for (const [torn, cut] of [1, 24, 4000, 4120, 20_000].entries()) {
    const copy = join(directory, `torn-${torn}.db`)
    await copyFile(path, copy)
    await copyFile(`${path}-wal`, `${copy}-wal`)
    await truncate(`${copy}-wal`, (await stat(`${copy}-wal`)).size - cut)
    const file = await open(`${copy}-wal`, 'r+')
    await file.write(Buffer.alloc(8, 0xff), 0, 8, (await file.stat()).size - 8)
    await file.close()

    const found = await right(openSqliteStore({ path: copy }))
    const kept = await right(found.store.readAll(0n, 100))
    assert.ok(kept.length < whole.length && kept.length % 2 === 0, `${cut} bytes cut: ${kept.length} events`)
    assert.equal(kept, whole.slice(0, kept.length))
    assert.is((await right(found.store.append([anyCommit()])))[0]?._tag, 'committed')
    await closed(found)
  }
  await closed(storage)
  await folder.remove(directory)
})

it('refuses on a full disk, keeps what it acknowledged, and goes on when there is space', async () => {
  const small = await inMemory(4)
  if (small?.through.length !== 0) {
    small?.remove()
    return console.log('   left out: no small file system can be mounted for this process')
  }
  try {
    const filler = join(small.path, 'filler')
    await writeFile(filler, Buffer.alloc(1024 * 1024))
    const storage = await right(openSqliteStore({ path: join(small.path, 'store.db') }))
    const acknowledged: string[] = []
    const append = async () => {
      const commits = [1, 2].map(() => anyCommit({ events: [anyEvent({ line: new Uint8Array(10_000) })] }))
      const answer = await storage.store.append(commits)()
      if (E.isRight(answer)) acknowledged.push(...commits.flatMap(({ events }) => events.map(({ id }) => id)))
      return answer
    }
    let answer = await append()
    while (E.isRight(answer)) answer = await append()
    assert.is(answer.left.code, 'UNAVAILABLE')
    assert.match(answer.left.message, 'disk')
    const { bytesFree, ...cause } = causeOf(answer.left) ?? {}
    const file = join(small.path, 'store.db')
    const system = 'ENOSPC: no space left on device'
    assert.equal(cause, { reason: 'SQLITE_FULL', text: 'database or disk is full', file, system })
    assert.ok(Number(bytesFree) < 1024 * 1024)
    assert.not.match(JSON.stringify(answer), small.path)
    for (let n = 0; n < 3; n += 1) await failsWith('UNAVAILABLE', storage.store.checkWritable())
    await append() // there may be room by now, where the write-ahead log begins anew: what was acknowledged counts

    await rm(filler)
    await right(storage.store.checkWritable())
    assert.is((await append())._tag, 'Right')
    const ids = (await right(storage.store.readAll(0n, 10_000))).map(({ id }) => id)
    assert.equal(ids, acknowledged)
    await closed(storage)
  } finally {
    small.remove()
  }
})

it.run()
