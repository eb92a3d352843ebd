import { parseArgs } from 'node:util'
import { megabytes } from '../bench/figures.ts'
import { fuzz } from './requests.ts'

const USAGE = `Usage: npm run fuzz -- [--requests N] [--seed S]

Sends mutated requests to a server in a process of its own, over sockets: bodies from the definitions of all operations and
queries, spoilt in a dozen ways, with spoilt headers, paths and stamps. No answer may be a 5xx or repeat what was sent, no
request that was refused may leave an event, and whoever means well is served in between.

  --requests N   how many; 100,000 if not given
  --seed S       a number; the same seed makes the same rubbish, but for ids, keys and times
  --help         this text`

const SHOWN_MAX = 10

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [requests, seed] = [Number(values.requests), Number(values.seed)]
  const isRight = Number.isSafeInteger(requests) && requests > 0 && Number.isSafeInteger(seed)
  if (values.help || !isRight) {
    console.log(USAGE)
    return values.help ? 0 : 2
  }
  let shownAt = 0
  const onProgress = (sent: number): void => {
    if (sent < requests && performance.now() - shownAt < 5000) return
    shownAt = performance.now()
    console.error(`… ${sent} of ${requests}`)
  }
  const { tallies, faults, events, rssBytes, perSecond } = await fuzz({ requests, seed, onProgress })
  for (const [name, { sent, accepted, refused, unanswered }] of tallies)
    console.log(`${name.padEnd(46)} ${sent} sent, ${accepted} accepted, ${refused} refused, ${unanswered} unanswered`)
  for (const fault of faults.slice(0, SHOWN_MAX)) console.log(`\nBROKEN: ${fault}`)
  console.log(
    `\n${requests} requests, ${Math.round(perSecond)} a second, ${events} events, the server takes ${megabytes(rssBytes)}: ` +
      `${faults.length} promises broken`,
  )
  return faults.length === 0 ? 0 : 1
}

process.exitCode = await main()
