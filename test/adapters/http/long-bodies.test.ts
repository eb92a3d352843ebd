import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { parseStrict } from '../../../core/json/strict-json.ts'
import { E, TE } from '../../../core/prelude.ts'
import { many } from '../../core/json/texts.ts'
import { until } from '../../until.ts'
import { fakeEngine, type FakeEngine } from './fake-engine.ts'
import { dial, heard, json, post, serving } from './transport.ts'

const it = suite('long bodies')

const QUERY = '/public/v1/query/whoami'

/** An engine that parses each body, as the real one does first of all. */
const parsing = (): FakeEngine =>
  fakeEngine({
    query:
      (_, { body }) =>
      async () => {
        const parsed = parseStrict(body)
        return E.isLeft(parsed) ? parsed : TE.right({ bytes: body.length })()
      },
  })

const LONG = `{${many((i) => `"\\u0061\\/${i}":1`)}}`

it('do not make a short one wait that comes in the same moment', async () => {
  await serving(parsing(), {}, async (url) => {
    const order: string[] = []
    const [long, short] = [dial(url), dial(url)]
    long.socket.once('data', () => order.push('long'))
    short.socket.once('data', () => order.push('short'))
    const bytes = post(QUERY, LONG)
    long.send(bytes.slice(0, -1))
    await heard(long)
    long.send(bytes.slice(-1))
    short.send(post(QUERY))
    await until(() => order.length === 2)
    assert.equal(order, ['short', 'long'])
    for (const line of [long, short]) line.socket.end()
  })
})

it('are answered as if they had been parsed at once', async () => {
  await serving(parsing(), {}, async (url) => {
    for (const [body, status, message] of [
      [LONG, 200, undefined],
      [`${LONG.slice(0, -1)},"a/0":2}`, 400, /no second member of the same name/],
      [`[${many(() => '['.repeat(33))}`, 413, /a nesting of at most 32/],
    ] as const) {
      const reply = await fetch(url + QUERY, { method: 'POST', body: encodeUtf8(body) })
      assert.is(reply.status, status)
      const answer = (await reply.json()) as { message?: string }
      if (message !== undefined) assert.match(answer.message ?? '', message)
    }
  })
})

it('are parsed one after the other, and all of them are answered', async () => {
  await serving(parsing(), {}, async (url) => {
    const lines = Array.from({ length: 3 }, () => dial(url))
    for (const line of lines) line.send(post(QUERY, LONG))
    await until(() => lines.every((line) => line.replies().length === 1))
    for (const line of lines) {
      assert.is(json(line.replies()[0]).bytes, LONG.length)
      line.socket.end()
    }
  })
})

it.run()
