import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Engine } from '../../../core/engine.ts'
import { httpServer, type HttpServer, type HttpServerOptions } from '../../../adapters/http/index.ts'
import { until } from '../../until.ts'

export const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'

const HOUR_MS = 3_600_000 // no test waits for it, however slow the machine is

/**
 * A server in the process of its client. When the test has worked for longer than a limit, the server cuts the connection
 * at the moment in which the client uses it.
 */
export const PATIENT: HttpServerOptions = {
  headersTimeoutMs: HOUR_MS,
  requestTimeoutMs: HOUR_MS,
  keepAliveTimeoutMs: HOUR_MS,
  silenceTimeoutMs: HOUR_MS,
}

/** Runs `use` against a server on a free port, and closes it whatever happens. Its limits of time are those that a test names. */
export const serving = async (
  engine: Engine,
  options: HttpServerOptions,
  use: (url: string, server: HttpServer) => Promise<void>,
): Promise<void> => {
  const server = httpServer(engine, {
    ...PATIENT,
    headersTimeoutMs: options.requestTimeoutMs ?? HOUR_MS,
    drainTimeoutMs: HOUR_MS,
    ...options,
  })
  const { url } = await server.listen()
  try {
    await use(url, server)
  } finally {
    await server.close()
  }
}

/** Runs `use` against the server of a host. */
export const hosting = async (listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) // it listens on a port
  } finally {
    server.close()
    server.closeAllConnections()
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
  /** The server's end, once it has accepted the connection. */
  readonly farEnd: () => Socket | undefined
}

/** The ends of connections that servers of this process have accepted, by the port of the other end. */
export const farEnds = new Map<number, Socket>()
subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket } // as Node says
  farEnds.set(socket.remotePort ?? 0, socket)
})

/** A socket to the server, for what a well-behaved client cannot say. */
export const dial = (url: string): Line => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  let localPort = 0
  socket.once('connect', () => (localPort = socket.localPort ?? 0))
  const replies = (): readonly RawReply[] => parseReplies(Buffer.concat(chunks).toString('latin1'))
  const closed = new Promise<readonly RawReply[]>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined) // a reset is a way to close
    socket.once('end', () => socket.end())
    socket.once('close', () => resolve(replies()))
  })
  return { socket, send: (bytes) => socket.write(bytes), replies, closed, farEnd: () => farEnds.get(localPort) }
}

/** Some turns of the event loop, in which the server does what it can do without hearing more. */
export const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Resolves when the server has read all that was sent on these lines, if it does not close them, and has done with it what it can do. */
export const heard = async (...lines: readonly Line[]): Promise<void> => {
  const isHeard = ({ socket, farEnd }: Line): boolean =>
    farEnd()?.destroyed === true || farEnd()?.bytesRead === socket.bytesWritten
  await until(() => lines.every(isHeard))
  await turns()
}

/** Resolves when the server knows that this caller is gone. */
export const missed = ({ farEnd }: Line): Promise<boolean> => until(() => farEnd()?.destroyed)

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
