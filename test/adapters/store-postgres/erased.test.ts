import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { testPorts } from '../../core/world/ports.ts'
import { begin, placeIn, type Place } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { anySchema, openIn } from './any-schema.ts'
import { onPostgres } from './server/on-postgres.ts'

const it = suite('PostgreSQL store: a person who was erased')

const NAME = 'Ada-canary'
/** So many events that a closing engine writes a snapshot. */
const TAGS = 60

await onPostgres(it, (server) => {
  const { run } = server
  const clock = systemClock()

  const serving = async (schema: string): Promise<Engine> =>
    createEngine({
      ...testPorts(),
      clock,
      store: await openIn(server, schema, { erasure: 'rewrite' }),
      resources: [...publicApi, ...erasure],
    })

  /** The tables of the store that have a row with the name, as text or as bytes. */
  const tablesWith = async (schema: string, name: string): Promise<readonly string[]> => {
    const found: string[] = []
    const tables = await run('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema])
    const hex = Buffer.from(name).toString('hex') // as the server writes bytes
    for (const { tablename } of tables) {
      const rows = await run(
        `SELECT 1 FROM "${schema}".${String(tablename)} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`,
        [name, hex],
      )
      if (rows.length > 0) found.push(String(tablename))
    }
    return found.sort()
  }

  const beside = (engine: Engine, { organizationId, root }: Place): Place =>
    placeIn({ engine, clock }, organizationId, root)

  it('is in no row, although two servers had the name in memory, after both were started anew', async () => {
    const schema = anySchema()
    const [first, second] = [await serving(schema), await serving(schema)]
    const one = await begin({ engine: first, clock })
    const ada = await one.enrol(NAME)
    for (let n = 0; n < TAGS; n += 1)
      await one.done(one.root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
    const two = beside(second, one)
    assert.ok(JSON.stringify(await two.answer(two.root, 'list_users')).includes(NAME))
    const snapshotting = await serving(schema)
    await beside(snapshotting, one).answer(one.root, 'list_users')
    await snapshotting.close()
    assert.equal(await tablesWith(schema, NAME), ['parts', 'snapshot_parts'])

    await one.done(one.root, 'delete_users', { userIds: [ada.userId] })
    const { id } = await one.done(one.root, 'erase_user', { userId: ada.userId })
    await until(async () => {
      const { activity } = await one.answer(one.root, 'get_activity', { activityId: id })
      return (activity as { readonly status: string }).status === 'ACTIVITY_STATUS_COMPLETED'
    })
    await second.close() // with its state from before: nobody has asked it since
    assert.equal(await tablesWith(schema, NAME), [])
    const third = await serving(schema)
    await first.close()
    const three = beside(third, one)
    assert.not.ok(JSON.stringify(await three.answer(three.root, 'list_users')).includes(NAME))
    await three.done(three.root, 'create_user_tag', { userTagName: 'later', userIds: [] })
    await third.close()
    assert.equal(await tablesWith(schema, NAME), [])
    assert.equal(await tablesWith(schema, 'tag 1').then((tables) => tables.includes('snapshot_parts')), true)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })
})

it.run()
