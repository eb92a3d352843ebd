import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../core/ports/clock.ts'
import type { Answer, AskedRequest, Outcome, Outgoing, OutgoingRequest, Unanswered } from '../../core/ports/outgoing.ts'
import { connectedAny, Refused, whenAborted } from './connected.ts'
import { hostOf, lookupByDns, lookupBySystem, vettedAddresses, vettedUrl, type Lookup } from './vetted-addresses.ts'

export type OutgoingOptions = {
  /** Default: timers of Node. */
  readonly clock?: Pick<Clock, 'after'>
  /** Whether http, any port and private addresses are allowed, for development; never those of a cloud's metadata. Default: false. */
  readonly allowPrivateNetwork?: boolean
  /** Default: DNS; where private addresses are allowed, the resolver of the system, which has a file of hosts. */
  readonly lookup?: Lookup
  /** Certificates of authorities in place of those of Node, as PEM. */
  readonly ca?: string
}

const CONNECT_MS = 3_000
const HEAD_BYTES_MAX = 16 * 1024
/** What is read from a connection, besides a body that is kept, before it is cut. */
const BYTES_MAX = 64 * 1024

/** What a request is made for: how it is sent, for how long, and what is made of its answer. */
type Use<A> = {
  readonly method: 'GET' | 'POST'
  readonly limits: AskedRequest['limits']
  /** Decides what came of the request when it knows. It reads the answer to its end. */
  readonly read: (response: IncomingMessage, decide: Decide<A>) => void
}
/** What is decided first came of it. */
type Decide<A> = (outcome: A | NoAnswer) => void
type NoAnswer = Extract<Outcome, { readonly _tag: 'unanswered' }>

/** Of an answer to a webhook, the status line counts. The rest is dropped. */
const POST: Use<Outcome> = {
  method: 'POST',
  limits: { totalMs: 10_000, bytesMax: 0 },
  read: (response, decide) => {
    const { statusCode: status = 0, headers } = response
    decide({ _tag: 'answered', status, retryAfter: retryAfterOf(headers['retry-after']) })
    response.resume()
  },
}

const UNCODED = { 'Accept-Encoding': 'identity' }

const asking = ({ method, limits }: AskedRequest): Use<Answer> => ({
  method,
  limits,
  read: (response, decide) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limits.bytesMax) chunks.push(chunk)
      else {
        decide({ _tag: 'unanswered', why: 'too-large' })
        response.destroy()
      }
    })
    response.once('end', () => {
      const { complete, statusCode: status = 0 } = response
      if (complete) decide({ _tag: 'answered', status, body: new Uint8Array(Buffer.concat(chunks)) })
    })
  },
})

/**
 * Requests by the sockets of Node. The addresses of a host are looked up and vetted for each request, and the socket is asked where it is connected
 * before anything is sent. There is no agent: its limits are per host, so that one endpoint could starve another.
 */
export const nodeOutgoing = (options: OutgoingOptions): Outgoing => {
  const ending = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const begun = <A>(request: OutgoingRequest, use: Use<A>): Promise<A | NoAnswer> => {
    const sent = attempt(options, request, use, ending.signal)
    underWay.add(sent)
    void sent.finally(() => underWay.delete(sent))
    return sent
  }
  return {
    post: (request) => begun(request, POST),
    ask: (request) => begun({ ...request, headers: { ...request.headers, ...UNCODED } }, asking(request)),
    close: async () => {
      ending.abort()
      await Promise.all(underWay)
    },
  }
}

const timers: Pick<Clock, 'after'> = {
  after: (delayMs, wake) => {
    const timer = setTimeout(wake, delayMs)
    return () => clearTimeout(timer)
  },
}

type Attempt<A> = OutgoingOptions & {
  readonly clock: Pick<Clock, 'after'>
  readonly request: OutgoingRequest
  readonly use: Use<A>
  readonly gone: AbortSignal
  readonly decide: Decide<A>
}

/** One request. What is decided first came of it: what is made of the answer, or what ends it before. */
const attempt = async <A>(
  options: OutgoingOptions,
  request: OutgoingRequest,
  use: Use<A>,
  ending: AbortSignal,
): Promise<A | NoAnswer> => {
  const { clock = timers } = options
  const gone = new AbortController()
  let decided: A | NoAnswer | undefined
  const decide: Decide<A> = (outcome) => {
    decided ??= outcome
  }
  const giveUp = (why: Unanswered) => (): void => {
    decide({ _tag: 'unanswered', why })
    gone.abort()
  }
  const stops = [
    clock.after(use.limits.totalMs, giveUp('time-out')),
    whenAborted(ending, giveUp('aborted')),
    ...(request.signal === undefined ? [] : [whenAborted(request.signal, giveUp('aborted'))]),
  ]
  try {
    await exchange({ ...options, clock, request, use, gone: gone.signal, decide })
  } catch (error) {
    decide({ _tag: 'unanswered', why: error instanceof Refused ? error.why : 'connection' })
  } finally {
    for (const stop of stops) stop()
    gone.abort()
  }
  return decided ?? { _tag: 'unanswered', why: 'connection' }
}

const exchange = async <A>(attempted: Attempt<A>): Promise<void> => {
  const { allowPrivateNetwork: allowPrivate = false, clock, decide, gone, request } = attempted
  const lookup = attempted.lookup ?? (allowPrivate ? lookupBySystem : lookupByDns())
  const url = vettedUrl(request.url, allowPrivate)
  if (url === undefined) throw new Refused('refused')
  if (gone.aborted) throw new Refused('aborted')
  const addresses = await unless(gone, vettedAddresses(hostOf(url), { lookup, allowPrivate, gone }))
  if (typeof addresses === 'string') throw new Refused(addresses)
  if (request.mayStill?.() === false) throw new Refused('aborted')
  const waiting = new AbortController()
  const stop = clock.after(CONNECT_MS, () => {
    decide({ _tag: 'unanswered', why: 'time-out' })
    waiting.abort()
  })
  const socket = await connectedAny({ ...attempted, waiting: waiting.signal }, url, addresses).finally(stop)
  await answered(attempted, url, socket)
}

/** What the promise gives, unless it is not waited for any more: not every look-up can be ended. */
const unless = <A>(gone: AbortSignal, promise: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    whenAborted(gone, () => reject(new Refused('aborted')))
    promise.then(resolve, reject)
  })

const answered = <A>(
  { request: { headers, body }, use, decide }: Attempt<A>,
  url: URL,
  socket: Socket,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { method, limits, read } = use
    const length = method === 'POST' && { 'Content-Length': String(body.length) }
    const sent = httpRequest({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, Host: url.host, ...length, Connection: 'close' },
      maxHeaderSize: HEAD_BYTES_MAX, // whatever the process was started with, as the next one
      insecureHTTPParser: false,
    })
    sent.once('socket', () => cutLong(socket, BYTES_MAX + limits.bytesMax))
    sent.on('error', reject)
    sent.once('close', resolve)
    sent.once('response', (response) => {
      response.on('error', reject) // it was cut
      read(response, decide)
    })
    if (method === 'POST') sent.end(body)
    else sent.end()
  })

/** Ends a connection on which more came than is read. All bytes count, because an answer may begin with any number of interim ones. */
const cutLong = (socket: Socket, bytesMax: number): void => {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) socket.destroy()
  })
}

const HTTP_TIME = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The number or time of the header, written anew, so that nothing of an answer gets any further. */
const retryAfterOf = (text = ''): string | undefined => {
  if (/^\d{1,9}$/.test(text)) return String(Number(text))
  const atMs = HTTP_TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toUTCString()
}
