import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { slices } from '../../../core/collections/slices.ts'

const it = suite('work in slices')

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('breathes between two slices', async () => {
  const order: string[] = []
  const work = slices(async () => void order.push('breath'))
  let left = 3
  await work(() => {
    order.push('slice')
    left -= 1
    return left === 0
  })
  assert.equal(order.slice(0, 5), ['slice', 'breath', 'slice', 'breath', 'slice'])
})

it('does one slice between two breaths, however much work there is', async () => {
  let breaths = 0
  const during: number[] = []
  const work = slices(async () => {
    breaths += 1
    await tick()
  })
  const ofTwo = (): Promise<void> => {
    let left = 2
    return work(() => {
      during.push(breaths)
      left -= 1
      return left === 0
    })
  }
  await Promise.all([ofTwo(), ofTwo(), ofTwo()])
  assert.equal(during, [0, 1, 2, 3, 4, 5])
})

it('does one piece of work after the other', async () => {
  const order: string[] = []
  const work = slices(tick)
  const named = (name: string): Promise<void> => {
    let left = 3
    return work(() => {
      order.push(name)
      left -= 1
      return left === 0
    })
  }
  await Promise.all([named('a'), named('b')])
  assert.equal(order, ['a', 'a', 'a', 'b', 'b', 'b'])
})

it.run()
