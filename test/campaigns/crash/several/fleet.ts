import { until } from '../../../until.ts'
import type { BugName } from '../bugs/bug.ts'
import type { HostOptions } from '../host.ts'
import { startHost, type HostProcess, type StoreAddress } from '../host-process.ts'
import type { Journal } from '../journal.ts'
import { isEffectPoint } from '../plan.ts'
import type { Random } from '../random.ts'
import { lastLines } from '../round.ts'
import type { StorePlace } from '../store-place.ts'
import { nameOf, type Life } from './plan.ts'

/** Several servers on one store. Each is started again when it has died. */
export type Fleet = {
  /** A server that accepts connections, as a load balancer chooses one. */
  readonly urlOf: (random: Random) => string | undefined
  readonly urls: () => readonly string[]
  /** Undefined while it does not accept connections. */
  readonly url: (server: number) => string | undefined
  readonly host: (server: number) => HostProcess | undefined
  /** Kills those that are to die at a point, or all of them, and waits until all are there, to stay. */
  readonly calm: (killsAll: boolean) => Promise<void>
  /** Lets all of them stop. */
  readonly close: () => Promise<void>
  /** What was wrong with the way in which servers ended. */
  readonly violations: () => readonly string[]
  /** How the servers died, and how often. */
  readonly deaths: ReadonlyMap<string, number>
  /** How often a server was to die at a point that it did not come to. */
  readonly notReached: () => number
}

export type FleetOptions = {
  readonly place: StorePlace
  readonly servers: number
  /** The store, for each server. */
  readonly storeOf: (server: number) => StoreAddress
  readonly whenInterrupted?: HostOptions['whenInterrupted']
  readonly times?: HostOptions['times']
  readonly bug?: BugName | undefined
  /** Undefined for a server that stays. */
  readonly nextLife: (server: number) => Life | undefined
  /** What a server waits for before its first start. Default: nothing. */
  readonly startsAfter?: (server: number) => Promise<void>
}

/** After so many answers of all servers, one that was to die at a point that it never came to is killed anyway. */
const ANSWERS_MAX = 600
/** How many answers a server lives to see behind a freeze. */
const ANSWERS_AFTER_FREEZE = 60

type Server = {
  host?: HostProcess
  url?: string | undefined
  life?: Life | undefined
  /** Lets the server live. */
  disarm: () => void
  begun: number
  done: number
}

export const startFleet = ({ place, servers: count, storeOf, nextLife, ...options }: FleetOptions): Fleet => {
  const servers = Array.from({ length: count }, (): Server => ({ begun: 0, done: 0, disarm: () => undefined }))
  const deaths = new Map<string, number>()
  const violations: string[] = []
  let notReached = 0
  let isCalm = false
  let isClosing = false

  place.payments.watch({
    onBegun: (n) => pull(n, 'begun', 'effect-begun'),
    onDone: (n) => pull(n, 'done', 'effect-done'),
  })
  const pull = (n: number, counter: 'begun' | 'done', point: string): void => {
    const server = servers[n]
    if (server === undefined) return
    server[counter] += 1
    const { life, host } = server
    if (life === undefined || !('point' in life) || life.point !== point || server[counter] !== life.pass) return
    host?.kill(life._tag === 'frozen-at' ? 'SIGSTOP' : 'SIGKILL')
  }

  const live = async (server: Server, n: number): Promise<void> => {
    const life = isCalm ? undefined : nextLife(n)
    const { whenInterrupted = 'retry', times = 'short', bug } = options
    const of = { ...place.hostOptions({ engines: 1, whenInterrupted }, bug, n), times }
    const host = startHost(of, { crashAt: crashAtOf(life), store: storeOf(n) })
    Object.assign(server, { host, life, begun: 0, done: 0 })
    const onLate = (): void => void (isLate = true)
    let isLate = false
    server.disarm = arm(place.journal, host, life, onLate)
    server.url = await host.ready
    const { code, signal, output } = await host.ended
    server.disarm()
    server.url = undefined
    const isStopped = isClosing && code === 0
    if (signal !== 'SIGKILL' && !isStopped)
      violations.push(`a server ended by itself (${signal ?? `code ${code}`}): ${lastLines(output)}`)
    if (life === undefined || isCalm) return
    if (isLate) notReached += 1
    else deaths.set(nameOf(life), (deaths.get(nameOf(life)) ?? 0) + 1)
  }
  const running = servers.map(async (server, n) => {
    const goesOn = (): boolean => !isClosing && violations.length < VIOLATIONS_MAX
    await options.startsAfter?.(n)
    while (goesOn()) await live(server, n)
  })

  const urls = (): readonly string[] => servers.flatMap(({ url }) => (url === undefined ? [] : [url]))
  return {
    urls,
    url: (n) => servers[n]?.url,
    urlOf: (random) => random.pick(urls()),
    host: (n) => servers[n]?.host,
    calm: async (killsAll) => {
      isCalm = true
      const dying: HostProcess[] = []
      for (const { host, life, disarm } of servers) {
        disarm()
        if (host === undefined) continue
        if (killsAll || life?._tag === 'at-point') dying.push(host)
        else host.kill('SIGCONT')
      }
      for (const host of dying) host.kill()
      for (const host of dying) await host.ended
      const isThere = ({ url, host }: Server): boolean => url !== undefined && host?.hasEnded() === false
      await until(() => violations.length >= VIOLATIONS_MAX || servers.every(isThere))
    },
    close: async () => {
      isClosing = true
      for (const { host } of servers) host?.kill('SIGTERM')
      await Promise.all(running)
      place.payments.watch({ onBegun: () => undefined, onDone: () => undefined })
    },
    violations: () => violations,
    deaths,
    notReached: () => notReached,
  }
}

/** Servers that end by themselves again and again are not started for ever. */
const VIOLATIONS_MAX = 10

const crashAtOf = (life: Life | undefined): string | undefined => {
  if (life === undefined || !('point' in life) || isEffectPoint(life.point)) return undefined
  return `${life.point}:${life.pass}${life._tag === 'frozen-at' ? ':SIGSTOP' : ''}`
}

const arm = ({ after }: Journal, host: HostProcess, life: Life | undefined, onLate: () => void): (() => void) => {
  if (life?._tag === 'after-answers') return after(life.answers, () => host.kill())
  if (life?._tag === 'at-point')
    return after(ANSWERS_MAX, () => {
      onLate()
      host.kill()
    })
  if (life?._tag !== 'frozen') return () => undefined
  let callOff: () => void
  callOff = after(life.answers, () => {
    host.kill('SIGSTOP')
    // A time, since others may wait for what it holds: nobody would answer until it goes on.
    const timer = setTimeout(() => {
      host.kill('SIGCONT')
      callOff = after(ANSWERS_AFTER_FREEZE, () => host.kill())
    }, life.forMs)
    callOff = () => clearTimeout(timer)
  })
  return () => callOff()
}
