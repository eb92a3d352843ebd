import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { readElsewhere, type ReadElsewhere } from '../../../adapters/store-sqlite/read-elsewhere.ts'
import { logReader, type Page } from '../../../adapters/store-sqlite/read-log.ts'
import type { Step } from '../../../adapters/store-sqlite/read-steps.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { until } from '../../until.ts'
import { folder } from './any-file.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: reading on another thread')

const organization = 'a long log'
const EVENTS = 2_500
const all: Page = { log: 'all', keys: [], after: 0n, limit: EVENTS, parts: true, bytesMax: Infinity }

it.before.each(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
})
it.after.each(({ directory }) => folder.remove(directory))

const partsOf = [[anyPart()], [anyPart({ name: 'personal:a' })]]

const filled = async (path: string, firstPosition = 1n): Promise<void> => {
  const storage = await right(openSqliteStore({ path, firstPosition }))
  const events = Array.from({ length: EVENTS }, (_, n) => anyEvent({ parts: partsOf[n % 3] ?? [] }))
  await right(storage.store.append([anyCommit({ organization, events })]))
  await closed(storage)
}

/** Asks until the thread is there. */
const answered = (elsewhere: ReadElsewhere, page: Page): Promise<readonly Step[]> => until(() => elsewhere.steps(page))

for (const firstPosition of [1n, 2n ** 53n]) {
  it(`reads what the store itself would read, from position ${firstPosition}`, async ({ path }) => {
    await filled(path, firstPosition)
    const reader = logReader(path)
    const elsewhere = readElsewhere(path, 2)
    const log: Page = { ...all, log: 'log', keys: [organization], after: 7n, limit: 1_700, parts: false }
    const listed: Page = { ...all, parts: ['personal:'] }
    for (const page of [all, log, listed, { ...all, after: firstPosition + 5n, limit: 1_001 }]) {
      const events = reader.eventsOf(await answered(elsewhere, page))
      assert.equal(events, reader.events(page))
      assert.ok(events.length >= 1_001)
      const names = new Set(events.flatMap(({ parts }) => parts.map(({ name }) => name)))
      const expected = page === log ? [] : page === listed ? ['personal:a'] : ['request', 'personal:a']
      assert.equal([...names], expected)
    }
    await elsewhere.close()
    reader.close()
  })
}

it('answers everything that was asked before it was closed, and nothing afterwards', async ({ path }) => {
  await filled(path)
  const elsewhere = readElsewhere(path, 2)
  await answered(elsewhere, all)
  const asked = [elsewhere.steps(all), elsewhere.steps(all)]
  await elsewhere.close()
  const counts = (await Promise.all(asked)).map((steps) => steps?.reduce((sum, { count }) => sum + count, 0))
  assert.equal(counts, [EVENTS, EVENTS])
  assert.is(await elsewhere.steps(all), undefined)
  await elsewhere.close()
})

it('leaves reading to the store where it cannot read, or has one processor', async ({ path }) => {
  const missing = readElsewhere(path, 2)
  assert.is(await missing.steps(all), undefined) // starts the thread, which finds no file and ends
  await missing.close()
  assert.is(await missing.steps(all), undefined)

  await filled(path)
  const [alone, other] = [readElsewhere(path, 1), readElsewhere(path, 2)]
  assert.is(await alone.steps(all), undefined)
  await answered(other, all) // a thread that was begun later is there
  assert.is(await alone.steps(all), undefined)
  await alone.close()
  await other.close()
})

it('reads a long log by pages as it reads it at once', async ({ path }) => {
  await filled(path)
  const storage = await right(openSqliteStore({ path }))
  const whole = await right(storage.store.readLog(organization, 0n, 999_999))
  assert.is(whole.length, EVENTS)
  for (let round = 0; round < 20; round += 1) {
    const events: Recorded[] = []
    for (let after = 0n; ;) {
      const page = await right(storage.store.readLog(organization, after, 1_000))
      events.push(...page)
      after = page.at(-1)?.sequence ?? after
      if (page.length < 1_000) break
    }
    assert.equal(events, whole) // on the way, the thread begins to answer
  }
  const last = storage.store.readLog(organization, 1_000n, 1_000)()
  await closed(storage)
  assert.is((await right(() => last)).length, 1_000)
  await rm(path)
})

it.run()
