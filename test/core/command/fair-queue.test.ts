import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import fc from 'fast-check'
import { fairQueue } from '../../../core/command/fair-queue.ts'

const it = suite('fair queue')

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('lets a quiet organization in after one command of a noisy one', async () => {
  const queue = fairQueue(1)
  const order: string[] = []
  const come = (name: string, organization: string) => queue.enter(organization).then(() => order.push(name))
  void come('noisy 1', 'noisy')
  for (const n of [2, 3, 4, 5]) void come(`noisy ${n}`, 'noisy')
  void come('quiet 1', 'quiet')
  void come('quiet 2', 'quiet')
  for (let left = 0; left < 7; left += 1) {
    await settle()
    queue.leave()
  }
  assert.equal(order, ['noisy 1', 'noisy 2', 'quiet 1', 'noisy 3', 'quiet 2', 'noisy 4', 'noisy 5'])
})

it('keeps everybody moving, never more at once than there is room for, each organization in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
      async (atOnce, arrivals) => {
        const queue = fairQueue(atOnce)
        const entered: { readonly organization: string; readonly n: number }[] = []
        arrivals.forEach(
          (organization, n) => void queue.enter(organization).then(() => entered.push({ organization, n })),
        )
        for (let left = 0; left < arrivals.length; left += 1) {
          await settle()
          assert.ok(entered.length - left <= atOnce)
          queue.leave()
        }
        await settle()
        assert.is(entered.length, arrivals.length)
        for (const name of ['a', 'b', 'c']) {
          const own = entered.filter(({ organization }) => organization === name).map(({ n }) => n)
          assert.equal(
            own,
            own.toSorted((x, y) => x - y),
          )
        }
      },
    ),
    { numRuns: 60 },
  )
})

it.run()
