import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Commit } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import { lane } from '../../../core/writing/lane.ts'
import { testClock } from '../world/world.ts'

const it = suite('lane')

it('lets a commit wait for those before it, and for none that come behind', async () => {
  const groups: string[][] = []
  const writer = lane({ store: { ...memoryStore().store, ...recording(groups) }, clock: testClock() }, { groupMax: 10 })
  const append = (organization: string): void => writer.append(commitOf(organization), () => undefined)
  for (let n = 0; n < 35; n += 1) append('noisy')
  append('quiet')
  for (let n = 0; n < 100; n += 1) append('noisy')
  await writer.idle()
  assert.ok(groups.slice(0, 4).some((group) => group.includes('quiet')))
  assert.is(groups.flat().length, 136)
})

const commitOf = (organization: string): Commit => ({ organization, expected: 'any', events: [], checks: [] })

const recording = (groups: string[][]) => ({
  append: (commits: readonly Commit[]) => async () => {
    groups.push(commits.map(({ organization }) => organization))
    return E.right(commits.map(() => ({ _tag: 'committed', position: 1n, sequence: 1n }) as const))
  },
})

it.run()
