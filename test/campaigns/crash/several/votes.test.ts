import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../../../adapters/store-postgres/server/on-postgres.ts'
import { onPostgresServer } from './postgres-place.ts'
import { runVotes } from './votes.ts'

const it = suite('votes on several servers at once')

/** The whole number is for `npm run crash -- --store postgres --votes 10000`. */
const VOTES = 1_500

await onPostgres(it, (server) => {
  it('count once for each user, and complete each activity once, however many are sent', async () => {
    const { activities, sent, recorded, allowed, violations } = await runVotes(onPostgresServer(server), 'votes', VOTES)
    assert.equal(violations, [])
    assert.ok(activities > 0 && sent > VOTES / 2)
    assert.is(recorded, allowed)
  })
})

it.run()
