import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../until.ts'
import { fakeEngine } from './fake-engine.ts'
import { dial, post, serving, turns } from './transport.ts'

const it = suite('an HTTP server that stands still')

/** As a process that is stopped for a while: what arrives meanwhile waits, and limits of time pass. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const WHOLE = post('/public/v1/submit/create_users')
/** The pieces, and how long the server stands still behind each, in milliseconds. */
const late: readonly (readonly [string, ...(readonly [string, number])[]])[] = [
  ['a request', [WHOLE, 120]],
  ['a body', [WHOLE.slice(0, -1), 0], ['}', 120]],
  ['a request whose body began late', [WHOLE.slice(0, 10), 60], [WHOLE.slice(10, -1), 0], ['}', 60]],
  ['a request behind another one', [WHOLE + WHOLE.slice(0, -1), 0], ['}', 120]],
]
for (const [name, ...pieces] of late)
  it(`does not do ${name} that arrived while it stood still if it says that it took too long`, async () => {
    const engine = fakeEngine()
    await serving(engine, { headersTimeoutMs: 100, requestTimeoutMs: 100 }, async (url) => {
      const line = dial(url)
      await until(() => line.farEnd())
      for (const [index, [piece, ms]] of pieces.entries()) {
        await turns() // behind the reading of sockets: timers are next
        line.send(piece)
        if (index < pieces.length - 1) await turns()
        standStill(ms)
      }
      line.socket.end()
      const replies = await line.closed
      assert.is(engine.asked.length, replies.filter(({ status }) => status === 200).length)
      assert.is(replies.at(-1)?.status, 408)
    })
  })

it.run()
