import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flatten } from '../../../core/organization/snapshot.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { right, world } from '../../core/world/world.ts'
import { anomaliesOf } from './checker.ts'
import { crowd } from './crowd.ts'
import { entriesOf, folded } from './logged.ts'

const it = suite('crowd')

it('leaves a consistent history when fifty clients submit, vote and change the rules at once', async () => {
  const folder = await temporaryFolder()
  const store = right(await openSqliteStore({ path: `${folder.path}/crowd.db` })())
  const busy = await world({
    store,
    testClock: { ...systemClock(), set: () => undefined, pass: () => undefined },
    limits: { userTags: 10_000, policies: 10_000 },
  })
  const history = await crowd(busy, { clients: 50, callsEach: 24, seed: 1 })

  assert.equal(anomaliesOf(history), [])
  assert.ok(history.log.some(({ event }) => event === 'completed'))
  assert.ok(history.log.some(({ event }) => event === 'rejected'))
  const codes = new Set(history.calls.map(({ heard }) => (heard?._tag === 'refused' ? heard.code : '')))
  assert.not(codes.has('INTERNAL'))
  assert.not(codes.has('CONFLICT'))

  const live = right(await busy.engine.replayOrganization(busy.organizationId)()).state
  const entries = await entriesOf(busy.storage, busy.organizationId)
  const again = folded(busy.engine.catalogue, busy.organizationId, entries)
  assert.equal(flatten(live), flatten(again))
  await busy.close()
  await folder.remove()
})

it.run()
