import type { PostgresServer } from '../../postgres/server.ts'
import type { BugName } from '../bugs/bug.ts'
import { POINTS_OF_SEVERAL, type Point } from '../plan.ts'
import { randomOf } from '../random.ts'
import { foundTown } from '../town.ts'
import { livesOf, livesWithBug } from './plan.ts'
import { postgresPlace, type PostgresPlace } from './postgres-place.ts'
import { runSeveralRound, type SeveralReport } from './round.ts'

export type SeveralCampaign = {
  readonly seed: string
  readonly servers: number
  readonly clients: number
  readonly organizations: number
  /** After so long no other round begins. */
  readonly seconds: number
  readonly points?: readonly Point[]
  /** A mistake to be found; the campaign ends with the first round that finds it. */
  readonly bug?: BugName | undefined
}

export type SeveralOutcome = Omit<SeveralReport, 'violations'> & {
  readonly rounds: number
  readonly violations: readonly { readonly round: number; readonly schema: string; readonly text: string }[]
}

const LOAD_MS = 14_000
/** A mistake shows soon. */
const LOAD_MS_OF_BUG = 6_000
const ROUNDS_PER_STORE = 4

/** Rounds one behind the other, until the time is over. A store in which something does not hold is kept, unless a mistake was made on purpose. */
export const runSeveral = async (
  server: PostgresServer,
  { seed, servers, clients, organizations, seconds, points = POINTS_OF_SEVERAL, bug }: SeveralCampaign,
  onRound: (round: number, report: SeveralReport) => void = () => undefined,
): Promise<SeveralOutcome> => {
  const random = randomOf(seed)
  const nextLife = (bug === undefined ? livesOf : livesWithBug)(points, random.fork('lives'))
  const endsAt = performance.now() + seconds * 1000
  const violations: SeveralOutcome['violations'][number][] = []
  let place: PostgresPlace | undefined
  let sum = nothing
  let rounds = 0
  const goesOn = (): boolean => performance.now() < endsAt && (violations.length === 0 || bug === undefined)
  for (; goesOn(); rounds += 1) {
    const choices = random.fork(`round ${rounds + 1}`)
    const isBroken = violations.at(-1)?.round === rounds
    if (place !== undefined && (isBroken || rounds % ROUNDS_PER_STORE === 0)) {
      await place.close(isBroken)
      place = undefined
    }
    const towns = () => Array.from({ length: organizations }, () => foundTown())
    place ??= await postgresPlace(server, towns(), choices)
    const { schema } = place
    // Checks and starts take about as long as a short load does.
    const loadMs = Math.max(
      2_000,
      Math.min(bug === undefined ? LOAD_MS : LOAD_MS_OF_BUG, (endsAt - performance.now()) * 0.6),
    )
    const crashDatabase = bug === undefined ? server.crash : undefined
    const report = await runSeveralRound(place, { servers, clients, loadMs, nextLife, crashDatabase, bug }, choices)
    for (const text of report.violations) violations.push({ round: rounds + 1, schema, text })
    sum = added(sum, report)
    onRound(rounds + 1, report)
  }
  await place?.close(bug === undefined && violations.at(-1)?.round === rounds)
  return { ...sum, rounds, violations }
}

type Sum = Omit<SeveralReport, 'violations'>

const nothing: Sum = {
  deaths: new Map(),
  notReached: 0,
  databaseDeaths: 0,
  answers: 0,
  conflicts: 0,
  resent: 0,
  events: 0,
}

const added = (a: Sum, b: Sum): Sum => {
  const deaths = new Map(a.deaths)
  for (const [name, count] of b.deaths) deaths.set(name, (deaths.get(name) ?? 0) + count)
  return {
    deaths,
    notReached: a.notReached + b.notReached,
    databaseDeaths: a.databaseDeaths + b.databaseDeaths,
    answers: a.answers + b.answers,
    conflicts: a.conflicts + b.conflicts,
    resent: a.resent + b.resent,
    events: b.events, // of the last store
  }
}
