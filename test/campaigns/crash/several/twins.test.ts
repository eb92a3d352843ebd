import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEmulator } from '../../../adapters/store-eventstoredb/emulator/emulator.ts'
import { onPostgres } from '../../../adapters/store-postgres/server/on-postgres.ts'
import { httpClient } from '../http-client.ts'
import { activityIn } from '../journal.ts'
import { deliver } from '../load.ts'
import { randomOf } from '../random.ts'
import { foundTown } from '../town.ts'
import { long } from '../../../long.ts'
import { onEventStoreDb } from './eventstoredb-place.ts'
import { startFleet } from './fleet.ts'
import type { Ground } from './ground.ts'
import { onPostgresServer } from './postgres-place.ts'
import { checkedAtRest } from './round.ts'

const it = suite('a body that all servers get in the same moment')

const SERVERS = 3
const BODIES = 48
const AT_ONCE = 6

/** Each server looks whether the activity is there, and finds nothing: only the store can refuse all creations but one. */
const createsOnce = async (ground: Ground): Promise<void> => {
  const town = foundTown()
  const place = await ground.place([town], randomOf('twins'))
  const fleet = startFleet({ place, servers: SERVERS, storeOf: () => place.address, nextLife: () => undefined })
  await fleet.calm(false)
  const [root] = town.roots
  if (root === undefined) throw new Error('a town needs somebody')
  const bodies = Array.from({ length: BODIES }, (_, n) => {
    const parameters = { userTagName: `tag ${n}`, userIds: [] }
    return town.submit(root, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters)
  })
  for (let n = 0; n < BODIES; n += AT_ONCE)
    await Promise.all(
      bodies.slice(n, n + AT_ONCE).flatMap((sent, index) =>
        fleet.urls().map(async (url, server) => {
          const client = httpClient(`server ${server}, request ${index}`) // time runs forward for each: they are sent at once
          assert.ok(await deliver(place, client, url, sent))
          client.close()
        }),
      ),
    )
  const answers = place.journal.answers()
  assert.is(answers.length, BODIES * SERVERS)
  for (const answered of answers) assert.is(activityIn(answered)?.id, answered.activityId, `${answered.status}`)
  const { violations } = await checkedAtRest(place, fleet)
  await fleet.close()
  assert.equal([...violations, ...fleet.violations()], [])
  await place.close(false)
}

await onPostgres(it, (server) => {
  it('is one activity on PostgreSQL', () => createsOnce(onPostgresServer(server)))

  long(it)('is one activity on EventStoreDB', async () => {
    const log = await startEmulator()
    await createsOnce(onEventStoreDb(log, server))
    await log.stop()
  })
})

it.run()
