/*
 * The load generator, in a process of its own: requests are stamped and written out before the clock runs, and go over
 * connections that stay open, each of which waits for its answer before it asks again.
 */
import { connect, type Socket } from 'node:net'
import { stamper } from 'countersign/signatures'
import { doJobs } from './child.ts'
import { quantile } from './figures.ts'
import { passkeyOf } from './passkey-of.ts'
import { encode, renaming, type Seed } from './seed.ts'

export type Load = {
  /** The servers: connections take them in turns. */
  readonly urls: readonly string[]
  /** The organizations: requests take them in turns. */
  readonly seeds: readonly Seed[]
  readonly kind: 'submit' | Asked
  readonly connections: number
  /** What stamps: the key of the seed if not said, or the passkey that has the same key. */
  readonly by?: 'key' | 'passkey'
  readonly forMs: number
  /** Tells one load from another: its requests are new ones. */
  readonly name: string
}

export type LoadResult = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** The longest of all answers, those of the warm-up and those that came late, too. */
  readonly most: number
  readonly refused: number
  /** All answers, those of the warm-up, too. */
  readonly answers: number
}

/** Queries: each is asked again and again with the same bytes. */
const QUERIES = {
  whoami: {},
  /** A page of as many activities as fit. */
  list_activities: { paginationOptions: { limit: '100' } },
} as const
type Asked = keyof typeof QUERIES

/** More than any server here answers in a second. */
const PER_SECOND_MAX = 12_000
const WARM_UP = 0.25

const run = async (load: Load): Promise<LoadResult> => {
  const requests = requestsOf(load)
  const clock = { isMeasuring: false, isOver: false, startedAt: 0, endedAt: 0 }
  const latencies: number[] = []
  let next = 0
  let [refused, answered, most] = [0, 0, 0]
  const take = (): Uint8Array | undefined =>
    clock.isOver ? undefined : requests[load.kind === 'submit' ? next++ : next++ % requests.length]

  const connection = async (url: string): Promise<void> => {
    const socket = await open(url)
    const answers = answersOf(socket)
    for (let request = take(); request !== undefined; request = take()) {
      const sentAt = performance.now()
      socket.write(request)
      if ((await answers()) !== 200) refused += 1
      answered += 1
      const ms = performance.now() - sentAt
      most = Math.max(most, ms)
      if (clock.isMeasuring) latencies.push(ms)
    }
    socket.destroy()
  }

  setTimeout(() => Object.assign(clock, { isMeasuring: true, startedAt: performance.now() }), load.forMs * WARM_UP)
  const end = (): void => void Object.assign(clock, { isMeasuring: false, isOver: true, endedAt: performance.now() })
  const timer = setTimeout(end, load.forMs * (1 + WARM_UP))
  await Promise.all(Array.from({ length: load.connections }, (_, n) => connection(turn(load.urls, n))))
  clearTimeout(timer)
  if (!clock.isOver) end() // all requests were used up
  return {
    perSecond: (latencies.length / (clock.endedAt - clock.startedAt)) * 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    most,
    refused,
    answers: answered,
  }
}

/** The nth of those that take turns. */
const turn = <A>(all: readonly A[], n: number): A => {
  const one = all[n % all.length]
  if (one === undefined) throw new Error('nobody to take turns')
  return one
}

const requestsOf = ({ kind, seeds, forMs, urls, name, by }: Load): readonly Uint8Array[] => {
  const stamperOf = by === 'passkey' ? (key: Seed['key']) => passkeyOf(key).stamp : stamper
  const stamps = new Map(seeds.map((seed) => [seed, stamperOf(seed.key)]))
  const header = by === 'passkey' ? 'X-Stamp-WebAuthn' : 'X-Stamp'
  const { host } = new URL(turn(urls, 0))
  const count = kind === 'submit' ? Math.ceil((PER_SECOND_MAX * forMs * (1 + WARM_UP)) / 1000) : seeds.length
  return Array.from({ length: count }, (_, n) => {
    const seed = turn(seeds, n)
    const body =
      kind === 'submit'
        ? renaming(seed, `${name}-${n}`)
        : encode({ organizationId: seed.organizationId, ...QUERIES[kind] })
    const path = kind === 'submit' ? 'submit/update_user_tag' : `query/${kind}`
    const head =
      `POST /public/v1/${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `${header}: ${stamps.get(seed)?.(body)}\r\nContent-Length: ${body.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), body])
  })
}

const open = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })

/** The statuses of the answers, one by one. An answer says its length. */
const answersOf = (socket: Socket): (() => Promise<number>) => {
  let received = Buffer.alloc(0)
  let tell: ((status: number) => void) | undefined
  const look = (): void => {
    const end = received.indexOf('\r\n\r\n')
    if (end < 0 || tell === undefined) return
    const head = received.toString('latin1', 0, end)
    const length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < length) return
    received = received.subarray(length)
    const told = tell
    tell = undefined
    told(Number(head.slice(9, 12)))
  }
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    look()
  })
  socket.on('close', () => tell?.(0))
  return () =>
    new Promise((resolve) => {
      tell = resolve
      look()
    })
}

doJobs({ run })
