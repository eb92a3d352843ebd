import type { BugName } from '../bugs/bug.ts'
import type { HostOptions } from '../host.ts'
import { startHost, type HostProcess, type StoreAddress } from '../host-process.ts'
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

/** After so long a server that was to die at a point that it never came to is killed anyway. */
const LIFE_MS_MAX = 8_000
/** How long a server lives behind a freeze. */
const AFTER_FREEZE_MS = 1_000
/** How long a server takes, at most, until it accepts connections; kills at negative times count from there. */
const START_MS = 1_500
const STOP_MS_MAX = 20_000

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
    const isEarly = life?._tag === 'at-random' && life.afterMs < 0
    server.disarm = arm(host, isEarly ? { ...life, afterMs: START_MS + life.afterMs } : undefined, onLate)
    server.url = await host.ready
    if (!isEarly && !isCalm) server.disarm = arm(host, life, onLate)
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
      while (
        violations.length < VIOLATIONS_MAX &&
        servers.some(({ url, host }) => url === undefined || host?.hasEnded())
      )
        await new Promise((resolve) => setTimeout(resolve, 20))
    },
    close: async () => {
      isClosing = true
      for (const { host } of servers) host?.kill('SIGTERM')
      const timer = setTimeout(() => {
        violations.push('a server does not stop when it is told to')
        for (const { host } of servers) host?.kill()
      }, STOP_MS_MAX)
      await Promise.all(running)
      clearTimeout(timer)
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

const arm = (host: HostProcess, life: Life | undefined, onLate: () => void): (() => void) => {
  const timers: NodeJS.Timeout[] = []
  const at = (afterMs: number, act: () => void): void => void timers.push(setTimeout(act, afterMs))
  if (life?._tag === 'at-random') at(life.afterMs, () => host.kill())
  else if (life?._tag === 'frozen') {
    at(life.afterMs, () => host.kill('SIGSTOP'))
    at(life.afterMs + life.forMs, () => host.kill('SIGCONT'))
    at(life.afterMs + life.forMs + AFTER_FREEZE_MS, () => host.kill())
  } else if (life?._tag === 'at-point')
    at(LIFE_MS_MAX, () => {
      onLate()
      host.kill()
    })
  return () => timers.forEach(clearTimeout)
}
