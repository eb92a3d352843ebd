import { startServerProcess } from '../../../adapters/store-eventstoredb/emulator/server-process.ts'
import { postgresServer } from '../../../adapters/store-postgres/server/server.ts'
import { BUGS_OF_SEVERAL, BUGS_ON_EVENTSTOREDB } from '../bugs/bug.ts'
import { POINTS_OF_SEVERAL, POINTS_ON_EVENTSTOREDB } from '../plan.ts'
import { runSeveral, type SeveralCampaign } from './campaign.ts'
import { onEventStoreDb } from './eventstoredb-place.ts'
import { runFreeze } from './frozen.ts'
import type { Ground } from './ground.ts'
import { onPostgresServer } from './postgres-place.ts'
import type { SeveralReport } from './round.ts'
import { runVotes } from './votes.ts'

/** What is asked of the harness with several servers, by the words of the command line. */
export type SeveralWords = {
  readonly store: 'postgres' | 'eventstoredb'
  readonly seed: string
  readonly processes?: string | undefined
  readonly clients?: string | undefined
  readonly organizations?: string | undefined
  readonly rounds?: string | undefined
  readonly answers?: string | undefined
  readonly point?: string | undefined
  readonly bug?: string | undefined
  readonly votes?: string | undefined
  readonly freeze: boolean
}

/** Gives the exit code. */
export const several = async (words: SeveralWords): Promise<number> => {
  const numbers = { processes: 3, clients: 60, organizations: 5, rounds: 40, answers: 1_000, votes: 0 }
  for (const [name] of Object.entries(numbers)) {
    const word = words[name as keyof typeof numbers] // one of them
    if (word === undefined) continue
    if (!/^[1-9][0-9]{0,5}$/.test(word)) return refused(`--${name}: expected a number from 1 on`)
    numbers[name as keyof typeof numbers] = Number(word)
  }
  const { points, bugs } = kinds[words.store]
  const point = points.find((one) => one === words.point)
  const bug = bugs.find((one) => one === words.bug)
  if (words.point !== undefined && point === undefined) return refused(`--point: expected one of ${points.join(', ')}`)
  if (words.bug !== undefined && bug === undefined) return refused(`--bug: expected one of ${bugs.join(', ')}`)

  const { ground, end } = await groundOf(words.store)
  if (ground === undefined) return 0
  const { seed } = words
  console.log(`seed ${seed}${bug === undefined ? '' : `, with the mistake ${bug}`}`)
  try {
    if (numbers.votes > 0) return await votes(ground, seed, numbers.votes)
    if (words.freeze) return await freezes(ground, seed)
    const { processes: servers, ...size } = numbers
    return await campaign(ground, {
      ...size,
      seed,
      servers,
      bug,
      points: point !== undefined ? [point] : bug === undefined ? points : [],
    })
  } finally {
    await end()
  }
}

const kinds = {
  postgres: { points: POINTS_OF_SEVERAL, bugs: BUGS_OF_SEVERAL },
  eventstoredb: { points: POINTS_ON_EVENTSTOREDB, bugs: BUGS_ON_EVENTSTOREDB },
}

/** What the stores stand on; undefined where there is no PostgreSQL. */
const groundOf = async (
  store: SeveralWords['store'],
): Promise<{ readonly ground: Ground | undefined; readonly end: () => Promise<void> }> => {
  const server = await postgresServer()
  if (typeof server === 'string') {
    console.log(`Several servers are left out: ${server}`)
    return { ground: undefined, end: async () => undefined }
  }
  if (server.crash === undefined) console.log('the database is not ours: it is not killed')
  if (store === 'postgres') return { ground: onPostgresServer(server), end: async () => undefined }
  const log = await startServerProcess()
  console.log(`the log is on ${log.name}`)
  return { ground: onEventStoreDb(log, server), end: log.end }
}

const refused = (reason: string): number => {
  console.error(reason)
  return 2
}

/** Below so many answers the share of conflicts says nothing: a single one would be too many. */
const ANSWERS_MIN = 10_000

const campaign = async (ground: Ground, asked: SeveralCampaign): Promise<number> => {
  const outcome = await runSeveral(ground, asked, (round, report) => console.log(`round ${round}: ${told(report)}`))
  const { answers, conflicts, violations } = outcome
  const { bug } = asked
  for (const place of bug === undefined ? new Set(violations.map((violation) => violation.place)) : [])
    console.log(`kept: ${place}`)
  for (const [name, count] of [...outcome.deaths].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`  ${String(count).padStart(4)} died: ${name}`)
  const most = answers >= ANSWERS_MIN ? answers / 10_000 : Math.max(1, answers / 1_000)
  const isCrowded = conflicts > most
  console.log(
    `\n${told({ ...outcome, violations: [] })}\n${conflicts} of ${answers} answers were CONFLICT` +
      `${isCrowded ? `, more than ${most.toFixed(1)}` : ''}; ${violations.length} promises broken`,
  )
  if (bug !== undefined) {
    console.log(violations.length > 0 ? `${bug} was found in round ${outcome.rounds}` : `${bug} was not found`)
    return violations.length > 0 ? 0 : 1
  }
  return violations.length > 0 || isCrowded ? 1 : 0
}

const told = (report: SeveralReport): string => {
  const { deaths, notReached, databaseDeaths, answers, conflicts, resent, events, violations } = report
  const databases = [...databaseDeaths].map(([name, count]) => `${name} ${count} times`).join(', ')
  const died = [...deaths.values()].reduce((sum, count) => sum + count, 0)
  const broken = violations.slice(0, SHOWN_MAX).map((text) => `\n           BROKEN: ${text}`)
  const more = violations.length > SHOWN_MAX ? `\n           and ${violations.length - SHOWN_MAX} more` : ''
  return (
    `${died} servers died${notReached === 0 ? '' : ` (${notReached} points not reached)`}, ${databases || 'no database'}; ` +
    `${answers} answers, ${conflicts} conflicts, ${resent} sent again, ${events} events${broken.join('')}${more}`
  )
}

const SHOWN_MAX = 8

const votes = async (ground: Ground, seed: string, count: number): Promise<number> => {
  const { activities, sent, recorded, allowed, violations } = await runVotes(ground, seed, count)
  console.log(`${sent} votes on ${activities} activities: ${recorded} recorded, ${allowed} allowed`)
  for (const text of violations) console.log(`  BROKEN: ${text}`)
  return violations.length === 0 && recorded === allowed ? 0 : 1
}

const freezes = async (ground: Ground, seed: string): Promise<number> => {
  let broken = 0
  for (const point of ground.freezes.keys()) {
    const { answered, answeredAfter, violations } = await runFreeze(ground, { seed, point, times: 'usual' })
    console.log(
      `frozen at ${point}: the others answered ${answered} times, and ended what it had begun; it answered ${answeredAfter} times after that`,
    )
    for (const text of violations) console.log(`  BROKEN: ${text}`)
    broken += violations.length
  }
  return broken === 0 ? 0 : 1
}
