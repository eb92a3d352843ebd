import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keptAlive } from '../../../adapters/clock/kept-alive.ts'
import { fetchHandler } from '../../../adapters/http/fetch-handler.ts'
import { TE } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { fakeEngine, holding } from './fake-engine.ts'

const it = suite('what requests and responses hold of a host')

const SUBMIT = 'https://api.example.com/public/v1/submit/create_user_tag'
const QUERY = 'https://api.example.com/public/v1/query/get_activity'

const post = (url: string, body: string | ReadableStream<Uint8Array> = '{}'): Request =>
  new Request(url, { method: 'POST', body, ...(typeof body === 'string' ? {} : { duplex: 'half' }) })

const vast = (asked: string[] = []) =>
  fakeEngine({
    query: (operation) => {
      asked.push(operation)
      return TE.right({ text: 'x'.repeat(200_000) })
    },
  })

it('lets long answers wait until others are read, and asks again then', async () => {
  const asked: string[] = []
  const handler = fetchHandler(vast(asked), { answerBytesHeldMax: 300_000 })
  const first = await handler(post(QUERY))
  const second = handler(post(QUERY))
  await until(() => asked.length === 2)
  assert.is((await first?.text())?.length, 200_000 + '{"text":""}'.length)
  assert.is((await (await second)?.text())?.length, 200_000 + '{"text":""}'.length)
  assert.is(asked.length, 3)
  assert.is(first?.headers.get('content-length'), String(200_000 + '{"text":""}'.length))
})

it('cuts off an answer that nobody reads, or that its reader gives up, as soon as others wait', async () => {
  const handler = fetchHandler(vast(), {
    answerBytesHeldMax: 300_000,
    requestTimeoutMs: 50,
  })
  const bare = (): Request => new Request(QUERY, { method: 'POST' }) // no body that could be too slow
  const unread = await handler(bare())
  const givenUp = await keptAlive()(handler(bare())) // the timer of the handler does not keep a process alive
  let failed: unknown
  await unread?.text().catch((error: unknown) => (failed = error))
  assert.instance(failed, Error)
  await givenUp?.body?.cancel()
  assert.is((await (await handler(bare()))?.text())?.length, 200_000 + '{"text":""}'.length)
})

it('has bodies give way to others, like the server', async () => {
  const { engine, waiting, release } = holding()
  const handler = fetchHandler(engine, { bodyBytesMax: 50_000, bodyBytesHeldMax: 100_000 })
  let pieces = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    pieces += 1
    if (pieces === 1) controller.enqueue(Buffer.from('x'.repeat(40_000)))
  }
  const slow = handler(post(SUBMIT, new ReadableStream({ pull }, { highWaterMark: 0 })))
  await until(() => pieces === 2)
  const others = [1, 2].map((n) => handler(post(SUBMIT, `"${n}${'x'.repeat(45_000)}"`)))
  assert.is((await slow)?.status, 429)
  await until(() => waiting() === 2)
  release()
  release()
  for (const other of others) assert.is((await other)?.status, 200)
})

it.run()
