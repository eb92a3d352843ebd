import { parseArgs } from 'node:util'
import { megabytes, ms } from '../bench/figures.ts'
import { fairness, type Fared } from './fairness.ts'
import { load, type LoadReport, type Sample } from './load.ts'
import { overload } from './overload.ts'
import { tellOverload } from './tell-overload.ts'

const USAGE = `Usage: npm run soak -- [--minutes N] [--rate N] [--organizations N] [--connections N] [--seed S]
       npm run soak -- --fairness [--minutes N] [--rate N] [--organizations N] [--connections N] [--seed S]
       npm run soak -- --overload [--minutes N] [--times N] [--wait-max MS] [--organizations N] [--connections N] [--seed S]

Keeps a server in a process of its own under load: submits, votes and queries of many organizations, at a rate that does
not heed how fast it answers. Fails where an answer is a 5xx or wrong, the store holds other events than were answered, or
its memory grows by more than 1 MB a minute after the first 60 % of the time,
in which the caches fill. It never fails because of a time: it prints whether p99 is within 50 ms.

  --minutes N         how long; 10 if not given (with --fairness or --overload 1)
  --rate N            requests that are due in a second; 400 if not given
  --organizations N   how many; 50 if not given (with --fairness 1000)
  --connections N     how many; 64 if not given
  --seed S            a number; the same seed asks for the same things, but for ids, keys and times
  --fairness          compares how many organizations fare alone, beside one that asks as much as all of them together, and
                      beside the same load of everyone
  --overload          finds the best throughput, offers several times as much, and measures how the server refuses, and when it
                      answers in normal time again. Fails where a request is neither accepted nor refused with 429 and
                      Retry-After, or the store holds other events than were answered
  --times N           how many times the best throughput is offered; 4 if not given
  --wait-max MS       for how long a submit may have to wait for its turn; what the server takes by itself if not given
  --help              this text`

const RSS_SLOPE_MAX = 1
const P99_AIM_MS = 50
const SHOWN_EVERY = 30
const BEST_FOR_MS = 10_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    rate: { type: 'string', default: '400' },
    organizations: { type: 'string' },
    connections: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
    fairness: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
    times: { type: 'string', default: '4' },
    'wait-max': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const main = async (): Promise<number> => {
  const forMs = Number(values.minutes ?? (values.fairness || values.overload ? 1 : 10)) * 60_000
  const organizations = Number(values.organizations ?? (values.fairness ? 1000 : 50))
  const [perSecond, connections, seed] = [Number(values.rate), Number(values.connections), Number(values.seed)]
  const [times, waitMs] = [Number(values.times), Number(values['wait-max'] ?? 1)]
  const isRight = [forMs, perSecond, times].every((n) => n > 0) && [organizations, connections, waitMs].every(isCount)
  if (values.help || !isRight || !Number.isSafeInteger(seed)) {
    console.log(USAGE)
    return values.help ? 0 : 2
  }
  const options = { forMs, organizations, perSecond, connections, seed }
  if (values.fairness) return compare({ ...options, forMs: forMs / 4 })
  if (values.overload) {
    const waitForTurnMaxMs = values['wait-max'] === undefined ? undefined : waitMs
    return tellOverload(await overload({ ...options, times, bestForMs: BEST_FOR_MS, waitForTurnMaxMs }))
  }
  let shown = 0
  const report = await load({
    ...options,
    onSample: (sample) => (shown++ % SHOWN_EVERY === 0 ? show(sample) : undefined),
  })
  return tell(report)
}

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n > 0

const show = ({ atMs, answered, rssBytes, heapBytes, loopDelayP99Ms }: Sample): void =>
  console.error(
    `… ${(atMs / 1000).toFixed(0)} s, ${answered} answers, ${megabytes(rssBytes)} (heap ${megabytes(heapBytes)}), ` +
      `event loop p99 ${ms(loopDelayP99Ms)} ms`,
  )

const tell = (report: LoadReport): number => {
  const { sent, answeredPerSecond, statuses, serverErrors, wrong, p50Ms, p99Ms, rssSlope, loopDelayP99Ms, events } =
    report
  console.log(`requests             ${sent} sent, ${answeredPerSecond.toFixed(0)} answered a second`)
  console.log(`statuses             ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
  const aim = `the aim of ${P99_AIM_MS} ms is ${p99Ms <= P99_AIM_MS ? '' : 'not '}reached`
  console.log(`latency              p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms, from when a request was due; ${aim}`)
  console.log(`event-loop delay     p99 ${ms(loopDelayP99Ms)} ms in the worst second`)
  console.log(
    `memory               ${rssSlope?.toFixed(2) ?? 'too short to tell how many'} MB a minute after the warm-up`,
  )
  console.log(`events               ${events.found} found, ${events.expected} answered`)
  for (const each of wrong.slice(0, 5)) console.log(`WRONG: ${each}`)
  const faults = [
    ...(serverErrors > 0 ? [`${serverErrors} answers were 5xx`] : []),
    ...(wrong.length > 0 ? ['some answers were wrong'] : []),
    ...(events.found === events.expected ? [] : ['the store does not hold what was answered']),
    ...(rssSlope !== undefined && rssSlope > RSS_SLOPE_MAX ? ['memory grows'] : []),
  ]
  console.log(faults.length === 0 ? '\nsound' : `\nFAILED: ${faults.join('; ')}`)
  return faults.length === 0 ? 0 : 1
}

const compare = async (options: Parameters<typeof fairness>[0]): Promise<number> => {
  const { alone, besideNoise, besideAll, noise } = await fairness(options)
  const line = (name: string, { answered, refused, p50Ms, p99Ms }: Fared): void =>
    console.log(`${name.padEnd(44)} ${answered} answered, ${refused} not, p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms`)
  line(`${options.organizations} organizations alone`, alone)
  line('… beside one that asks as much as all of them', besideNoise)
  line('… beside as much of everyone', besideAll)
  line('the noisy one', noise)
  return [alone, besideNoise, besideAll, noise].every(({ refused }) => refused === 0) ? 0 : 1
}

process.exitCode = await main()
