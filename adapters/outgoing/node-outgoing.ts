import { setMaxListeners } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect as netConnect, isIP, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { Clock } from '../../core/ports/clock.ts'
import type { Outcome, Outgoing, OutgoingRequest, Unanswered } from '../../core/ports/outgoing.ts'
import {
  hostOf,
  lookupByDns,
  lookupBySystem,
  mayConnect,
  vettedAddresses,
  vettedUrl,
  type Lookup,
} from './vetted-addresses.ts'

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
const TOTAL_MS = 10_000
/** What is read of an answer, and dropped. */
const ANSWER_BYTES_MAX = 64 * 1024
const HEAD_BYTES_MAX = 16 * 1024

/**
 * Requests by the sockets of Node. The addresses of a host are looked up and vetted for each request, and the socket is asked where it is connected
 * before anything is sent. There is no agent: its limits are per host, so that one endpoint could starve another.
 */
export const nodeOutgoing = (options: OutgoingOptions): Outgoing => {
  const ending = new AbortController()
  const underWay = new Set<Promise<Outcome>>()
  return {
    post: (request) => {
      const posted = attempt(options, request, ending.signal)
      underWay.add(posted)
      void posted.finally(() => underWay.delete(posted))
      return posted
    },
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

type Attempt = OutgoingOptions & {
  readonly clock: Pick<Clock, 'after'>
  readonly request: OutgoingRequest
  readonly gone: AbortSignal
  readonly decide: Decide
}
type Decide = (outcome: Outcome) => void

/** One request. What is decided first came of it: the status line of the answer, or what ends it before. */
const attempt = async (options: OutgoingOptions, request: OutgoingRequest, ending: AbortSignal): Promise<Outcome> => {
  const { clock = timers } = options
  const gone = new AbortController()
  let decided: Outcome | undefined
  const decide: Decide = (outcome) => {
    decided ??= outcome
  }
  const giveUp = (why: Unanswered) => (): void => {
    decide({ _tag: 'unanswered', why })
    gone.abort()
  }
  const stops = [
    clock.after(TOTAL_MS, giveUp('time-out')),
    whenAborted(ending, giveUp('aborted')),
    ...(request.signal === undefined ? [] : [whenAborted(request.signal, giveUp('aborted'))]),
  ]
  try {
    await exchange({ ...options, clock, request, gone: gone.signal, decide })
  } catch (error) {
    decide({ _tag: 'unanswered', why: error instanceof Refused ? error.why : 'connection' })
  } finally {
    for (const stop of stops) stop()
    gone.abort()
  }
  return decided ?? { _tag: 'unanswered', why: 'connection' }
}

const whenAborted = (signal: AbortSignal, f: () => void): (() => void) => {
  setMaxListeners(0, signal) // each request under way may listen to the same one
  if (signal.aborted) f()
  else signal.addEventListener('abort', f)
  return () => signal.removeEventListener('abort', f)
}

class Refused extends Error {
  readonly why: Unanswered
  constructor(why: Unanswered) {
    super(why)
    this.why = why
  }
}

const exchange = async (attempted: Attempt): Promise<void> => {
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
  const socket = await connectedAny(attempted, url, addresses, waiting.signal).finally(stop)
  await answered(attempted, url, socket)
}

/** The socket of the first address that takes one: a host may be there by one of its families only. */
const connectedAny = async (
  attempted: Attempt,
  url: URL,
  [address = '', ...others]: readonly string[],
  waiting: AbortSignal,
): Promise<Socket> => {
  try {
    return await connected(attempted, url, address, waiting)
  } catch (error) {
    const isOver = attempted.gone.aborted || waiting.aborted || others.length === 0
    if (isOver || (error instanceof Refused && error.why !== 'connection')) throw error
    return connectedAny(attempted, url, others, waiting)
  }
}

/** What the promise gives, unless it is not waited for any more: not every look-up can be ended. */
const unless = <A>(gone: AbortSignal, promise: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    whenAborted(gone, () => reject(new Refused('aborted')))
    promise.then(resolve, reject)
  })

/** A socket to the address, where that is still one that may be asked. */
const connected = async (
  { allowPrivateNetwork = false, ca, gone }: Attempt,
  url: URL,
  address: string,
  waiting: AbortSignal,
): Promise<Socket> => {
  const isSecure = url.protocol === 'https:'
  const plain = netConnect({ host: address, port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port) })
  for (const signal of [gone, waiting]) whenAborted(signal, () => plain.destroy())
  await happened(plain, 'connect')
  if (!mayConnect(plain.remoteAddress ?? '', allowPrivateNetwork)) throw new Refused('refused')
  return isSecure ? secured(plain, hostOf(url), ca) : plain
}

/** The socket with TLS, where the certificate is that of the host: Node compares it with `host`. Addresses are not named to the server. */
const secured = async (plain: Socket, host: string, ca: string | undefined): Promise<Socket> => {
  const secure = tlsConnect({
    socket: plain,
    host,
    rejectUnauthorized: true, // also where the environment says otherwise
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  })
  try {
    await happened(secure, 'secureConnect')
  } catch (error) {
    // Each kind of wrong certificate has a code of its own, and alerts of the server have similar ones.
    throw secure.authorizationError ? new Refused('certificate') : error
  }
  return secure
}

const happened = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(event, resolve)
    socket.on('error', reject) // also later ones, which come when it was destroyed
    socket.once('close', () => reject(new Refused('connection')))
  })

const answered = ({ request: { headers, body }, decide }: Attempt, url: URL, socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    const own = { Host: url.host, 'Content-Length': String(body.length), Connection: 'close' }
    const sent = httpRequest({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, ...own },
      maxHeaderSize: HEAD_BYTES_MAX, // whatever the process was started with, as the next one
      insecureHTTPParser: false,
    })
    sent.once('socket', () => cutLong(socket))
    sent.on('error', reject)
    sent.once('close', resolve)
    sent.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      decide({ _tag: 'answered', status, retryAfter: retryAfterOf(headers['retry-after']) })
      response.on('error', reject) // it was cut
      response.resume()
    })
    sent.end(body)
  })

/** Ends a connection on which more came than is read. All bytes count, because an answer may begin with any number of interim ones. */
const cutLong = (socket: Socket): void => {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) socket.destroy()
  })
}

const HTTP_TIME = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The number or time of the header, written anew, so that nothing of an answer gets any further. */
const retryAfterOf = (text = ''): string | undefined => {
  if (/^\d{1,9}$/.test(text)) return String(Number(text))
  const atMs = HTTP_TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toUTCString()
}
