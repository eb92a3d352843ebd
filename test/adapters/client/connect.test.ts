import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, CountersignError, generateKey, type Client } from '../../../adapters/index.ts'
import { createUserTag } from '../../../core/api.ts'
import { ANSWER_BYTES_MAX, boundedText } from '../../../adapters/client/bounded-text.ts'
import { sources } from '../../system/tidy/source.ts'
import { packagesLoadedBy } from '../../system/tidy/imports.ts'
import { hosting } from '../http/transport.ts'

const it = suite('a client of a server that misbehaves')

type Seen = { readonly body: string; readonly stamp: unknown }
type Answering = (response: ServerResponse, attempt: number) => void

/** A server that answers each request in its own way, and what it was sent. */
const against = async (
  answering: Answering,
  use: (client: Client, seen: readonly Seen[]) => Promise<void>,
  options: Partial<Parameters<typeof connect>[0]> = {},
): Promise<void> => {
  const seen: Seen[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({ body: (await buffer(request)).toString(), stamp: request.headers['x-stamp'] })
    answering(response, seen.length)
  }
  await hosting(
    (request, response) => void listener(request, response),
    (url) =>
      use(
        connect({ url: `${url}/behind/a/proxy/`, organizationId: crypto.randomUUID(), key: generateKey(), ...options }),
        seen,
      ),
  )
}

const submitting = (client: Client, signal?: AbortSignal): Promise<CountersignError> =>
  client.submit(createUserTag, { userTagName: 'x', userIds: [] }, signal === undefined ? {} : { signal }).then(
    () => {
      throw new Error('it was answered')
    },
    (error: unknown) => {
      if (error instanceof CountersignError) return error
      throw error
    },
  )

const soon = { 'Retry-After': '0' }

it('sends the same bytes again where the server is busy or gone, and gives up in the end', async () => {
  await against(
    (response, attempt) => (attempt === 1 ? response.destroy() : response.writeHead(503, soon).end('busy')),
    async (client, seen) => {
      assert.is((await submitting(client)).code, 'UNAVAILABLE')
      assert.is(seen.length, 3)
      assert.is(new Set(seen.map(({ body, stamp }) => `${body} ${String(stamp)}`)).size, 1)
    },
  )
})

it('does not repeat what is refused', async () => {
  await against(
    (response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>'),
    async (client, seen) => {
      const { code, message } = await submitting(client)
      assert.equal([code, seen.length], ['INTERNAL', 1])
      assert.match(message, '404')
    },
  )
})

for (const [what, text] of Object.entries({
  'no JSON': '<html>',
  nothing: '',
  'another object': '{"activity":{"id":7}}',
  'a list': '[]',
  'half of it': '{"activity":',
})) {
  it(`says so when the answer is ${what}`, async () => {
    await against(
      (response) => response.writeHead(200).end(text),
      async (client) => assert.is((await submitting(client)).code, 'INTERNAL'),
    )
  })
}

/** A body without an end, and how many bytes of it were read. */
const endless = () => {
  const seen = { bytes: 0, isCancelled: false }
  const blanks = new Uint8Array(1024 * 1024).fill(0x20)
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (stream) => {
      seen.bytes += blanks.length
      stream.enqueue(blanks)
    },
    cancel: () => void (seen.isCancelled = true),
  })
  return { seen, body }
}

for (const status of [200, 503]) {
  it(`reads so much of an answer without an end, once, with the status ${status}`, async () => {
    const bodies: ReturnType<typeof endless>[] = []
    const sent: typeof fetch = () => {
      const one = endless()
      bodies.push(one)
      return Promise.resolve(new Response(one.body, { status }))
    }
    const url = 'https://countersign.example.com'
    const client = connect({ url, organizationId: crypto.randomUUID(), key: generateKey(), fetch: sent })
    const { code, message } = await submitting(client)
    assert.equal([code, bodies.length], ['INTERNAL', 1])
    assert.match(message, /^the answer has more than 128 MiB/)
    const [seen] = bodies.map((one) => one.seen)
    assert.is(seen?.isCancelled, true)
    assert.ok((seen?.bytes ?? Infinity) <= ANSWER_BYTES_MAX + 4 * 1024 * 1024)
  })
}

it('keeps no blanks before an answer, and each character that comes in pieces', async () => {
  const bytes = new TextEncoder().encode('{"name":"é €"} ')
  const pieces = [new Uint8Array(1024).fill(0x20), ...Array.from(bytes, (byte) => Uint8Array.of(byte))]
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (stream) => {
      for (const piece of pieces) stream.enqueue(piece)
      stream.close()
    },
  })
  assert.is(await boundedText({ body }), '{"name":"é €"} ')
  assert.is(await boundedText({ body: null }), '')
})

it('does not follow to another place', async () => {
  await against(
    (response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
    async (client, seen) => {
      assert.is((await submitting(client)).code, 'INTERNAL')
      assert.is(seen.length, 1)
    },
  )
})

it('stops waiting when its time is over, and when its signal aborts', async () => {
  let asked = 0
  const counted: typeof fetch = (...request) => {
    asked += 1
    return fetch(...request)
  }
  await against(
    () => undefined,
    async (client) => {
      const { code, cause } = await submitting(client)
      assert.is(code, 'UNAVAILABLE')
      assert.is(cause instanceof Error && cause.name, 'TimeoutError')
      assert.is(asked, 2)
    },
    { timeoutMs: 50, retriesMax: 1, fetch: counted },
  )
  const giveUp = new AbortController()
  await against(
    () => giveUp.abort(),
    async (client, seen) => {
      assert.is((await submitting(client, giveUp.signal)).code, 'ABORTED')
      assert.is((await submitting(client, giveUp.signal)).code, 'ABORTED')
      assert.is(seen.length, 1)
    },
  )
})

it('refuses a URL or a key that cannot be one', () => {
  const caller = { organizationId: crypto.randomUUID(), key: generateKey() }
  for (const url of ['', 'localhost:8080', 'ftp://example.com', 'http://'])
    assert.throws(() => connect({ ...caller, url }), /url/)
})

it('needs nothing of Node', () => {
  const loaded = packagesLoadedBy(sources('.'), 'adapters/client/index.ts')
  assert.equal([...loaded].toSorted(), ['@noble/curves', '@noble/hashes', 'fp-ts', 'io-ts'])
})

it.run()
