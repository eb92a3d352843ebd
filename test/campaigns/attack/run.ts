/**
 * The attacks: callers with and without credentials send the worst that we know at a server, while an honest caller asks and
 * submits beside them.
 */
import { parseArgs } from 'node:util'
import { progressBar, type Progress } from '../../../adapters/cli/progress.ts'
import { megabytes, ms } from '../bench/figures.ts'
import type { Attack } from './attack.ts'
import { attacks } from './attacks.ts'
import { runAttack, type Outcome } from './campaign.ts'
import { p99Of } from './honest-caller.ts'
import { runSingle, type Single } from './single.ts'
import { stand, type Stand } from './stand.ts'
import { BLOCK_MAX_MS, OTHERS_BUSY_MAX, P99_MAX_MS, RSS_MAX_BYTES, SAMPLES_MIN } from './verdict.ts'

const HELP = `Usage: npm run attack -- [--seconds N] [--only NAME] [--single] [--list] [--p99-max MS]

Attacks a server in a process of its own, one attack after the other, while an honest caller asks and submits beside it. The
honest caller's p99 has to stay under ${P99_MAX_MS} ms and all of the server's memory under ${megabytes(RSS_MAX_BYTES)}, no answer
may be another than is documented, and no process may end. Where each attack is short, the waits beside all of them are judged
together. Else a wait that is too long is measured once more. It is left undecided where other programs kept the processors
busy. Columns: the honest caller's p99; how late its own process was; the most memory; the longest that the server did one
thing; how many processors the server, the attackers and other programs used; what the attackers were answered.

  --seconds N     how long all attacks take together, without what prepares them; 120 if not given
  --only NAME     only the attacks whose names begin so; may be repeated
  --single        each attack on one connection, one request at a time: a table of what a request costs. None may keep all
                  others waiting for more than ${BLOCK_MAX_MS} ms
  --list          names the attacks, and says what they are
  --p99-max MS    another limit for the honest caller's p99, for machines that others use, too; ${P99_MAX_MS} if not given
  --server DIR    serves what was built in another folder, of a version that reads the same stores
  --help          this text

Example: npm run attack -- --seconds 600
Exit code 1 where a promise was broken. It reads figures that Linux gives, and only Linux.`

type Options = { readonly chosen: readonly Attack[]; readonly seconds: number; readonly from: string | undefined }

const positive = (text: string): number | undefined => (Number(text) > 0 ? Number(text) : undefined)

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      seconds: { type: 'string', default: '120' },
      only: { type: 'string', multiple: true, default: [] },
      single: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      'p99-max': { type: 'string', default: String(P99_MAX_MS) },
      server: { type: 'string' },
    },
  })
  const { only, single, list, server: from } = values
  const named = attacks.filter(({ name }) => only.length === 0 || only.some((begin) => name.startsWith(begin)))
  const chosen = named.filter(({ isSingle }) => single || list || isSingle !== true)
  const [seconds, p99MaxMs] = [positive(values.seconds), positive(values['p99-max'])]
  if (values.help || seconds === undefined || p99MaxMs === undefined || chosen.length === 0) {
    console.log(HELP)
    return values.help ? 0 : 2
  }
  if (list) {
    for (const { name, says } of chosen) console.log(`${name.padEnd(NAME_WIDTH)} ${says}`)
    return 0
  }
  return run({ chosen, seconds, from }, single ? each : inTurn(p99MaxMs))
}

const NAME_WIDTH = 50

/** Does one attack, prints what came of it, and gives what it broke. */
type Doing = {
  readonly head: string
  readonly one: (field: Stand, attack: Attack, forMs: number) => Promise<readonly string[]>
  /** What all of them together broke. */
  readonly end?: () => readonly string[]
}

const UNDECIDED: readonly string[] = []

const run = async ({ chosen, seconds, from }: Options, doing: Doing) => {
  const field = await stand(chosen, from)
  const bar: Progress = await progressBar(BigInt(chosen.length), 2n)
  const broken: string[] = []
  console.log(doing.head)
  try {
    for (const [n, attack] of chosen.entries()) {
      const faults = await doing.one(field, attack, (seconds * 1000) / chosen.length).catch(asFault)
      broken.push(...toldOf(attack, faults))
      bar.passed(BigInt(n + 1))
    }
    broken.push(...(doing.end?.() ?? []))
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

/** What makes the run fail; what is known and not mended yet is told only. */
const toldOf = ({ name, open }: Attack, faults: readonly string[]): readonly string[] => {
  if (open === undefined) return faults.map((fault) => `${name}: ${fault}`)
  for (const fault of faults) console.log(`  known: ${open}: ${fault}`)
  if (faults.length === 0 && faults !== UNDECIDED) console.log(`  known, and did not show: ${open}`)
  return []
}

/** Beside short attacks, the honest caller's waits are judged once for all of them. */
const inTurn = (p99MaxMs: number): Doing => {
  const latencies: number[] = []
  const othersBusy: number[] = []
  return {
    head: `${'attack'.padEnd(NAME_WIDTH)}     p99      own   memory    block      processors   answers`,
    one: async (field: Stand, attack: Attack, forMs: number): Promise<readonly string[]> => {
      const outcome = await runAttack(field, attack, forMs, p99MaxMs)
      console.log(line(outcome))
      if (attack.open === undefined) for (const latency of outcome.honest.latencies) latencies.push(latency)
      othersBusy.push(outcome.othersBusy)
      if (!outcome.isSlowOnly) return outcome.faults
      if (outcome.honest.latencies.length < SAMPLES_MIN) return UNDECIDED
      const again = await runAttack(field, attack, forMs, p99MaxMs)
      console.log(line(again))
      if (!again.isSlowOnly || again.othersBusy <= OTHERS_BUSY_MAX) return again.faults
      console.log(`  undecided, since others kept the processors busy: ${again.faults.join('; ')}`)
      return UNDECIDED
    },
    end: () => {
      const p99 = p99Of({ latencies })
      const busy = othersBusy.reduce((sum, one) => sum + one, 0) / othersBusy.length
      console.log(`the honest caller: p99 ${ms(p99)} ms of ${latencies.length} answers`)
      if (p99 < p99MaxMs) return []
      if (busy <= OTHERS_BUSY_MAX) return [`the honest caller waited: p99 ${ms(p99)} ms`]
      console.log('  undecided, since others kept the processors busy')
      return []
    },
  }
}

const line = ({
  attack,
  honest,
  fired,
  peakRssBytes,
  blocks,
  serverBusy,
  attackersBusy,
  othersBusy,
}: Outcome): string =>
  [
    attack.name.padEnd(NAME_WIDTH),
    `${ms(p99Of(honest))} ms`.padStart(9),
    `${ms(honest.ownDelayP99Ms)} ms`.padStart(8),
    megabytes(peakRssBytes).padStart(8),
    `${ms(blocks.cpuMs)} ms`.padStart(8),
    `${serverBusy.toFixed(1)} + ${attackersBusy.toFixed(1)} + ${othersBusy.toFixed(1)}`.padStart(15),
    `  ${answersOf(fired.statuses)}`,
  ].join(' ')

const each = {
  head: [
    '| attack | bytes sent | bytes read | answers | longest wait ms | longest block ms | of it on a processor ms | memory after |',
    '| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |',
  ].join('\n'),
  one: async (field: Stand, attack: Attack): Promise<readonly string[]> => {
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
