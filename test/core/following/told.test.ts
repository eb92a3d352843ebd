import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure, type Failure } from '../../../core/failure.ts'
import type { FollowerOptions } from '../../../core/following/follower.ts'
import type { ReadModels, RowChange } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { gate, placeOf, rowOf, stage } from './stage.ts'

const it = suite('what a follower is told, and writes between batches')

const ownRow = (key: string): RowChange => {
  return { _tag: 'put', organization: '*', key, order: 0n, facets: {}, value: null }
}

const rows: FollowerOptions['handle'] = (event, position) => rowOf(event, position)

/** What a follower tells, in order. */
const hearing = () => {
  const told: string[] = []
  const tells = {
    onStored: () => void told.push('stored'),
    onStale: () => void told.push('stale'),
    onRewound: () => void told.push('rewound'),
  }
  return { told, tells, forget: () => void told.splice(0) }
}

/** The storage with something before each move. */
const withMoves = (storage: Storage, before: (from: bigint, to: bigint) => Promise<Failure | undefined>): Storage => {
  const move: ReadModels['move'] = (name, from, to, changes) => async () => {
    const refusal = await before(from, to)
    return refusal === undefined ? storage.readModels.move(name, from, to, changes)() : E.left(refusal)
  }
  return { ...storage, readModels: { ...storage.readModels, move } }
}

it('writes rows between batches, and leaves the checkpoint where it is', async () => {
  const s = stage()
  const following = await s.follow({ handle: rows })
  right(await following.write([ownRow('first')]))
  assert.equal([await s.rows(), await s.stored(), following.checkpoint()], [['first'], 0n, 0n])
  following.offer([await s.append('a'), await s.append('b')])
  right(await following.passed(2n))
  right(await following.write([ownRow('second'), { _tag: 'delete', organization: '*', key: 'a1' }]))
  assert.equal([await s.rows(), await s.stored(), following.checkpoint()], [['first', 'second', 'b1'], 2n, 2n])
  following.offer([await s.append('a')])
  right(await following.passed(3n))
  assert.equal([(await s.rows()).at(-1), await s.stored(), following.stuck()], ['a2', 3n, undefined])
})

it('writes what was to be written also where a batch moves the checkpoint meanwhile', async () => {
  const s = stage()
  let writes = 0
  const storage = withMoves(s.view().storage, async (from, to) => {
    if (from !== to) return undefined
    writes += 1
    if (writes > 2) return undefined
    following.offer([await s.append('a')])
    right(await following.passed(BigInt(writes)))
    return undefined
  })
  const following = await s.follow({ handle: rows }, { storage })
  right(await following.write([ownRow('own')]))
  assert.equal([writes, await s.rows(), await s.stored()], [3, ['own', 'a1', 'a2'], 2n])
})

it('says so where it cannot write, and tries no more than so often', async () => {
  const s = stage()
  let refusal = failure('UNAVAILABLE', 'the disk is full')
  let tries = 0
  const view = s.view()
  const storage = withMoves(view.storage, async () => {
    tries += 1
    return refusal
  })
  const following = await s.follow({ handle: rows }, { storage })
  assert.equal([codeOf(await following.write([ownRow('own')])), tries], ['UNAVAILABLE', 1])
  refusal = failure('CONFLICT', 'moved')
  assert.equal([codeOf(await following.write([ownRow('own')])), tries], ['CONFLICT', 101])
  view.faults.reads = failure('INTERNAL', 'no checkpoint')
  assert.equal([codeOf(await following.write([ownRow('own')])), tries], ['INTERNAL', 101])
  assert.equal(await s.rows(), [])
})

it('has a lease where it runs, and none where another process runs it or where it has ended', async () => {
  const s = stage()
  const one = await s.process().follow({ handle: rows })
  await quiet()
  const two = await s.process().follow({ handle: rows })
  await quiet()
  assert.equal([one.held()?.isCertain(), two.held()], [true, undefined])
  await one.close()
  assert.is(one.held(), undefined)
  await until(() => {
    s.clock.pass(1_000)
    return two.held() !== undefined
  })
  assert.is(two.held()?.isCertain(), true)
  await two.close()
  assert.is(two.held(), undefined)
})

it('has no lease any more where it was lost', async () => {
  const s = stage()
  const one = await s.process().follow({ handle: rows })
  await quiet()
  const held = one.held()
  right(await s.loseLease())
  const two = await s.process().follow({ handle: rows })
  await quiet()
  s.clock.pass(5_000) // the first one asks for a renewal
  await quiet()
  assert.equal([held?.isCertain(), one.held(), two.held()?.isCertain()], [false, undefined, true])
})

