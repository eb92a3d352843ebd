import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pace, pacedReading } from '../../../adapters/http/paced-reading.ts'

const it = suite('reading a connection in pieces')

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Both ends of a connection. */
const pair = async (use: (near: Socket, far: Socket) => Promise<void>): Promise<void> => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const [near] = (await once(server, 'connection')) as [Socket]
  try {
    await use(near, far)
  } finally {
    near.destroy()
    far.destroy()
    server.close()
  }
}

/** What a connection hands over, piece by piece. */
const listen = (near: Socket): { readonly pieces: Buffer[]; readonly ended: Promise<unknown> } => {
  const pieces: Buffer[] = []
  near.on('data', (piece: Buffer) => pieces.push(piece))
  return { pieces, ended: once(near, 'end') }
}

const HEAD = 'GET / HTTP/1.1\r\nHost: test\r\nUser-Agent: as long as a piece has to be\r\n\r\n'

it('ends each piece with the headers of a request, where there are several', () =>
  pair(async (near, far) => {
    const { pieces, ended } = listen(near)
    pacedReading(near, pace(), () => true)
    far.end(`${HEAD.repeat(3)}body`)
    await ended
    assert.equal(pieces.map(String), [HEAD, HEAD, `${HEAD}body`])
  }))

it('cuts no piece that is shorter than 64 bytes', () =>
  pair(async (near, far) => {
    const { pieces, ended } = listen(near)
    pacedReading(near, pace(), () => true)
    far.end('\r\n'.repeat(5000))
    await ended
    assert.ok(pieces.slice(0, -1).every(({ length }) => length >= 64))
  }))

it('hands over what it may, and the rest when it may again', () =>
  pair(async (near, far) => {
    const { pieces, ended } = listen(near)
    let may = 2
    const goOn = pacedReading(near, pace(), () => pieces.length < may)
    far.end(HEAD.repeat(5))
    while (pieces.length < 2) await tick()
    for (let turns = 0; turns < 10; turns += 1) await tick()
    assert.is(pieces.length, 2)
    may = 3
    goOn()
    assert.is(pieces.length, 3)
    may = 9
    goOn()
    await ended
    assert.is(Buffer.concat(pieces).toString(), HEAD.repeat(5))
  }))

it('hands over nothing to who has paused', () =>
  pair(async (near, far) => {
    const { pieces } = listen(near)
    near.on('data', () => near.pause())
    const goOn = pacedReading(near, pace(), () => true)
    far.write(HEAD.repeat(4))
    for (let n = 1; n <= 4; n += 1) {
      while (pieces.length < n) await tick()
      goOn()
      await tick()
      assert.is(pieces.length, n)
      near.resume()
    }
  }))

it('reads some 16 KiB of all connections in a turn of the event loop, each of them in its turn', () =>
  pair((near, far) =>
    pair(async (otherNear, otherFar) => {
      const byTurn = new Map<number, number>()
      const total = (): number => [...byTurn.values()].reduce((sum, bytes) => sum + bytes, 0)
      const last: Socket[] = []
      let turn = 0
      const count = (): void => {
        turn += 1
        if (!near.destroyed) setImmediate(count)
      }
      count()
      const shared = pace()
      for (const socket of [near, otherNear]) {
        socket.on('data', ({ length }: Buffer) => {
          byTurn.set(turn, (byTurn.get(turn) ?? 0) + length)
          last.push(socket)
        })
        pacedReading(socket, shared, () => true)
      }
      for (const socket of [far, otherFar]) socket.write(Buffer.alloc(1_000_000))
      while (total() < 2_000_000) await tick()
      // The turn that is counted here begins a little before or after the one in which is read.
      assert.ok([...byTurn.values()].every((bytes) => bytes <= 2 * 32_768))
      const switches = last.filter((socket, n) => n > 0 && socket !== last[n - 1]).length
      assert.ok(switches > 20, `${switches} switches`)
    }),
  ))

it('reads nothing behind what it may not hand over', () =>
  pair(async (near, far) => {
    listen(near)
    pacedReading(near, pace(), () => false)
    far.write(Buffer.alloc(20_000_000))
    while (near.bytesRead === 0) await tick()
    for (let turns = 0; turns < 50; turns += 1) await tick()
    assert.ok(near.bytesRead <= 2 * 65_536, `${near.bytesRead} bytes`)
  }))

it('lets requests of many connections take turns, however short they are', async () => {
  const order: number[] = []
  const shared = pace()
  const callBack = (n: number) => (): void => {
    if (!shared.take(18)) return shared.wait(callBack(n))
    order.push(n)
    if (order.length < 500) shared.wait(callBack(n))
  }
  for (const n of [1, 2, 3]) callBack(n)()
  await tick()
  assert.ok(order.length <= 2 * 16, `${order.length} in one turn`)
  while (order.length < 500) await tick()
  assert.equal(order.slice(0, 6), [1, 2, 3, 1, 2, 3])
})

it('hands over all bytes in their order, and then the end, whatever comes when', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.constantFrom('\r\n\r\n', HEAD, '\r', '\n\r\n'), fc.string(), fc.constant('x'.repeat(9000))),
        {
          maxLength: 20,
        },
      ),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
      async (parts, answers) => {
        await pair(async (near, far) => {
          const { pieces, ended } = listen(near)
          let asked = 0
          const goOn = pacedReading(near, pace(), () => answers[(asked += 1) % answers.length] ?? true)
          for (const part of parts) far.write(part)
          far.end()
          while (!near.readableEnded) {
            goOn()
            await tick()
            if (answers.every((answer) => !answer)) answers.push(true)
          }
          await ended
          assert.ok(Buffer.concat(pieces).equals(Buffer.from(parts.join(''))))
        })
      },
    ),
    { numRuns: 100 },
  ))

it.run()
