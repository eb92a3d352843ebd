import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tablesOf } from '../../../adapters/store-postgres/tables.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema, openIn } from './any-schema.ts'

const it = suite('PostgreSQL store: watching')

/** Longer than a test may take: whoever hears something has not looked for it. */
const NEVER_MS = 600_000

await onPostgres(it, (server) => {
  const { run } = server
  const listeners = (schema: string) =>
    run('SELECT pid FROM pg_stat_activity WHERE query = $1', [`LISTEN ${tablesOf(schema).channel}`])

  /** Two handles on one store; the second one watches. */
  const inTwo = async (
    pollIntervalMs: number,
    use: (append: () => Promise<void>, heard: () => Promise<void>, schema: string) => Promise<void>,
  ): Promise<void> => {
    const schema = anySchema()
    const one = await openIn(server, schema)
    const two = await openIn(server, schema, { pollIntervalMs })
    let times = 0
    two.store.watch(() => (times += 1))
    const append = async (): Promise<void> => void (await right(one.store.append([anyCommit()])))
    const heard = async (): Promise<void> => {
      await until(async () => times > 0)
      times = 0
    }
    try {
      await use(append, heard, schema)
    } finally {
      for (const storage of [one, two]) await closed(storage)
      await run(`DROP SCHEMA "${schema}" CASCADE`)
    }
  }

  it('hears another process without looking', () =>
    inTwo(NEVER_MS, async (append, heard, schema) => {
      await until(async () => (await listeners(schema)).length > 0)
      for (let n = 0; n < 5; n++) {
        await append()
        await heard()
      }
    }))

  it('hears that another process has moved a checkpoint, until it is told to stop', async () => {
    const schema = anySchema()
    const [one, two] = [await openIn(server, schema), await openIn(server, schema, { pollIntervalMs: NEVER_MS })]
    let [told, moved] = [0, 0n]
    const move = (): Promise<void> => right(one.readModels.move('list@1', moved, (moved += 1n), []))
    const stop = two.readModels.watch?.(() => (told += 1))
    try {
      await until(async () => (await listeners(schema)).length > 0)
      for (let n = 1; n <= 3; n += 1) {
        await move()
        await until(async () => told >= n)
      }
      stop?.()
      await move()
    } finally {
      for (const storage of [one, two]) await closed(storage)
      await run(`DROP SCHEMA "${schema}" CASCADE`)
    }
    assert.is(told, 3)
  })

  it('looks where no notification comes, and listens again when it can', () =>
    inTwo(20, async (append, heard, schema) => {
      await until(async () => (await listeners(schema)).length > 0)
      const [listener] = await listeners(schema)
      await run('SELECT pg_terminate_backend($1)', [listener?.['pid']])
      for (let n = 0; n < 3; n++) {
        await append()
        await heard()
      }
      await until(async () => (await listeners(schema)).some(({ pid }) => pid !== listener?.['pid']))
      await append()
      await heard()
    }))

  it('hears what came before it began to watch, and behind what it had when it was opened', async () => {
    const schema = anySchema()
    const one = await openIn(server, schema)
    const two = await openIn(server, schema)
    await right(one.store.append([anyCommit()]))
    let isHeard = false
    two.store.watch(() => (isHeard = true))
    await until(async () => isHeard)
    assert.is(await right(two.store.lastPosition()), 1n)
    for (const storage of [one, two]) await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('takes no notice of what others send on its channel', () =>
    inTwo(NEVER_MS, async (append, heard, schema) => {
      await until(async () => (await listeners(schema)).length > 0)
      for (const text of ['', 'x', 'x y', 'x 99999999999999999999999'])
        await run('SELECT pg_notify($1, $2)', [tablesOf(schema).channel, text])
      await append()
      await heard()
    }))
})

it.run()
