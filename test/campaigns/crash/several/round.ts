import type { BugName } from '../bugs/bug.ts'
import { checkStore } from '../checks/check-store.ts'
import { closeStorage } from '../found.ts'
import { codeIn, type Answered } from '../journal.ts'
import { runLoad } from '../load.ts'
import type { Random } from '../random.ts'
import { resend } from '../round.ts'
import { startFleet, type Fleet } from './fleet.ts'
import type { Database, SeveralPlace } from './ground.ts'
import type { Life } from './plan.ts'

export type SeveralRound = {
  readonly servers: number
  readonly clients: number
  /** After so many answers the load is over. */
  readonly answers: number
  readonly nextLife: () => Life | undefined
  /** What dies under the servers. */
  readonly databases: readonly Database[]
  readonly bug?: BugName | undefined
}

export type SeveralReport = {
  readonly deaths: ReadonlyMap<string, number>
  readonly notReached: number
  /** How often each database died. */
  readonly databaseDeaths: ReadonlyMap<string, number>
  readonly answers: number
  readonly conflicts: number
  readonly resent: number
  readonly events: number
  readonly violations: readonly string[]
}

/** Lets clients work while servers and their database die, lets all of them come back, and checks all that was promised. */
export const runSeveralRound = async (
  place: SeveralPlace,
  round: SeveralRound,
  random: Random,
): Promise<SeveralReport> => {
  const before = place.journal.answers().length
  const fleet = startFleet({
    place,
    servers: round.servers,
    storeOf: () => place.address,
    bug: round.bug,
    whenInterrupted: random.below(3) === 0 ? 'fail' : 'retry',
    nextLife: round.nextLife,
  })
  const databaseDeaths = await load(place, fleet, round, random)
  const checked = await checkedAtRest(place, fleet, {
    killsAll: random.below(2) === 0,
    hasMistake: round.bug !== undefined,
  })
  await fleet.close()
  const answers = place.journal.answers().slice(before)
  return {
    deaths: fleet.deaths,
    notReached: fleet.notReached(),
    databaseDeaths,
    answers: answers.length,
    conflicts: answers.filter(isConflict).length,
    ...checked,
    violations: [...checked.violations, ...fleet.violations()],
  }
}

/** Gives how often each database died. */
const load = async (
  place: SeveralPlace,
  fleet: Fleet,
  { clients, answers, databases }: SeveralRound,
  random: Random,
): Promise<ReadonlyMap<string, number>> => {
  const { heard, after } = place.journal
  const end = heard() + answers
  const isOver = (): boolean => heard() >= end || fleet.violations().length > 0
  const deaths = new Map<string, number>()
  const choices = random.fork('database')
  let dying = Promise.resolve()
  const die = async (): Promise<void> => {
    const database = choices.pick(databases)
    if (database === undefined || isOver()) return
    await database.crash()
    deaths.set(database.name, (deaths.get(database.name) ?? 0) + 1)
    callOff = next()
  }
  const next = (): (() => void) => after(ANSWERS_MIN + choices.below(ANSWERS_MORE), () => void (dying = die()))
  let callOff = next()
  await runLoad(place, { urlOf: fleet.urlOf, clients, isOver, retriesMax: 3 }, random)
  await dying
  callOff()
  return deaths
}

/** How many answers there are between the deaths of databases, and how many more there may be. */
const ANSWERS_MIN = 60
const ANSWERS_MORE = 500

/** Sends again what is open, and checks everything when nothing moves any more. */
export const checkedAtRest = async (
  place: SeveralPlace,
  fleet: Fleet,
  { killsAll = false, hasMistake = false } = {},
): Promise<Pick<SeveralReport, 'resent' | 'events' | 'violations'>> => {
  await fleet.calm(killsAll)
  if (fleet.violations().length > 0) return { resent: 0, events: 0, violations: [] }
  const resent = await resend(place, fleet.urls(), hasMistake)
  const storage = await place.openToRead()
  const { events, violations } = await checkStore(place, fleet.urls(), storage, hasMistake)
  const own = await place.check(storage)
  await closeStorage(storage)
  return { resent: resent.count, events, violations: [...resent.violations, ...violations, ...own] }
}

const isConflict = (answered: Answered): boolean => answered.status === 409 && codeIn(answered) === 'CONFLICT'
