import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HeldBodies, type HeldBody } from '../../../adapters/http/held-bodies.ts'

const it = suite('bodies in memory')

const piece = (length: number): Uint8Array => new Uint8Array(length).fill(7)

it('holds the bytes of a body in their order, in whatever pieces they come', () =>
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9000, size: 'max' }), { maxLength: 8 }), (pieces) => {
      const whole = Buffer.concat(pieces)
      const body = new HeldBodies(1_000_000).begin(whole.length)
      for (const each of pieces) assert.ok(body.append(each))
      assert.ok(whole.equals(body.bytes()))
    }),
  ))

it('takes for a body no more than it can have, and at most twice what has arrived', () => {
  const body = new HeldBodies(1_000_000).begin(50_000)
  let allocated = 0
  for (let length = 1; length <= 50_000; length += 1) {
    body.append(piece(1))
    allocated = body.bytes().buffer.byteLength
    assert.ok(allocated <= Math.max(2 * length, 4096), `${allocated} bytes for ${length}`)
  }
  assert.is(allocated, 50_000)
})

it('has the body give way that came first and has not got to the engine', () => {
  const bodies = new HeldBodies(100_000)
  const gone: string[] = []
  const begin = (name: string): HeldBody => {
    const body = bodies.begin(30_000)
    body.giveWay = () => gone.push(name)
    assert.ok(body.append(piece(30_000)))
    return body
  }
  const first = begin('first')
  begin('second')
  begin('third')
  first.keep()
  assert.equal(gone, [])
  begin('fourth')
  assert.equal(gone, ['second'])
  assert.is(first.bytes().length, 30_000)
  begin('fifth')
  assert.equal(gone, ['second', 'third'])
})

it('has a body give way again when the engine has done its work, after those that have waited for longer', () => {
  const bodies = new HeldBodies(60_000)
  const gone: string[] = []
  const [asked, arriving, next] = ['asked', 'arriving', 'next'].map((name) => {
    const body = bodies.begin(30_000)
    body.giveWay = () => gone.push(name)
    return body
  })
  asked?.append(piece(30_000))
  asked?.keep()
  arriving?.append(piece(30_000))
  asked?.offer()
  next?.append(piece(30_000))
  assert.equal(gone, ['arriving'])
  bodies.begin(30_000).append(piece(30_000))
  assert.equal(gone, ['arriving', 'asked'])
})

it('refuses bytes when all that is held is needed', () => {
  const bodies = new HeldBodies(100_000)
  const [kept, growing] = [bodies.begin(80_000), bodies.begin(80_000)]
  kept.append(piece(80_000))
  kept.keep()
  assert.ok(growing.append(piece(10_000)))
  assert.not.ok(growing.append(piece(10_001)), 'it does not give way to itself')
  assert.is(growing.bytes().length, 10_000)
  kept.release()
  assert.ok(growing.append(piece(10_001)))
})

it('does not count small bodies: there is room for them always', () => {
  const bodies = new HeldBodies(10_000)
  const large = bodies.begin(10_000)
  large.append(piece(10_000))
  large.keep()
  for (let n = 0; n < 100; n += 1) assert.ok(bodies.begin(4096).append(piece(4096)))
  const small = bodies.begin(10_000)
  assert.ok(small.append(piece(4096)))
  assert.not.ok(small.append(piece(1)))
})

it('counts what was released no more, once only', () => {
  const bodies = new HeldBodies(10_000)
  for (let n = 0; n < 10; n += 1) {
    const body = bodies.begin(10_000)
    assert.ok(body.append(piece(10_000)))
    body.keep()
    body.release()
    body.release()
  }
  const last = bodies.begin(10_000)
  assert.ok(last.append(piece(10_000)))
  last.keep()
  assert.not.ok(bodies.begin(10_000).append(piece(5000)))
})

it.run()