it('has no lease where it runs without one because the holder does nothing', async () => {
  const s = stage()
  const holder = s.process()
  const one = await holder.follow({ handle: rows })
  await quiet()
  const second = hearing()
  const two = await s.process().follow({ handle: rows, ...second.tells })
  await quiet()
  const { closed, open } = gate()
  holder.faults.held = closed
  await s.append('a')
  right(await inTime(s.clock, two.passed(1n)))
  assert.equal([two.held(), one.held()?.isCertain(), second.told], [undefined, true, ['stale', 'stored', 'stored']])
  open()
})

it('is held for ever where one process has the store', async () => {
  const s = stage()
  const following = await s.follow({ handle: rows })
  s.clock.pass(1_000_000_000)
  assert.is(following.held()?.isCertain(), true)
})

it('is told when rows of its handler were stored, and of no batch that has none', async () => {
  const s = stage()
  const { told, tells } = hearing()
  const stored: bigint[] = []
  const following = await s.follow({
    handle: (event, position) => (event.organization === 'a' ? rowOf(event, position) : []),
    ...tells,
    onStored: () => void stored.push(following.checkpoint()),
  })
  assert.equal(stored, [])
  for (const [position, organization] of ['a', 'b', 'a', 'b'].entries()) {
    following.offer([await s.append(organization)])
    right(await following.passed(BigInt(position + 1)))
  }
  right(await following.write([ownRow('own')]))
  assert.equal([stored, told], [[1n, 3n], []])
})

it('is told when it takes over, and of nothing stored while another process runs it', async () => {
  const s = stage()
  const [first, second] = [hearing(), hearing()]
  const one = await s.process().follow({ handle: rows, ...first.tells })
  await quiet()
  assert.equal(first.told, ['stale', 'stored'])
  const two = await s.process().follow({ handle: rows, ...second.tells })
  await quiet()
  await s.append('a')
  right(await two.passed(1n))
  assert.equal([first.told, second.told], [['stale', 'stored', 'stored'], ['stale']])
  second.forget()
  await one.close()
  await until(() => {
    s.clock.pass(1_000)
    return second.told.length > 0
  })
  assert.equal(second.told, ['stale', 'stored'])
  await two.close()
})

it('is told that rows may differ, and of nothing stored, where another process has moved the checkpoint before it', async () => {
  const s = stage()
  const { told, tells } = hearing()
  const { closed, open } = gate()
  const seen: string[] = []
  const following = await s.follow({
    handle: async (event, position) => {
      seen.push(placeOf(event))
      await closed
      return E.right(rowOf(event, position))
    },
    ...tells,
  })
  following.offer([await s.append('a')])
  const passed = following.passed(1n)
  await until(() => seen.length === 1)
  right(await s.readModels.move('follower', 0n, 1n, [ownRow('of the other')])())
  open()
  right(await passed)
  assert.equal([told, await s.rows()], [['stale'], ['of the other']])
  following.offer([await s.append('b')])
  right(await following.passed(2n))
  assert.equal(
    [told, seen],
    [
      ['stale', 'stored'],
      ['a1', 'b1'],
    ],
  )
})

it('is told that rows may differ where its own were not stored', async () => {
  const s = stage()
  const { told, tells } = hearing()
  const { storage, faults } = s.view()
  const following = await s.follow({ handle: rows, ...tells }, { storage })
  faults.moves = failure('UNAVAILABLE', 'the disk is full')
  following.offer([await s.append('a')])
  const passed = following.passed(1n)
  await until(() => following.stuck() !== undefined)
  assert.equal(told, ['stale'])
  delete faults.moves
  right(await inTime(s.clock, passed))
  assert.equal([told, await s.rows()], [['stale', 'stored'], ['a1']])
})

it('is told that rows may differ after the store has lost events, and when parked events were tried again', async () => {
  const s = stage()
  const { told, tells } = hearing()
  let isBroken = true
  const following = await s.follow({
    handle: (event, position) => {
      if (isBroken) throw new Error('a bug of the handler')
      return rowOf(event, position)
    },
    ...tells,
  })
  following.offer([await s.append('a')])
  right(await inTime(s.clock, following.passed(1n)))
  assert.equal(told, ['stored'], 'that it is parked is a row')
  isBroken = false
  assert.equal(right(await following.retryParked()), [])
  await quiet()
  assert.equal(told, ['stored', 'stale'])
  await following.startOver()
  right(await inTime(s.clock, following.passed(1n)))
  assert.equal(told, ['stored', 'stale', 'stale', 'rewound', 'stored'])
  assert.equal(await s.rows(), ['a1'])
})

it.run()
