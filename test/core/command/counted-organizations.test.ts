import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countedOrganizations } from '../../../core/command/counted-organizations.ts'

const it = suite('counted organizations')

/** What happens next: an event of an organization becomes durable, one is given, or the count does a step. */
const step = fc.oneof(
  fc.record({ does: fc.constant('appends' as const), organization: fc.integer({ min: 0, max: 8 }) }),
  fc.record({ does: fc.constant('gives' as const), organization: fc.constant(0) }),
  fc.record({ does: fc.constant('counts' as const), organization: fc.constant(0) }),
)

it('have each event exactly once, in whatever order events, pages and counts come', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 3 }), (steps, pageLength) => {
      const log: string[] = [] // the position of an event is its index + 1
      const ids = (): readonly string[] => [...new Set(log)].toSorted()
      const counting = countedOrganizations<string>()
      const seen = new Map<string, number>()
      const add = (organization: string, by: number): void =>
        void seen.set(organization, (seen.get(organization) ?? 0) + by)
      let given = 0
      const give = (): void => {
        const organization = log[given]
        if (organization === undefined) return
        given += 1
        if (counting.isToAdd(organization, BigInt(given), organization)) add(organization, 1)
      }

      // Each count is two steps, so that events come between the reading and what is done with it.
      let then: (() => void) | undefined
      const count = (): void => {
        if (then !== undefined) {
          then()
          then = undefined
        } else if (counting.uncounted().length > 0) {
          const [organization = ''] = counting.uncounted()
          const own = log.filter((each) => each === organization).length
          const end = BigInt(log.lastIndexOf(organization) + 1)
          then = () => {
            add(organization, own)
            for (const each of counting.counted(organization, end, BigInt(given))) add(each, 1)
          }
        } else if (!counting.isDone()) {
          const after = counting.begin()
          const page = ids()
            .filter((id) => id > after)
            .slice(0, pageLength)
          then = () => counting.page(page, page.length < pageLength)
        }
      }

      for (const { does, organization } of steps) {
        if (does === 'appends') log.push(`organization ${organization}`)
        else if (does === 'gives') give()
        else count()
      }
      const isCounting = (): boolean => !counting.isDone() || then !== undefined
      while (isCounting()) count()
      while (given < log.length) give()
      const expected = new Map(ids().map((id) => [id, log.filter((each) => each === id).length]))
      assert.equal(Object.fromEntries(seen), Object.fromEntries(expected))
    }),
    { numRuns: 3_000 },
  )
})

it.run()
