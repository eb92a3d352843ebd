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

const failed = (code: string, ...details: readonly object[]): string =>
  JSON.stringify({
    code: 8,
    message: 'no more',
    details: [{ '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode: code }, ...details],
  })
const quota = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'RESOURCE_EXHAUSTED',
  domain: 'countersign',
}

for (const [what, body, headers, code, times] of [
  ['too many requests', failed('RATE_LIMIT_EXCEEDED'), soon, 'RATE_LIMIT_EXCEEDED', 3],
  ['a quota', failed('RATE_LIMIT_EXCEEDED', quota), {}, 'RESOURCE_EXHAUSTED', 1],
  ['a quota of another server', failed('RATE_LIMIT_EXCEEDED'), {}, 'RATE_LIMIT_EXCEEDED', 1],
  ['a limit for an hour', failed('RATE_LIMIT_EXCEEDED'), { 'Retry-After': '3600' }, 'RATE_LIMIT_EXCEEDED', 1],
] as const) {
  it(`sends a request ${times === 1 ? 'once' : `${times} times`} where the answer is ${what}`, async () => {
    await against(
      (response) => response.writeHead(429, headers).end(body),
      async (client, seen) => {
        const error = await submitting(client)
        assert.equal([error.code, error.retry, seen.length], [code, undefined, times])
      },
    )
  })
}

it('sends the same bytes when the caller retries, and gives what the first call would have given', async () => {
  await against(
    (response, attempt) =>
      attempt === 1 ? response.destroy() : response.writeHead(403).end(failed('REQUEST_NOT_AUTHORIZED')),
    async (client, seen) => {
      const error = await submitting(client)
      assert.match(error.message, /^no answer from http:.*; the outcome is unknown: retry\(\) sends the same bytes$/)
      const denied: unknown = await error.retry?.().catch((thrown: unknown) => thrown)
      assert.ok(denied instanceof CountersignError)
      assert.equal([denied.code, denied.retry], ['REQUEST_NOT_AUTHORIZED', undefined])
      assert.equal(seen[1], seen[0])
    },
    { retriesMax: 0 },
  )
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
      assert.match((await submitting(client, giveUp.signal)).message, /any longer; the outcome is unknown: retry\(\)/)
    },
  )
})

it('refuses a URL or a key that cannot be one', () => {
  const caller = { organizationId: crypto.randomUUID(), key: generateKey() }
  for (const url of ['', 'localhost:8080', 'ftp://example.com', 'http://'])
    assert.throws(
      () => connect({ ...caller, url }),
      (error: unknown) => error instanceof CountersignError && /url: expected/.test(error.message),
    )
})

it('needs nothing of Node', () => {
  const loaded = packagesLoadedBy(sources('.'), 'adapters/client/index.ts')
  assert.equal([...loaded].toSorted(), ['@noble/curves', '@noble/hashes', 'fp-ts', 'io-ts'])
})

it.run()
