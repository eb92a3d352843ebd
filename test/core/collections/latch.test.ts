import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { latch } from '../../../core/collections/latch.ts'

const it = suite('latch')

const never = new Promise<never>(() => undefined)

it('wakes everybody who waits, once, and nobody who has called that off', () => {
  const woken: string[] = []
  const { pass, when, isPast } = latch()
  when(() => void woken.push('one'))
  when(() => void woken.push('two'))()
  assert.equal([woken, isPast()], [[], false])
  pass()
  pass()
  assert.equal([woken, isPast()], [['one'], true])
  when(() => void woken.push('late'))
  assert.equal(woken, ['one', 'late'])
})

it('gives what a promise gives, or nothing if it comes first', async () => {
  const { pass, unlessPast } = latch()
  assert.is(await unlessPast(Promise.resolve(1)), 1)
  const refused = await unlessPast(Promise.reject(new Error('refused'))).catch((thrown: unknown) => thrown)
  assert.instance(refused, Error)
  const waiting = unlessPast(never)
  pass()
  assert.is(await waiting, undefined)
  assert.is(await unlessPast(never), undefined)
})

it.run()
