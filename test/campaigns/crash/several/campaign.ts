import type { BugName } from '../bugs/bug.ts'
import type { Point } from '../plan.ts'
import { randomOf } from '../random.ts'
import { foundTown } from '../town.ts'
import type { Ground, SeveralPlace } from './ground.ts'
import { livesOf, livesWithBug } from './plan.ts'
import { runSeveralRound, type SeveralReport } from './round.ts'

export type SeveralCampaign = {
  readonly seed: string
  readonly servers: number
  readonly clients: number
  readonly organizations: number
  readonly rounds: number
  /** How many answers each round takes. */
  readonly answers: number
  /** Default: all of the ground. */
  readonly points?: readonly Point[]
  /** A mistake to be found; the campaign ends with the first round that finds it. */
  readonly bug?: BugName | undefined
}

export type SeveralOutcome = Omit<SeveralReport, 'violations'> & {
  /** How many there were. */
  readonly rounds: number
  readonly violations: readonly { readonly round: number; readonly place: string; readonly text: string }[]
}

const ROUNDS_PER_STORE = 4

/** Rounds one behind the other. A store in which something does not hold is kept, unless a mistake was made on purpose. */
export const runSeveral = async (
  ground: Ground,
  { seed, servers, clients, organizations, rounds: roundsMax, answers, points = ground.points, bug }: SeveralCampaign,
  onRound: (round: number, report: SeveralReport) => void = () => undefined,
): Promise<SeveralOutcome> => {
  const random = randomOf(seed)
  const nextLife = (bug === undefined ? livesOf : livesWithBug)(points, random.fork('lives'))
  const violations: SeveralOutcome['violations'][number][] = []
  let place: SeveralPlace | undefined
  let sum = nothing
  let rounds = 0
  const goesOn = (): boolean => rounds < roundsMax && (violations.length === 0 || bug === undefined)
  for (; goesOn(); rounds += 1) {
    const choices = random.fork(`round ${rounds + 1}`)
    const isBroken = violations.at(-1)?.round === rounds
    if (place !== undefined && (isBroken || rounds % ROUNDS_PER_STORE === 0)) {
      await place.close(isBroken)
      place = undefined
    }
    const towns = () => Array.from({ length: organizations }, () => foundTown())
    place ??= await ground.place(towns(), choices)
    const { name } = place
    const databases = bug === undefined ? ground.databases : []
    const report = await runSeveralRound(place, { servers, clients, answers, nextLife, databases, bug }, choices)
    for (const text of report.violations) violations.push({ round: rounds + 1, place: name, text })
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
  databaseDeaths: new Map(),
  answers: 0,
  conflicts: 0,
  resent: 0,
  events: 0,
}

const added = (a: Sum, b: Sum): Sum => ({
  deaths: bothOf(a.deaths, b.deaths),
  notReached: a.notReached + b.notReached,
  databaseDeaths: bothOf(a.databaseDeaths, b.databaseDeaths),
  answers: a.answers + b.answers,
  conflicts: a.conflicts + b.conflicts,
  resent: a.resent + b.resent,
  events: b.events, // of the last store
})

const bothOf = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const both = new Map(a)
  for (const [name, count] of b) both.set(name, (both.get(name) ?? 0) + count)
  return both
}
