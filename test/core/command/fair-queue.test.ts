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
    queue.leave(order[left]?.split(' ')[0] ?? '')
  }
  assert.equal(order, ['noisy 1', 'noisy 2', 'quiet 1', 'noisy 3', 'quiet 2', 'noisy 4', 'noisy 5'])
})

it('lets others in while one organization has all that it may have inside, for however long', async () => {
  const queue = fairQueue(3, 2)
  const order: string[] = []
  for (const organization of ['a', 'a', 'a', 'a', 'b', 'b'])
    void queue.enter(organization).then(() => order.push(organization))
  await settle()
  assert.equal(order, ['a', 'a', 'b'])
  queue.leave('b')
  await settle()
  queue.leave('b')
  await settle()
  assert.equal(order, ['a', 'a', 'b', 'b'])
  queue.leave('a')
  await settle()
  assert.equal(order, ['a', 'a', 'b', 'b', 'a'])
})

it('keeps everybody moving, never more at once than there is room for, each organization in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (atOnce, arrivals, atOnceEach) => {
        const queue = fairQueue(atOnce, atOnceEach)
        const entered: { readonly organization: string; readonly n: number }[] = []
        arrivals.forEach(
          (organization, n) => void queue.enter(organization).then(() => entered.push({ organization, n })),
        )
        for (let left = 0; left < arrivals.length; left += 1) {
          await settle()
          const inside = entered.slice(left)
          assert.ok(inside.length <= atOnce)
          for (const name of ['a', 'b', 'c'])
            assert.ok(inside.filter(({ organization }) => organization === name).length <= atOnceEach)
          queue.leave(entered[left]?.organization ?? '')
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
