import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { tasksOf, type PromisedEngine } from '../../core/door/promised-engine.ts'
import type { Engine } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import { tell } from './answering.ts'
import { tooSlow } from './body.ts'
import { connections, type Connections } from './connections.ts'
import { notHttp } from './framing.ts'
import { answeringNode } from './handler.ts'
import { LINGER_MS, NodeExchange, nodePlatform, rawReply } from './node-exchange.ts'
import { settingsOf, type HttpServerOptions, type ServerSettings } from './options.ts'
import { publicApi } from './public-api.ts'
import { errorReply, type Reply } from './reply.ts'
import { newRequestId, requestIds } from './request-id.ts'
import type { Service } from './service.ts'

export type ListenOptions = {
  /** The address to listen on; default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: a free port. */
  readonly port?: number
}

export type HttpServer = {
  /** Begins to accept connections; rejects with Node's error if it cannot. */
  readonly listen: (options?: ListenOptions) => Promise<{ readonly url: string }>
  /**
   * Stops accepting, closes idle connections, and resolves when the requests in flight are answered, or cut off after
   * `drainTimeoutMs`. Does not close the engine: close that afterwards.
   */
  readonly close: () => Promise<void>
}

/**
 * The public API as a server of its own. It speaks plain HTTP/1.1; a proxy in front of it provides TLS
 * (docs/how-to/run-behind-a-reverse-proxy.md).
 *
 * @throws RangeError if an option is wrong
 */
export const httpServer = (
  engine: Engine | Pick<PromisedEngine, 'tasks'>,
  options: HttpServerOptions = {},
): HttpServer => {
  const settings = settingsOf(options)
  return serverOf(publicApi(tasksOf(engine), settings, nodePlatform), settings)
}

/** A server of its own for any service: it reads, bounds and sends. */
export const serverOf = (service: Service, settings: ServerSettings): HttpServer => {
  const open = connections(settings.connectionsMax, answeringNode(service, settings).answer)
  const server = boundedServer(settings)
  const idOf = requestIds(settings.trustedProxies)
  let closed: Promise<void> | undefined

  const accept = (request: IncomingMessage, response: ServerResponse, beginBody?: () => void): void => {
    const exchange = new NodeExchange(request, response, idOf, beginBody)
    if (closed !== undefined) endAfter(request.socket, exchange)
    open.begin(exchange)
  }
  server.on('request', accept)
  server.on('checkExpectation', accept)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    accept(request, response, () => response.writeContinue()),
  )
  server.on('connection', open.admit)
  server.on('clientError', refusing(open, settings))

  return {
    listen: ({ host = '127.0.0.1', port = 0 } = {}) => listen(server, { host, port, backlog: settings.connectionsMax }),
    close: () => {
      closed ??= new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), settings.drainTimeoutMs)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        for (const socket of open.sockets()) endAfter(socket, open.newest(socket))
      })
      return closed
    },
  }
}

const boundedServer = (settings: ServerSettings): Server => {
  const { headersTimeoutMs, requestTimeoutMs } = settings
  const server = createServer({
    maxHeaderSize: settings.headerBytesMax,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, Math.ceil(headersTimeoutMs / 4)),
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    requireHostHeader: false, // `refusalOfFraming` refuses such requests with JSON
  })
  server.maxHeadersCount = 0 // headers are bounded in bytes; a limit on their number would silently drop some, such as a second stamp
  server.setTimeout(settings.silenceTimeoutMs)
  // Callers may close their half after the request and still get the answer. Node has this option since 2011, but its types lack it.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Accepting fails if there are no file descriptors left. The server goes on, because the next connection may find one.
  server.on('error', () => undefined)
  return server
}

type Place = {
  readonly host: string
  readonly port: number
  /** How many connections may wait to be accepted. The kernel drops more, and their callers try again after seconds. */
  readonly backlog: number
}

const listen = (server: Server, place: Place): Promise<{ readonly url: string }> =>
  new Promise((resolve, reject) => {
    const { host } = place
    server.once('error', reject)
    server.listen(place, () => {
      server.off('error', reject)
      const { port: bound } = server.address() as AddressInfo // it listens, and not on a pipe
      resolve({ url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}` })
    })
  })

/** Closes the connection: at once if no request is being answered, otherwise after the answer, whose headers say so if possible. */
const endAfter = (socket: Duplex, exchange: NodeExchange | undefined): void => {
  if (exchange === undefined || exchange.response.writableFinished) {
    socket.destroy()
    return
  }
  if (!exchange.response.headersSent) exchange.response.setHeader('Connection', 'close')
  exchange.response.once('close', () => socket.destroy())
}

/** Answers bytes that are no HTTP, too large or too slow, and ends the connection. */
const refusing =
  (open: Connections, settings: ServerSettings) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // If this process stood still, the rest may have arrived meanwhile, and be read behind the refusal.
    if (socket.destroyed || !open.refuse(socket)) return
    const exchange = open.newest(socket)
    const reply = refusal(error)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (exchange === undefined || (exchange.request.complete && exchange.response.writableFinished)) {
      const requestId = newRequestId()
      sendRaw(socket, reply, requestId)
      tell(settings, { requestId, method: null, path: null, status: reply.status, durationMs: 0, ...codeOf(reply) })
    } else if (exchange.request.complete) exchange.response.once('close', () => sendRaw(socket, reply, newRequestId()))
    else if (exchange.response.headersSent) socket.destroy()
    else {
      exchange.response.once('close', () => exchange.request.destroy()) // who reads the body would wait for its end
      exchange.send(reply)
    }
  }

const codeOf = ({ code }: Reply): Pick<Reply, 'code'> => (code === undefined ? {} : { code })

const sendRaw = (socket: Duplex, reply: Reply, requestId: string): void => {
  if (!socket.writable) return
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer)).end(rawReply(reply, requestId))
}

const refusal = ({ code }: NodeJS.ErrnoException): Reply => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge
  return notHttp
}

const headersTooLarge = errorReply(failure('REQUEST_TOO_LARGE', 'the headers are too large'), {
  status: 431,
  closes: true,
})
