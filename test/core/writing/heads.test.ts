import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import type { Head } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import { heads } from '../../../core/writing/heads.ts'
import { right } from '../world/world.ts'
import { quiet } from '../world/under-way.ts'

const it = suite('heads')

const headAt = (sequence: bigint): Head => ({ sequence, position: sequence, line: new Uint8Array() })

/** A log that grows by an event whenever a read begins, and reads that end when they are let go. */
const stage = () => {
  const open: (() => void)[] = []
  let sequence = 0n
  const reading = heads({
    head: () => () => {
      const found = headAt((sequence += 1n))
      return new Promise((resolve) => open.push(() => resolve(E.right(found))))
    },
  })
  const read = async (organization = 'acme') => right(await reading.read(organization))?.sequence
  return { open, read }
}

it('read once for all who asked before the read began, and again for those who came later', async () => {
  const { open, read } = stage()
  const first = read()
  await quiet()
  const later = Array.from({ length: 20 }, () => read())
  await quiet()
  assert.is(open.length, 1)
  open[0]?.()
  assert.is(await first, 1n)
  await quiet()
  const last = read() // the second read has begun
  open[1]?.()
  assert.equal(new Set(await Promise.all(later)), new Set([2n]))
  await quiet()
  open[2]?.()
  assert.is(await last, 3n)
  assert.is(open.length, 3)
})

it('are read apart for each organization', async () => {
  const { open, read } = stage()
  const both = [read('acme'), read('other')]
  for (const end of open) end()
  assert.equal(await Promise.all(both), [1n, 2n])
})

it('are read again after a read that failed or threw', async () => {
  const answers = [
    () => Promise.resolve(E.left(failure('UNAVAILABLE', 'no'))),
    () => Promise.reject(new Error('thrown')),
    () => Promise.resolve(E.right(headAt(7n))),
  ]
  const reading = heads({ head: () => () => answers.shift()?.() ?? Promise.resolve(E.right(undefined)) })
  const [failed, thrown] = [reading.read('acme'), reading.read('acme')]
  assert.is(E.isLeft(await failed), true)
  assert.is((await Promise.allSettled([thrown]))[0]?.status, 'rejected')
  assert.equal(right(await reading.read('acme')), headAt(7n))
})

it.run()
