import { startChild } from '../bench/child.ts'
import { random } from '../simulate/random.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { closedLoop, type Refusals } from './closed-loop.ts'
import type { Town } from './town.ts'
import { noCounts, traffic } from './traffic.ts'

export type LoadOptions = {
  readonly requests: number
  readonly organizations: number
  readonly connections: number
  readonly seed: number
  /** For how long a submit may have to wait for its turn; the server's default if not given. */
  readonly waitForTurnMaxMs?: number | undefined
  /** How many commands the engine decides at once; its default if not given. */
  readonly commandsAtOnce?: number | undefined
  readonly onSample?: (sample: Sample) => void
}

/** What stays in memory: garbage was collected before. */
export type Sample = { readonly answered: number; readonly rssBytes: number }

export type LoadReport = {
  /** Answers other than refusals. */
  readonly statuses: ReadonlyMap<number, number>
  readonly refusals: Refusals
  readonly wrong: readonly string[]
  /** Megabytes in 10,000 requests after the warm-up; `undefined` where they were too few to tell. */
  readonly rssSlope: number | undefined
  readonly events: { readonly expected: number; readonly found: number }
}

const SAMPLES = 50
/** The share of the requests in which caches fill, the store's page caches last, and the heap finds its size. */
const WARM_UP = 0.6
/** With fewer requests the heap has not found its size. */
const REQUESTS_MIN = 50_000

/** Lets many clients do what clients do, to a server in a process of its own. */
export const load = async ({ waitForTurnMaxMs, commandsAtOnce, ...options }: LoadOptions): Promise<LoadReport> => {
  const { requests, organizations, connections, seed, onSample } = options
  const folder = await temporaryFolder()
  const child = startChild(new URL('./server-program.ts', import.meta.url), ['--expose-gc'])
  try {
    const url = await child.ask<string>('start', { path: `${folder.path}/load.db`, waitForTurnMaxMs, commandsAtOnce })
    const towns = await child.ask<readonly Town[]>('found', { towns: organizations })
    const before = await child.ask<number>('events')
    const counts = noCounts()
    const next = traffic(towns, random(seed), counts)
    const refusals: Refusals = { count: 0, withoutRetryAfter: 0 }
    const samples: Sample[] = []
    const each = requests < REQUESTS_MIN ? requests : Math.floor(requests / SAMPLES)
    for (let answered = each; answered <= requests; answered += each) {
      const refused = await closedLoop({ url, requests: each, connections, next })
      refusals.count += refused.count
      refusals.withoutRetryAfter += refused.withoutRetryAfter
      const sample = { answered, rssBytes: await child.ask<number>('rssBytes') }
      samples.push(sample)
      onSample?.(sample)
    }
    const late = samples.filter(({ answered }) => answered >= requests * WARM_UP)
    const found = (await child.ask<number>('events')) - before
    return {
      statuses: counts.statuses,
      refusals,
      wrong: counts.wrong,
      rssSlope: requests < REQUESTS_MIN ? undefined : slopeOf(late),
      events: { expected: counts.events, found },
    }
  } finally {
    await child.close()
    await folder.remove()
  }
}

/** How memory grows, in megabytes in 10,000 requests: least squares. */
export const slopeOf = (samples: readonly Sample[]): number => {
  const points = samples.map(({ answered, rssBytes }) => ({ x: answered / 10_000, y: rssBytes / 1024 / 1024 }))
  const mean = (of: (point: (typeof points)[number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2)
}
