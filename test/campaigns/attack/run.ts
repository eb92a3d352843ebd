/**
 * The attacks: callers with and without credentials send the worst that we know at a server, while an honest caller asks and
 * submits beside them.
 */
import { parseArgs } from 'node:util'
import { progressBar, type Progress } from '../../../adapters/cli/progress.ts'
import { megabytes, ms } from '../bench/figures.ts'
import type { Attack } from './attack.ts'
import { numberOfCommit } from '../of-commit.ts'
import { attacks } from './attacks.ts'
import { runAttack } from './campaign.ts'
import { runSingle, type Single } from './single.ts'
import { stand, type Stand } from './stand.ts'
import { BLOCK_MAX_MS, RSS_MAX_BYTES } from './verdict.ts'

const ROUNDS = 5

const HELP = `Usage: npm run attack -- [--rounds N] [--only NAME] [--single] [--list]

Attacks a server in a process of its own, one attack after the other, while an honest caller asks and submits beside it. All of the
server's memory has to stay under ${megabytes(RSS_MAX_BYTES)}, no answer may be another than is documented, and no process may end.
Columns: the most memory; what the honest caller was answered; what the attackers were answered.

  --rounds N      how often the honest caller asks on each of its connections, and how many turns each attacker has at least;
                  ${ROUNDS} if not given
  --only NAME     only the attacks whose names begin so; may be repeated
  --of-commit     every second attack; the commit says which
  --single        each attack on one connection, one request at a time: a table of what a request costs. None may keep all
                  others waiting for more than ${BLOCK_MAX_MS} ms of processor time
  --list          names the attacks, and says what they are
  --server DIR    serves what was built in another folder, of a version that reads the same stores
  --help          this text

Example: npm run attack -- --rounds 200
Exit code 1 where a promise was broken. It reads figures that Linux gives, and only Linux.`

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      rounds: { type: 'string', default: String(ROUNDS) },
      only: { type: 'string', multiple: true, default: [] },
      'of-commit': { type: 'boolean', default: false },
      single: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      server: { type: 'string' },
    },
  })
  const { only, single, list, server: from } = values
  const named = attacks.filter(({ name }) => only.length === 0 || only.some((begin) => name.startsWith(begin)))
  const all = named.filter(({ isSingle }) => single || list || isSingle !== true)
  const turn = values['of-commit'] ? numberOfCommit() : undefined
  const chosen = all.filter((_, index) => turn === undefined || (index + turn) % 2 === 0)
  const rounds = Number(values.rounds)
  if (values.help || !(Number.isSafeInteger(rounds) && rounds > 0) || chosen.length === 0) {
    console.log(HELP)
    return values.help ? 0 : 2
  }
  if (list) {
    for (const { name, says } of chosen) console.log(`${name.padEnd(NAME_WIDTH)} ${says}`)
    return 0
  }
  return run(chosen, from, single ? each : inTurn(rounds))
}

const NAME_WIDTH = 50

/** Does one attack, prints what came of it, and gives what it broke. */
type Doing = {
  readonly head: string
  readonly one: (field: Stand, attack: Attack) => Promise<readonly string[]>
}

const run = async (chosen: readonly Attack[], from: string | undefined, { head, one }: Doing) => {
  const field = await stand(chosen, from)
  const bar: Progress = await progressBar(BigInt(chosen.length), 2n)
  const broken: string[] = []
  console.log(head)
  try {
    for (const [n, attack] of chosen.entries()) {
      for (const fault of await one(field, attack).catch(asFault)) broken.push(`${attack.name}: ${fault}`)
      bar.passed(BigInt(n + 1))
    }
  } finally {
    bar.end()
    await field.close()
  }
  console.log()
  for (const fault of broken) console.log(`BROKEN: ${fault}`)
  console.log(`${chosen.length} attacks: ${broken.length} promises broken`)
  return broken.length === 0 ? 0 : 1
}

/** An attack that cannot be carried out says nothing, and so it fails. */
const asFault = (error: unknown): readonly string[] => [`it could not be carried out: ${String(error).slice(0, 300)}`]

const inTurn = (rounds: number): Doing => ({
  head: `${'attack'.padEnd(NAME_WIDTH)}   memory   answers`,
  one: async (field, attack) => {
    const { peakRssBytes, honest, fired, faults } = await runAttack(field, attack, rounds)
    const answers = `${answersOf(honest)}; attackers: ${answersOf(fired.statuses)}`
    console.log(`${attack.name.padEnd(NAME_WIDTH)} ${megabytes(peakRssBytes).padStart(8)}   ${answers}`)
    return faults
  },
})

const each: Doing = {
  head: [
    '| attack | bytes sent | bytes read | answers | longest wait ms | longest block ms | of it on a processor ms | memory after |',
    '| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |',
  ].join('\n'),
  one: async (field, attack) => {
    const single = await runSingle(field, attack)
    console.log(row(single))
    return single.faults
  },
}

const row = ({ attack, fired, honestMs, blocks, rssBytes, faults }: Single): string => {
  const turns = Math.max(
    1,
    [...fired.statuses.values()].reduce((sum, count) => sum + count, 0),
  )
  const inEach = (bytes: number): string => Math.round(bytes / turns).toLocaleString('en-US')
  const cpu = faults.length === 0 ? ms(blocks.cpuMs) : `**${ms(blocks.cpuMs)}**`
  const figures = [ms(honestMs), ms(blocks.wallMs), cpu, megabytes(rssBytes)]
  const sent = [inEach(fired.bytesSent), inEach(fired.bytesRead), answersOf(fired.statuses)]
  return `| ${[attack.name, ...sent, ...figures].join(' | ')} |`
}

const answersOf = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status === 0 ? 'none' : status}`).join(', ')

process.exitCode = await main()
