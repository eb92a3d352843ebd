import { parseArgs } from 'node:util'
import { megabytes } from '../bench/figures.ts'
import { load, type LoadReport } from './load.ts'

const USAGE = `Usage: npm run soak -- [--requests N] [--organizations N] [--connections N] [--wait-max MS] [--seed S]

Keeps a server in a process of its own under load: submits, votes and queries of many organizations, on each connection as soon as the answer
before has come. What is refused with 429 is sent again when the time of Retry-After is over. Fails where another answer is no 200 or is
wrong, a refusal has no Retry-After, the store holds other events than were answered, or its memory grows by more than half a megabyte in
10,000 requests after the first 60 % of them, in which the caches fill. It never fails because of a time.

  --requests N        how many; 200,000 if not given
  --organizations N   how many; 50 if not given
  --connections N     how many; 64 if not given. 960 are more than a server lets wait, and fewer than it accepts
  --wait-max MS       for how long a submit may have to wait for its turn; what the server takes by itself if not given
  --seed S            a number; the same seed asks for the same things, but for ids, keys and times
  --help              this text`

const RSS_SLOPE_MAX = 0.5

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '200000' },
      organizations: { type: 'string', default: '50' },
      connections: { type: 'string', default: '64' },
      'wait-max': { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [requests, organizations, connections] = [values.requests, values.organizations, values.connections].map(Number)
  const waitForTurnMaxMs = values['wait-max'] === undefined ? undefined : Number(values['wait-max'])
  const isCount = (n = 0): n is number => Number.isSafeInteger(n) && n > 0
  const isRight = isCount(requests) && isCount(organizations) && isCount(connections) && isCount(waitForTurnMaxMs ?? 1)
  if (values.help || !isRight || !Number.isSafeInteger(Number(values.seed))) {
    console.log(USAGE)
    return values.help ? 0 : 2
  }
  const report = await load({
    requests,
    organizations,
    connections,
    waitForTurnMaxMs,
    seed: Number(values.seed),
    onSample: ({ answered, rssBytes }) => console.error(`… ${answered} answers, ${megabytes(rssBytes)}`),
  })
  return tell(report)
}

const tell = ({ statuses, refusals, wrong, rssSlope, events }: LoadReport): number => {
  console.log(`statuses   ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
  console.log(`refusals   ${refusals.count}, ${refusals.withoutRetryAfter} of them without Retry-After`)
  console.log(
    `memory     ${rssSlope?.toFixed(2) ?? 'too short to tell how many'} MB in 10,000 requests after the warm-up`,
  )
  console.log(`events     ${events.found} found, ${events.expected} answered`)
  for (const each of wrong.slice(0, 5)) console.log(`WRONG: ${each}`)
  const faults = [
    ...[...statuses].flatMap(([status, count]) => (status === 200 ? [] : [`${count} answers were ${status}`])),
    ...(wrong.length > 0 ? ['some answers were wrong'] : []),
    ...(refusals.withoutRetryAfter > 0 ? ['some refusals do not say when to try again'] : []),
    ...(events.found === events.expected ? [] : ['the store does not hold what was answered']),
    ...(rssSlope !== undefined && rssSlope > RSS_SLOPE_MAX ? ['memory grows'] : []),
  ]
  console.log(faults.length === 0 ? '\nsound' : `\nFAILED: ${faults.join('; ')}`)
  return faults.length === 0 ? 0 : 1
}

process.exitCode = await main()
