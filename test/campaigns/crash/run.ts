/**
 * The crash harness: kills the server at random and at named points, starts it again on the same store, and checks that
 * it keeps every promise that it had made.
 */
import { parseArgs } from 'node:util'
import { BUGS, BUGS_OF_SEVERAL, BUGS_ON_EVENTSTOREDB, type BugName } from './bugs/bug.ts'
import { runCampaign, type Outcome } from './campaign.ts'
import { nameOf, POINTS, POINTS_OF_SEVERAL, POINTS_ON_EVENTSTOREDB, type Point, type Round } from './plan.ts'
import { numberOfCommit } from '../of-commit.ts'
import { several } from './several/command.ts'
import { runErasures } from './erasures/campaign.ts'
import { randomOf } from './random.ts'
import { runWebhooks } from './webhooks/campaign.ts'
import type { RoundReport } from './round.ts'

const HELP = `Usage: npm run crash -- [options]

Kills the server with SIGKILL in the midst of its work, starts it again, and checks what it had promised.

  --rounds N       rounds that end at random; 10 if not given
  --per-point N    rounds that end at each named point; 10 if not given
  --point NAME     only this point: ${POINTS.join(', ')}
  --seed S         repeats the choices of an earlier run
  --short          3 rounds at random and 1 at each point
  --of-commit      a campaign whose store and seed follow from the commit, as in CI; prints the options that repeat it
  --erasures N     instead of all this, erases a person: killed at each point of the erasure, and N times at random
  --webhooks N     instead of all this, kills a server N times while it tells three endpoints what happens
  --bug NAME       makes a mistake on purpose, which has to be found: ${BUGS.join(', ')}

Several servers on one store, which they share; they and what the store stands on die while many clients work:

  --store NAME       postgres: on the server of COUNTERSIGN_POSTGRES_URL, or one that is started here
                     eventstoredb: the log on the emulator, or on what EVENTSTOREDB_START starts, with read models on PostgreSQL
  --processes N      servers; 3 if not given
  --clients N        60 if not given
  --organizations N  5 if not given
  --rounds N         40 if not given
  --answers N        how many each round takes; 1000 if not given
  --point NAME       only this point: ${POINTS_OF_SEVERAL.join(', ')};
                     or ${POINTS_ON_EVENTSTOREDB.join(', ')}
  --bug NAME         one of ${BUGS_OF_SEVERAL.join(', ')}; or ${BUGS_ON_EVENTSTOREDB.join(', ')}
  --votes N          instead of all this, about N votes at once on activities that need five
  --freeze           instead of all this, one server stands still until the others have done its work: with the lock or a group
                     of events, with a lease, a projection's lease, in an effect

Examples: npm run crash -- --rounds 200 --per-point 20
          npm run crash -- --store postgres --processes 3
          npm run crash -- --store eventstoredb --processes 3 --rounds 20
Exit code 1 where a promise was broken; with --bug, where the mistake was not found.`

/** What `--of-commit` takes turns between. */
const TURNS = [
  ['--rounds', '9', '--per-point', '1'],
  ['--store', 'postgres', '--rounds', '4'],
  ['--store', 'eventstoredb', '--rounds', '3', '--answers', '600'],
  ['--webhooks', '30'],
]

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes('--of-commit')) {
    const seed = numberOfCommit()
    const again = [...(TURNS[seed % TURNS.length] ?? []), '--seed', String(seed)]
    console.log(`npm run crash -- ${again.join(' ')}`)
    return main(again)
  }
  const options = read(args)
  if (options === undefined) return 2
  if (options === 'help') {
    console.log(HELP)
    return 0
  }
  if ('several' in options) return several(options.several)
  if (options.erasures !== undefined) {
    console.log(`seed ${options.erasureSeed}`)
    return (await runErasures(options.erasureSeed, options.erasures, console.log)) === 0 ? 0 : 1
  }
  if (options.webhooks !== undefined) {
    console.log(`seed ${options.webhooksSeed}`)
    const campaign = { kills: options.webhooks, submits: WEBHOOK_SUBMITS }
    return (await runWebhooks(campaign, randomOf(options.webhooksSeed), console.log)).length === 0 ? 0 : 1
  }
  const { campaign, bug } = options
  console.log(`seed ${campaign.seed}${bug === undefined ? '' : `, with the mistake ${bug}`}`)
  const outcome = await runCampaign(campaign, { onRound: print, ...(bug === undefined ? {} : { bug }) })
  return bug === undefined ? sound(outcome) : caught(outcome, bug)
}

