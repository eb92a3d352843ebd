import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeEvent, type Event } from '../../../../core/log/event.ts'
import { noParts } from '../../../../core/log/parts.ts'
import { foldEvent } from '../../../../core/organization/fold.ts'
import { decodeStates, flatten } from '../../../../core/organization/snapshot.ts'
import { initial, type Draft } from '../../../../core/organization/state.ts'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { keptOpen } from '../../world/test-store.ts'
import { right } from '../../world/world.ts'
import { recordsOf } from '../../command/history.ts'
import { secondProcess } from '../../command/second-process.ts'
import { replacedIn } from './replaced.ts'
import { resources, tellRandom, type Step, type Told } from './random-persons.ts'

const it = suite('the fold of an erased log')

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.nat(99),
  who: fc.nat(9),
  whom: fc.nat(9),
  some: fc.nat(7),
})

/** The state that the log would lead to if the personal members of erased users had always been their fallbacks. */
const expectedAt = ({ w, parameters, erased }: Told, events: readonly Event[], until: bigint): Draft => {
  const draft = initial(w.organizationId)
  for (const event of events) {
    if (event.sequence > until) break
    right(foldEvent(draft, replacedIn(event, parameters, erased), w.engine.catalogue, noParts))
  }
  return draft
}

const eventsOf = async ({ w }: Told): Promise<readonly Event[]> =>
  (await recordsOf(w)).map(({ line }) => right(decodeEvent(line)))

const namesIn = (state: unknown): readonly string[] => JSON.stringify(state).match(/"(?:name|key) \d+"/g) ?? []

it('is the fold of the whole log, with the members of the erased replaced by their fallbacks', async () => {
  const seen = { erasures: 0, names: 0, snapshots: 0, activities: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 45 }), async (steps) => {
      const storage = keptOpen(memoryStore())
      const told = await tellRandom(steps, storage)
      const { w, erased } = told
      const events = await eventsOf(told)
      const last = events.at(-1)?.sequence ?? 0n
      const expected = flatten(expectedAt(told, events, last))
      assert.equal(flatten(right(await w.engine.replayOrganization(w.organizationId)()).state), expected)
      await w.close()
      const snapshot = right(await storage.readModels.snapshot(w.organizationId)())
      if (snapshot !== undefined) {
        const state = decodeStates(w.organizationId, snapshot.parts, w.engine.catalogue)
        if (state === undefined) throw new Error('the snapshot cannot be read')
        assert.equal(flatten(state), flatten(expectedAt(told, events, snapshot.sequence)))
        seen.snapshots += 1
      }
      const again = await secondProcess({ ...w, storage }, { resources })
      assert.equal(flatten(right(await again.replayOrganization(w.organizationId)()).state), expected)
      await again.close()
      seen.erasures += erased.size
      seen.names += namesIn(expected).length
      seen.activities += told.parameters.size
    }),
    { numRuns: 40 },
  )
  assert.ok(seen.erasures > 8 && seen.names > 40 && seen.snapshots > 20 && seen.activities > 200, JSON.stringify(seen))
})

it.run()
