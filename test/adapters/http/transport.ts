import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../../core/engine.ts'
import { httpServer, type HttpServer, type HttpServerOptions } from '../../../adapters/http/index.ts'

/** Runs `use` against a server on a free port, and closes it whatever happens. */
export const serving = async (
  engine: Engine,
  options: HttpServerOptions,
  use: (url: string, server: HttpServer) => Promise<void>,
): Promise<void> => {
  const server = httpServer(engine, { drainTimeoutMs: 2000, ...options })
  const { url } = await server.listen()
  try {
    await use(url, server)
  } finally {
    await server.close()
  }
}

/** One reply as it came over the socket; header names in lower case. */
export type RawReply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export type Line = {
  readonly socket: Socket
  readonly send: (bytes: string | Uint8Array) => void
  /** The replies so far that are complete. */
  readonly replies: () => readonly RawReply[]
  /** Everything that came, when the other side has closed. */
  readonly closed: Promise<readonly RawReply[]>
}

/** A socket to the server, for what a well-behaved client cannot say. */
export const dial = (url: string): Line => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  const replies = (): readonly RawReply[] => parseReplies(Buffer.concat(chunks).toString('latin1'))
  const closed = new Promise<readonly RawReply[]>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined) // a reset is a way to close
    socket.once('end', () => socket.end())
    socket.once('close', () => resolve(replies()))
  })
  return { socket, send: (bytes) => socket.write(bytes), replies, closed }
}

/** Sends the bytes, says that nothing follows, and waits until the other side closes. */
export const say = (url: string, bytes: string | Uint8Array): Promise<readonly RawReply[]> => {
  const line = dial(url)
  line.socket.end(bytes)
  return line.closed
}

/** A POST as text; `headers` are lines. */
export const post = (path: string, body = '{}', headers: readonly string[] = []): string =>
  [`POST ${path} HTTP/1.1`, 'Host: test', `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join(
    '\r\n',
  )

/** Waits until the claim holds; fails after twenty seconds. */
export const until = async (claim: () => boolean, what = 'what the test waits for'): Promise<void> => {
  for (let waited = 0; !claim(); waited += 5) {
    if (waited > 20_000) throw new Error(`not within twenty seconds: ${what}`)
    await sleep(5)
  }
}

export const json = (reply: RawReply | undefined): { readonly [member: string]: unknown } =>
  JSON.parse(reply?.body ?? 'null') as { readonly [member: string]: unknown } // every reply is an object

const parseReplies = (text: string): readonly RawReply[] => {
  const replies: RawReply[] = []
  let rest = text
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    if (rest.length < end + 4 + length) break
    replies.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return replies
}