/** Each is told to three endpoints. */
const WEBHOOK_SUBMITS = 1_000

const read = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      rounds: { type: 'string' },
      'per-point': { type: 'string' },
      point: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      short: { type: 'boolean', default: false },
      bug: { type: 'string' },
      erasures: { type: 'string' },
      webhooks: { type: 'string' },
      store: { type: 'string', default: 'sqlite' },
      processes: { type: 'string' },
      clients: { type: 'string' },
      organizations: { type: 'string' },
      answers: { type: 'string' },
      votes: { type: 'string' },
      freeze: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help' as const
  const store = SHARED.find((one) => one === values.store)
  if (store !== undefined) return { several: { ...values, store } }
  if (values.store !== 'sqlite') {
    console.error('--store: expected sqlite, postgres or eventstoredb')
    return undefined
  }
  if (values.erasures !== undefined) {
    const erasures = Number(values.erasures)
    if (Number.isSafeInteger(erasures) && erasures >= 0) return { erasures, erasureSeed: values.seed }
    console.error('--erasures: expected a number')
    return undefined
  }
  if (values.webhooks !== undefined) {
    const webhooks = Number(values.webhooks)
    if (Number.isSafeInteger(webhooks) && webhooks >= 0) return { webhooks, webhooksSeed: values.seed }
    console.error('--webhooks: expected a number')
    return undefined
  }
  const point = oneOf(POINTS, values.point, '--point')
  const bug = oneOf(BUGS, values.bug, '--bug')
  const rounds = Number(values.rounds ?? (values.short ? 3 : 10))
  const perPoint = Number(values['per-point'] ?? (values.short ? 1 : 10))
  if (point === 'wrong' || bug === 'wrong') return undefined
  if (!Number.isSafeInteger(rounds) || !Number.isSafeInteger(perPoint) || rounds < 0 || perPoint < 0) {
    console.error('--rounds and --per-point: expected numbers')
    return undefined
  }
  const points: readonly Point[] = point === undefined ? POINTS : [point]
  return { campaign: { seed: values.seed, rounds, perPoint, points }, bug }
}

/** Stores that several servers can share. */
const SHARED = ['postgres', 'eventstoredb'] as const

const oneOf = <A extends string>(
  names: readonly A[],
  name: string | undefined,
  option: string,
): A | 'wrong' | undefined => {
  const found = names.find((one) => one === name)
  if (name === undefined || found !== undefined) return found
  console.error(`${option}: expected one of ${names.join(', ')}`)
  return 'wrong'
}

const print = (round: Round, { isReached, answers, resent, events, violations }: RoundReport, total: number): void => {
  const end = `${nameOf(round)}${isReached ? '' : ' (not reached, killed later)'}`
  const numbers = `${answers} answers, ${resent} sent again, ${events} events`
  console.log(`${String(round.number).padStart(4)}/${total}  ${end.padEnd(56)} ${numbers}`)
  for (const text of violations.slice(0, SHOWN_MAX)) console.log(`           BROKEN: ${text}`)
  if (violations.length > SHOWN_MAX) console.log(`           and ${violations.length - SHOWN_MAX} more`)
}

const SHOWN_MAX = 8

const sound = ({ rounds, answers, resent, notReached, violations }: Outcome): number => {
  for (const folder of new Set(violations.map((violation) => violation.folder)))
    console.log(`kept for a closer look: ${folder}`)
  console.log(
    `\n${rounds} kills, ${answers} answers kept, ${resent} requests sent again, ${notReached} points not reached: ` +
      `${violations.length} promises broken`,
  )
  return violations.length === 0 ? 0 : 1
}

const caught = ({ rounds, violations }: Outcome, bug: BugName): number => {
  console.log(
    violations.length > 0 ? `\n${bug} was found in round ${rounds}` : `\n${bug} was not found in ${rounds} rounds`,
  )
  return violations.length > 0 ? 0 : 1
}

// Whoever ends this process ends its servers: they end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))
