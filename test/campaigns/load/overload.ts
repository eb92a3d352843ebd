import { startChild } from '../bench/child.ts'
import { quantile } from '../bench/figures.ts'
import type { Seed } from '../bench/seed.ts'
import { random } from '../simulate/random.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { caller } from './caller.ts'
import { closedLoop } from './closed-loop.ts'
import { flood, type Flooded } from './flood.ts'
import { openLoop, type Errand } from './open-loop.ts'
import type { Vitals } from './server-program.ts'
import { noCounts, renames, type Counts } from './traffic.ts'

export type OverloadOptions = {
  readonly forMs: number
  /** For how long the best throughput is looked for, after a warm-up of the same length. */
  readonly bestForMs: number
  /** How many times the best throughput is asked for. */
  readonly times: number
  readonly organizations: number
  /** With so many callers the best throughput is looked for. */
  readonly connections: number
  readonly seed: number
  /** For how long a submit may have to wait for its turn; the server's default if not given. */
  readonly waitForTurnMaxMs?: number | undefined
}

export type OverloadReport = {
  readonly bestPerSecond: number
  /** p99 of the answers while the best throughput was reached: what takes longer is not normal. */
  readonly normalMs: number
  readonly dueForMs: number
  readonly duePerSecond: number
  readonly flooded: Flooded
  /** Answers other than refusals, beside too much load of others. */
  readonly statuses: ReadonlyMap<number, number>
  readonly acceptedPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** An organization that asks seldom beside them. */
  readonly quiet: { readonly answered: number; readonly refused: number; readonly p99Ms: number }
  /** Answers that are neither what they had to be nor refusals. */
  readonly wrong: readonly string[]
  /** From the last request of too many until one is answered in normal time. */
  readonly recoveryMs: number
  readonly rssBytes: { readonly before: number; readonly after: number }
  /** Milliseconds of processor time: of the server for a submit and for a refusal, and of the program that asks for a request. */
  readonly cpuMs: { readonly submit: number; readonly refusal: number; readonly asking: number }
  readonly events: { readonly expected: number; readonly found: number }
}

/** More connections than a server lets wait, and fewer than it accepts. */
const FLOOD_CONNECTIONS = 960
const QUIET_PER_SECOND = 5
const PATIENCE_MS = 30_000

/** Finds out how much a server can do, asks for several times as much, and sees when it is itself again. */
export const overload = async (options: OverloadOptions): Promise<OverloadReport> => {
  const { forMs, bestForMs, times, connections, waitForTurnMaxMs } = options
  const folder = await temporaryFolder()
  const child = startChild(new URL('./server-program.ts', import.meta.url), ['--expose-gc'])
  try {
    const url = await child.ask<string>('start', { path: `${folder.path}/overload.db`, waitForTurnMaxMs })
    const [quietOne, ...others] = await child.ask<readonly Seed[]>('begin', {
      organizations: options.organizations + 1,
    })
    if (quietOne === undefined) throw new Error('no organization was begun')
    const before = await child.ask<number>('events')
    const chance = random(options.seed)
    const [warming, best, loud, quiet, after] = [noCounts(), noCounts(), noCounts(), noCounts(), noCounts()]
    await closedLoop({ url, connections, forMs: bestForMs, next: renames(others, chance, warming) })
    const vitals = (): Promise<Vitals> => child.ask<Vitals>('vitals', { collects: true })
    const first = await vitals()
    const bestPerSecond = await closedLoop({ url, connections, forMs: bestForMs, next: renames(others, chance, best) })
    const normalMs = quantile(best.latencies, 0.99)
    const second = await vitals()
    const cpuBefore = process.cpuUsage()
    const startedAt = performance.now()
    let recovering: Promise<number> | undefined
    let dueForMs = forMs
    const next = renames([quietOne], chance, quiet)
    const asking = openLoop({ url, connections: 8, forMs, perSecond: QUIET_PER_SECOND, next })
    const flooded = await flood({
      url,
      connections: FLOOD_CONNECTIONS,
      forMs,
      perSecond: times * bestPerSecond,
      next: renames(others, chance, loud),
      onOver: () => {
        dueForMs = performance.now() - startedAt
        recovering = recovered(url, renames(others, chance, after), normalMs)
      },
    })
    const tookMs = performance.now() - startedAt
    const { user, system } = process.cpuUsage(cpuBefore)
    await asking
    const recoveryMs = (await recovering) ?? Number.NaN
    const third = await vitals()
    const found = (await child.ask<number>('events')) - before
    const all: readonly Counts[] = [warming, best, loud, quiet, after]
    const accepted = loud.statuses.get(200) ?? 0
    const submitMs = (second.cpuMs - first.cpuMs) / best.latencies.length
    return {
      bestPerSecond,
      normalMs,
      dueForMs,
      duePerSecond: times * bestPerSecond,
      flooded,
      statuses: loud.statuses,
      acceptedPerSecond: (accepted / tookMs) * 1000,
      p50Ms: quantile(loud.latencies, 0.5),
      p99Ms: quantile(loud.latencies, 0.99),
      quiet: faredOf(quiet),
      wrong: all.flatMap(({ wrong }) => wrong.filter((each) => !each.startsWith('429'))),
      recoveryMs,
      rssBytes: { before: second.rssBytes, after: third.rssBytes },
      cpuMs: {
        submit: submitMs,
        refusal: (third.cpuMs - second.cpuMs - accepted * submitMs) / flooded.refusals.length,
        asking: (user + system) / 1000 / flooded.sent,
      },
      events: { expected: all.reduce((sum, { events }) => sum + events, 0), found },
    }
  } finally {
    await child.close()
    await folder.remove()
  }
}

const faredOf = ({ statuses, latencies }: Counts): OverloadReport['quiet'] => {
  const answered = statuses.get(200) ?? 0
  return { answered, refused: latencies.length - answered, p99Ms: quantile(latencies, 0.99) }
}

/** Asks one request after the other until one is answered in normal time; gives the time that it took until then. */
const recovered = async (url: string, next: () => Errand, normalMs: number): Promise<number> => {
  const by = caller(url)
  const startedAt = performance.now()
  try {
    for (;;) {
      const errand = next()
      const sentAt = performance.now()
      const answer = await by.ask(errand.make())
      const endedAt = performance.now()
      if (answer?.status !== 429) errand.heard(answer, endedAt - sentAt)
      if (answer?.status === 200 && endedAt - sentAt <= normalMs) return endedAt - startedAt
      if (endedAt - startedAt > PATIENCE_MS) return Infinity
    }
  } finally {
    by.close()
  }
}
