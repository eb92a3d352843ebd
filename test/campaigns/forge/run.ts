import { parseArgs } from 'node:util'
import { progressBar } from '../../../adapters/cli/progress.ts'
import { numberOfCommit } from '../of-commit.ts'
import { audited, describe, forgeries } from './forgeries.ts'
import { EVERYTHING, randomHistory } from './random-history.ts'

const USAGE = `Makes random honest logs, forges them as somebody can who has the store but no keys, and audits both.

  npm run forge -- [--cases N] [--honest N] [--requests N] [--first SEED | --of-commit]

  --cases N      how many forgeries: each has to be found, or to be what an engine writes that is sent the same
                 requests in that order and at those times (it is sent them); default 10000
  --honest N     how many long honest logs, in which the audit has to find nothing; default 10
  --requests N   requests that each of the long logs is made of; default 3200, of which some 1,000 become activities
  --first SEED   the first seed; default 1. The same seeds make the same logs
  --of-commit    the first seed follows from the commit, as in CI
  --help         this text

Exit code 1 where a forgery was missed, or an honest log was accused.`

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '10000' },
      honest: { type: 'string', default: '10' },
      requests: { type: 'string', default: '3200' },
      first: { type: 'string', default: '1' },
      'of-commit': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const commit = values['of-commit'] ? numberOfCommit() : undefined
  const [cases, honest, requests, first] = [values.cases, values.honest, values.requests, commit ?? values.first].map(
    Number,
  )
  if (![cases, honest, requests, first].every((value) => Number.isSafeInteger(value) && Number(value) >= 0)) {
    console.error('--cases, --honest, --requests and --first: expected numbers')
    return 2
  }
  if (commit !== undefined)
    console.log(`npm run forge -- --cases ${cases} --honest ${honest} --requests ${requests} --first ${first}`)
  const accused = await auditHonest(Number(first), Number(honest), Number(requests))
  const missed = await forgeAll(Number(first), Number(cases))
  return accused + missed === 0 ? 0 : 1
}

const auditHonest = async (first: number, logs: number, requests: number): Promise<number> => {
  let accused = 0
  const counts = { events: 0, activities: 0, clockBehind: 0 }
  for (let seed = first; seed < first + logs; seed += 1) {
    const { text, limits, erased, clockLagMaxMs } = await randomHistory(seed, { ...EVERYTHING, requests })
    const report = await audited(text, { limits, erasedMax: erased, clockLagMaxMs })
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += report.counts[name]
    const { findings } = report
    if (findings.length === 0) continue
    accused += 1
    console.log(`seed ${seed}: ${describe(findings.slice(0, 3))}`)
  }
  console.log(
    `${logs} honest logs, ${counts.events} events, ${counts.activities} activities, ` +
      `${counts.clockBehind} decisions by a clock that had gone back: ${accused} logs accused`,
  )
  return accused
}

const forgeAll = async (first: number, cases: number): Promise<number> => {
  const bar = await progressBar(BigInt(cases), 500n)
  const { found, unchanged, anotherHistory, missed } = await forgeries(first, cases, (made) => bar.passed(BigInt(made)))
  bar.end()
  for (const one of missed.slice(0, MISSED_SHOWN)) console.log(`missed: ${one}`)
  console.log(
    `${cases} forgeries: ${found} found, ${unchanged} changed nothing, ${anotherHistory} are another honest history ` +
      `of the same requests (which every known head finds), ${missed.length} missed`,
  )
  return missed.length
}

const MISSED_SHOWN = 10

process.exitCode = await main()
