import { parseArgs } from 'node:util'
import { megabytes } from '../bench/figures.ts'
import { readMutated } from '../../core/log/mutated-lines.ts'
import { fuzz } from './requests.ts'

const USAGE = `Usage: npm run fuzz -- [--requests N | --lines N] [--seed S]

Sends mutated requests to a server in a process of its own, over sockets: bodies from the definitions of all operations and
queries, spoilt in a dozen ways, with spoilt headers, paths and stamps. No answer may be a 5xx or repeat what was sent, no
request that was refused may leave an event, and whoever means well is served in between.

With --lines it changes lines of logs instead: a line that is still read has to be the one spelling of what it says.

  --requests N   how many; 100,000 if not given
  --lines N      so many lines, and no requests
  --seed S       a number; the same seed makes the same rubbish, but for ids, keys and times
  --help         this text`

const SHOWN_MAX = 10
/** A hundred batches. */
const SHOWN_EVERY = 6400

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      lines: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [requests, seed] = [Number(values.lines ?? values.requests), Number(values.seed)]
  const isRight = Number.isSafeInteger(requests) && requests > 0 && Number.isSafeInteger(seed)
  if (values.help || !isRight) {
    console.log(USAGE)
    return values.help ? 0 : 2
  }
  return values.lines === undefined ? fuzzRequests(requests, seed) : fuzzLines(requests, seed)
}

const fuzzLines = (lines: number, seed: number): number => {
  const { read, misread } = readMutated(seed, lines, (done) => {
    if (done % 100_000 === 0) console.error(`… ${done} of ${lines}`)
  })
  for (const { line, written } of misread.slice(0, SHOWN_MAX)) console.log(`\nMISREAD: ${line}\n  written: ${written}`)
  console.log(`${lines} changed lines, ${read} of them still read: ${misread.length} are written otherwise`)
  return misread.length === 0 ? 0 : 1
}

const fuzzRequests = async (requests: number, seed: number): Promise<number> => {
  const onProgress = (sent: number): void => {
    if (sent % SHOWN_EVERY === 0) console.error(`… ${sent} of ${requests}`)
  }
  const { tallies, faults, events, rssBytes } = await fuzz({ requests, seed, onProgress })
  for (const [name, { sent, accepted, refused, unanswered }] of tallies)
    console.log(`${name.padEnd(46)} ${sent} sent, ${accepted} accepted, ${refused} refused, ${unanswered} unanswered`)
  for (const fault of faults.slice(0, SHOWN_MAX)) console.log(`\nBROKEN: ${fault}`)
  console.log(
    `\n${requests} requests, ${events} events, the server takes ${megabytes(rssBytes)}: ` +
      `${faults.length} promises broken`,
  )
  return faults.length === 0 ? 0 : 1
}

process.exitCode = await main()
