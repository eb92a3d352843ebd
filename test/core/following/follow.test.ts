import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import type { Listener } from '../../../core/following/own-commits.ts'
import type { Handle } from '../../../core/following/handle.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'
import { inTime, isWaiting, quiet, until } from '../world/under-way.ts'
import { gate, placeOf, rowOf, stage } from './stage.ts'

const it = suite('follower')

const nothing = E.right([])

/** Notes what it is given, and lets itself be told what becomes of it. */
const noting = (become: (place: string) => Promise<void> = async () => undefined) => {
  const seen: string[] = []
  const handle: Handle = async (event) => {
    seen.push(placeOf(event))
    await become(placeOf(event))
    return nothing
  }
  return { seen, handle }
}

it('gives events one after the other, in order, to a handler that takes its time', async () => {
  const s = stage()
  for (const organization of ['a', 'b', 'a']) await s.append(organization)
  let inside = 0
  const { seen, handle } = noting(async () => {
    inside += 1
    await quiet()
    assert.is(inside, 1)
    inside -= 1
  })
  const following = await s.follow({ handle })
  right(await following.passed(3n))
  following.offer([await s.append('b')])
  right(await following.passed(4n))
  assert.equal(seen, ['a1', 'b1', 'a2', 'b2'])
})

it('stores rows and checkpoint of a handler that takes its time, at once', async () => {
  const s = stage()
  for (const organization of ['a', 'b']) await s.append(organization)
  const rows: Handle = async (event, position) => {
    await quiet()
    return E.right(rowOf(event, position))
  }
  const following = await s.follow({ handle: rows })
  right(await following.passed(2n))
  assert.equal([await s.rows(), await s.stored()], [['a1', 'b1'], 2n])
  const { handle } = noting()
  const other = await s.follow({ handle }, { storage: s.view().storage })
  await other.close()
  following.offer([await s.append('a')])
  right(await following.passed(3n))
  assert.is(await s.stored(), 3n)
})

it('reads no page before the one before was taken', async () => {
  const s = stage()
  for (let n = 0; n < 1_100; n += 1) await s.append('a')
  const { storage, faults } = s.view()
  const { closed, open } = gate()
  const { seen, handle } = noting(() => closed)
  const following = await s.follow({ handle }, { storage })
  assert.is(await isWaiting(following.passed(1n)), true)
  assert.equal([seen.length, faults.pages], [1, 1])
  open()
  right(await following.passed(1_100n))
  assert.equal([seen.length, faults.pages], [1_100, 3])
})

it('gives only events of the types that are asked for, and comes past the others', async () => {
  const s = stage()
  const { seen, handle } = noting()
  const following = await s.follow({ handle, types: ['ActivityFailed'] })
  for (let n = 0; n < 4; n += 1) following.offer([await s.append('a')])
  right(await following.passed(4n))
  await s.append('b')
  await s.append('b')
  right(await following.passed(6n))
  assert.equal(seen, ['a2', 'a4', 'b2'])
})

it('begins where it is told the first time, and at its checkpoint from then on', async () => {
  const s = stage()
  for (const organization of ['a', 'a']) await s.append(organization)
  const first = noting()
  const one = await s.follow({ handle: first.handle, after: 2n })
  await one.close() // before anything came
  for (const organization of ['a', 'a']) await s.append(organization)
  const second = noting()
  const two = await s.follow({ handle: second.handle, after: 4n })
  right(await two.passed(4n))
  assert.equal([first.seen, second.seen], [[], ['a3', 'a4']])
})

it('keeps nothing where it is told so', async () => {
  const s = stage()
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  const { seen, handle } = noting(async (place) => {
    if (place === 'a2') throw new Error('it never works')
  })
  const following = await s.follow({ handle, after: 1n, isDurable: false })
  right(await inTime(s.clock, following.passed(3n)))
  assert.equal(following.parked(), [{ organization: 'a', sequence: 2n }])
  await following.close()
  assert.equal([seen, right(await s.readModels.projections()())], [['a2', 'a2', 'a2', 'b1'], []])
})

it('parks an organization on whose event the handler rejects for ever, and takes it up when it is told to', async () => {
  const s = stage()
  for (const organization of ['a', 'a', 'b', 'a']) await s.append(organization)
  let isBroken = true
  const { seen, handle } = noting(async (place) => {
    if (isBroken && place === 'a2') throw new Error('secret')
  })
  const following = await s.follow({ handle })
  await until(() => following.stuck() !== undefined)
  assert.not.match(following.stuck()?.message ?? '', 'secret')
  right(await inTime(s.clock, following.passed(4n)))
  assert.equal(following.parked(), [{ organization: 'a', sequence: 2n }])
  assert.equal(seen, ['a1', 'a2', 'a2', 'a2', 'b1'])
  isBroken = false
  assert.equal(right(await following.retryParked()), [])
  assert.equal(seen.slice(5), ['a2', 'a3'])
})

