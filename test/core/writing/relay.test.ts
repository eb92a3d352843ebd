import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { relay } from '../../../core/writing/relay.ts'
import { isWaiting, quiet } from '../world/under-way.ts'
import { testClock } from '../world/world.ts'

const it = suite('a relay')

const lost = E.left(failure('UNAVAILABLE', 'lost'))

/** A relay whose baton the test gives, and what happens, in order. */
const watched = () => {
  const happened: string[] = []
  const clock = testClock()
  let give: ((outcome: 'given' | 'not to be had') => void) | undefined
  let storing: Promise<boolean> | undefined
  const { enter } = relay({
    clock,
    catchUp: async () => void happened.push('caught up'),
    cellOf: () => ({
      tip: { sequence: 1n, hash: '' },
      pending: { size: storing === undefined ? 0 : 1 },
      durableTo: async () => storing ?? true,
    }),
    batons: {
      hold: (name, job) => async () => {
        happened.push(`asks for ${name}`)
        const outcome = await new Promise<string>((resolve) => (give = resolve))
        if (outcome !== 'given') return lost
        await job()
        happened.push('passed on')
        return E.right(undefined)
      },
    },
  })
  return {
    clock,
    happened,
    enter: () => enter('acme'),
    give: (outcome: 'given' | 'not to be had') => give?.(outcome),
    /** What was decided is being stored, until the function is called. */
    store: (): (() => void) => {
      let stored = (): void => undefined
      storing = new Promise((resolve) => (stored = () => resolve(true)))
      return () => {
        storing = undefined
        stored()
      }
    },
  }
}

it('lets in who waits when it has the baton, and is caught up; and who comes meanwhile, at once', async () => {
  const { clock, happened, enter, give } = watched()
  const [first, second] = [enter(), enter()]
  assert.is(await isWaiting(first), true)
  give('given')
  const leaves = [await first, await second]
  assert.is(await isWaiting(enter().then((leave) => leave())), false)
  for (const leave of leaves) leave()
  clock.pass(1_000)
  await quiet()
  clock.pass(1_000)
  await quiet()
  assert.equal(happened, ['asks for acme', 'caught up', 'passed on'])
})

it('keeps the baton while somebody decides, and until what was decided is stored', async () => {
  const { clock, happened, enter, give, store } = watched()
  const entered = enter()
  give('given')
  const leave = await entered
  for (let n = 0; n < 3; n += 1) {
    clock.pass(1_000)
    await quiet()
  }
  assert.is(happened.includes('passed on'), false)
  const stored = store()
  leave()
  await quiet()
  clock.pass(1_000)
  await quiet()
  assert.is(happened.includes('passed on'), false)
  stored()
  await quiet()
  assert.is(happened.includes('passed on'), true)
})

it('keeps the baton for a while for those who come one after the other, but not for ever', async () => {
  const { clock, happened, enter, give } = watched()
  const first = enter()
  give('given')
  ;(await first)()
  let turns = 0
  while (!happened.includes('passed on')) {
    const entered = enter()
    clock.pass(10)
    if (await isWaiting(entered)) break
    ;(await entered)()
    turns += 1
  }
  assert.ok(turns > 2, `${turns} turns`)
  assert.is(happened.filter((one) => one.startsWith('asks')).length, 2)
})

it('lets nobody in after its time, and asks for the baton again for those', async () => {
  const { clock, happened, enter, give } = watched()
  const first = enter()
  give('given')
  const leave = await first
  clock.pass(1_000)
  leave()
  await quiet()
  clock.pass(1_000)
  await quiet()
  const late = enter()
  assert.is(await isWaiting(late), true)
  give('given')
  ;(await late)()
  assert.equal(happened, ['asks for acme', 'caught up', 'passed on', 'asks for acme', 'caught up'])
})

it('lets in who waits where the baton is not to be had', async () => {
  const { enter, give, happened } = watched()
  const [first, second] = [enter(), enter()]
  await quiet()
  give('not to be had')
  for (const leave of [await first, await second]) leave()
  assert.equal(happened, ['asks for acme'])
})

it.run()
