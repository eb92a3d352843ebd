import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import fc from 'fast-check'
import { fairQueue } from '../../../core/collections/fair-queue.ts'

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

it('says how many go on before a newcomer: exactly if nobody of its organization waits, else at most one too many for each other line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.constantFrom('a', 'b', 'c', 'leave'), { maxLength: 40 }),
      fc.constantFrom('a', 'b', 'new'),
      async (atOnce, steps, newcomer) => {
        const queue = fairQueue(atOnce)
        const inside: string[] = []
        const waiting: string[] = []
        const entered: string[] = []
        const join = (organization: string, name = organization): void => {
          waiting.push(organization)
          queue.join(organization, () => {
            waiting.splice(waiting.indexOf(organization), 1)
            inside.push(organization)
            entered.push(name)
          })
        }
        const leave = (): void => {
          const gone = inside.shift()
          if (gone !== undefined) queue.leave(gone)
        }
        for (const step of steps) {
          if (step === 'leave') leave()
          else join(step)
        }
        const [ahead, own, lines] = [queue.ahead(newcomer), waiting.filter((one) => one === newcomer), new Set(waiting)]
        const before = entered.length
        join(newcomer, 'the newcomer')
        while (waiting.length > 0) leave()
        const passed = entered.indexOf('the newcomer') - before
        assert.ok(passed <= ahead)
        assert.ok(ahead - passed <= (own.length === 0 ? 0 : lines.size - 1))
      },
    ),
    { numRuns: 300 },
  )
})

it.run()