it('waits with a handler that cannot go on now, parks nobody for it, and gives nothing twice that was taken', async () => {
  const s = stage()
  for (const organization of ['a', 'b', 'c']) await s.append(organization)
  const seen: string[] = []
  let isDown = true
  const following = await s.follow({
    handle: async (event) => {
      seen.push(placeOf(event))
      return isDown && placeOf(event) === 'b1' ? E.left(failure('UNAVAILABLE', 'the service does not answer')) : nothing
    },
  })
  for (let n = 0; n < 5; n += 1) {
    await until(() => following.stuck()?.code === 'UNAVAILABLE')
    s.clock.pass(200)
    await quiet()
  }
  assert.equal([following.checkpoint(), await s.stored(), following.parked()], [1n, 1n, []])
  isDown = false
  right(await inTime(s.clock, following.passed(3n)))
  assert.equal([...new Set(seen)], ['a1', 'b1', 'c1'])
  assert.is(seen.filter((place) => place === 'a1').length, 1)
})

it('pauses before it tries an event again, also where it took others before that one', async () => {
  const s = stage()
  for (const organization of ['a', 'b']) await s.append(organization)
  const { seen, handle } = noting(async (place) => {
    if (place === 'b1') throw new Error('it never works')
  })
  const following = await s.follow({ handle })
  for (const times of [1, 2, 3]) {
    await until(() => seen.length === 1 + times)
    await quiet()
    assert.equal(seen.slice(1).length, times)
    s.clock.pass(200)
  }
  await until(() => following.parked().length === 1)
})

it('leaves behind, when it closes, a handler that never ends, and hears of it no more', async () => {
  const s = stage()
  await s.append('a')
  const { closed, open } = gate()
  let isTold = false
  const following = await s.follow(
    {
      handle: async (event, position, signal) => {
        signal.addEventListener('abort', () => (isTold = true))
        await closed
        return E.right(rowOf(event, position))
      },
    },
    { closeWithinMs: 1_000 },
  )
  await quiet()
  const waits = following.passed(1n)
  const retried = following.retryParked()
  await inTime(s.clock, following.close())
  assert.equal([isTold, codeOf(await waits), codeOf(await retried)], [true, 'UNAVAILABLE', 'UNAVAILABLE'])
  open()
  await quiet()
  assert.equal([await s.rows(), await s.stored()], [[], 0n])
})

it('stops between two events when it closes, and stores what was taken', async () => {
  const s = stage()
  for (const organization of ['a', 'a']) await s.append(organization)
  const { closed, open } = gate()
  const { seen, handle } = noting(() => closed)
  const following = await s.follow({ handle })
  await quiet()
  const closing = following.close()
  open()
  await closing
  assert.equal([seen, await s.stored()], [['a1'], 1n])
})

it('misses nothing of what is committed while it begins', async () => {
  const s = stage()
  const { storage } = s.view()
  let offer: Listener = () => undefined
  const commits = {
    listen: (listener: Listener) => {
      offer = listener
      return () => undefined
    },
  }
  const lastPosition = () => async () => {
    const last = await storage.store.lastPosition()()
    if (s.all.length === 0) offer([await s.append('a')], 1n) // the answer is under way
    return last
  }
  const { seen, handle } = noting()
  await s.follow({ handle }, { storage: { ...storage, store: { ...storage.store, lastPosition } }, commits })
  await until(() => seen.length === 1)
  assert.equal(seen, ['a1'])
})

it('reads only the gap before what it was offered', async () => {
  const s = stage()
  const { storage, faults } = s.view()
  const { seen, handle } = noting()
  const following = await s.follow({ handle }, { storage })
  const all = [await s.append('a'), await s.append('a'), await s.append('a'), await s.append('a')]
  following.offer(all.slice(2))
  right(await following.passed(4n))
  assert.equal([seen, faults.pages], [['a1', 'a2', 'a3', 'a4'], 1])
})

it('does not spin where it was offered what the store does not have', async () => {
  const s = stage()
  const { storage, faults } = s.view()
  const { seen, handle } = noting()
  const following = await s.follow({ handle }, { storage })
  const one = await s.append('a')
  following.offer([{ ...one, position: 5n }])
  s.clock.pass(1_000)
  await quiet()
  assert.ok(faults.pages < 5)
  assert.equal(seen, ['a1'])
})

it.run()
