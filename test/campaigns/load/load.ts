import { quantile } from '../bench/figures.ts'
import { startChild, type Child } from '../bench/child.ts'
import { random } from '../simulate/random.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openLoop } from './open-loop.ts'
import type { Vitals } from './server-program.ts'
import type { Town } from './town.ts'
import { noCounts, traffic } from './traffic.ts'

export type LoadOptions = {
  readonly forMs: number
  /** Requests that are due in a second, whatever the server does. */
  readonly perSecond: number
  readonly organizations: number
  readonly connections: number
  readonly seed: number
  readonly sampleEveryMs?: number
  readonly onSample?: (sample: Sample) => void
}

export type Sample = Vitals & {
  readonly atMs: number
  readonly answered: number
  /** Whether garbage was collected before. */
  readonly isCollected: boolean
}

export type LoadReport = {
  readonly sent: number
  readonly answeredPerSecond: number
  readonly statuses: ReadonlyMap<number, number>
  readonly serverErrors: number
  readonly wrong: readonly string[]
  readonly p50Ms: number
  readonly p99Ms: number
  readonly samples: readonly Sample[]
  /** Megabytes a minute after the warm-up; `undefined` where the time was too short to tell. */
  readonly rssSlope: number | undefined
  /** The worst of the samples after the warm-up. */
  readonly loopDelayP99Ms: number
  readonly events: { readonly expected: number; readonly found: number }
}

/** The share of the time in which caches fill, the store's page caches last, and the heap finds its size. */
const WARM_UP = 0.6
/** Each so many samples garbage is collected first: that stops the server for a moment, and shows what stays. */
const COLLECTS_EVERY = 15
const COLLECTED_MIN = 8

/** Lets many clients do what clients do, to a server in a process of its own. */
export const load = async (options: LoadOptions): Promise<LoadReport> => {
  const folder = await temporaryFolder()
  const child = startChild(new URL('./server-program.ts', import.meta.url), ['--expose-gc'])
  try {
    const url = await child.ask<string>('start', { path: `${folder.path}/load.db` })
    const towns = await child.ask<readonly Town[]>('found', { towns: options.organizations })
    const before = await child.ask<number>('events')
    const counts = noCounts()
    const sampling = sampler(child, options, () => counts.latencies.length)
    const startedAt = performance.now()
    const next = traffic(towns, random(options.seed), counts)
    const sent = await openLoop({ url, next, ...options })
    const tookMs = performance.now() - startedAt
    const samples = await sampling.stop()
    const found = (await child.ask<number>('events')) - before
    const late = samples.filter(({ atMs }) => atMs >= options.forMs * WARM_UP)
    return {
      sent,
      answeredPerSecond: (counts.latencies.length / tookMs) * 1000,
      statuses: counts.statuses,
      serverErrors: [...counts.statuses].reduce((all, [status, count]) => all + (status >= 500 ? count : 0), 0),
      wrong: counts.wrong,
      p50Ms: quantile(counts.latencies, 0.5),
      p99Ms: quantile(counts.latencies, 0.99),
      samples,
      rssSlope: slopeOf(late),
      loopDelayP99Ms: Math.max(0, ...late.map(({ loopDelayP99Ms }) => loopDelayP99Ms)),
      events: { expected: counts.events, found },
    }
  } finally {
    await child.close()
    await folder.remove()
  }
}

const sampler = (
  child: Child,
  { sampleEveryMs = 1000, onSample }: LoadOptions,
  answered: () => number,
): { readonly stop: () => Promise<readonly Sample[]> } => {
  const samples: Sample[] = []
  const startedAt = performance.now()
  let last: Promise<void> = Promise.resolve()
  const take = async (): Promise<void> => {
    const isCollected = samples.length % COLLECTS_EVERY === COLLECTS_EVERY - 1
    const vitals = await child.ask<Vitals>('vitals', { collects: isCollected })
    const sample = { ...vitals, atMs: performance.now() - startedAt, answered: answered(), isCollected }
    samples.push(sample)
    onSample?.(sample)
  }
  const timer = setInterval(() => void (last = last.then(take)), sampleEveryMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await last
      return samples
    },
  }
}

/** How memory grows, in megabytes a minute: least squares over the samples before which garbage was collected. */
export const slopeOf = (samples: readonly Pick<Sample, 'atMs' | 'rssBytes' | 'isCollected'>[]): number | undefined => {
  const points = samples
    .filter(({ isCollected }) => isCollected)
    .map(({ atMs, rssBytes }) => ({ minutes: atMs / 60_000, megabytes: rssBytes / 1024 / 1024 }))
  if (points.length < COLLECTED_MIN) return undefined
  const mean = (of: (point: (typeof points)[number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean(({ minutes }) => minutes), mean(({ megabytes }) => megabytes)]
  return mean(({ minutes, megabytes }) => (minutes - x) * (megabytes - y)) / mean(({ minutes }) => (minutes - x) ** 2)
}
