import { spawnSync } from 'node:child_process'
import { until } from '../../../until.ts'
import { haveRows } from '../checks/check-store.ts'
import { closeStorage, right } from '../found.ts'
import type { HostOptions } from '../host.ts'
import type { HostProcess } from '../host-process.ts'
import { runLoad } from '../load.ts'
import type { Point } from '../plan.ts'
import { randomOf } from '../random.ts'
import { foundTown } from '../town.ts'
import { startFleet } from './fleet.ts'
import type { Ground, SeveralPlace } from './ground.ts'
import { checkedAtRest } from './round.ts'

export type Freeze = {
  readonly seed: string
  /** Where one of three servers stands still. */
  readonly point: Point
  readonly times: NonNullable<HostOptions['times']>
}

export type FreezeReport = {
  /** How often the others answered a submit or a vote with 200 while the one stood still. */
  readonly answered: number
  /** How often the one answered after it had gone on. */
  readonly answeredAfter: number
  readonly violations: readonly string[]
}

/** The first server is the one that stands still. */
const OTHERS = [1, 2]
const SERVERS = 1 + OTHERS.length
const CLIENTS = 12
/** So many answers of the others show that nothing holds them up. */
const ANSWERS = 30

/**
 * One of three servers stands still at the point until the others have answered, have brought to its end what the one had begun, and rows
 * have gone on. Then it goes on, too, and everything is checked.
 */
export const runFreeze = async (ground: Ground, { seed, point, times }: Freeze): Promise<FreezeReport> => {
  const random = randomOf(seed)
  const place = await ground.place([foundTown(), foundTown()], random)
  let isFirst = true
  const fleet = startFleet({
    place,
    servers: SERVERS,
    storeOf: () => place.address,
    times,
    // Who comes first has the leases of all projections.
    startsAfter: async (n) => {
      if (point !== 'before-renewal' || n === 0) return
      await Promise.resolve() // the fleet is still being made
      await until(() => isStillAt(0))
    },
    nextLife: (n) => {
      const life = { _tag: 'frozen-at', point, pass: ground.freezes.get(point) ?? 1 } as const
      return n === 0 && isFirst ? ((isFirst = false), life) : undefined
    },
  })
  const isStillAt = (n: number): boolean => {
    const host = fleet.host(n)
    return host !== undefined && isStill(host)
  }
  const isThere = (n: number): boolean => fleet.url(n) !== undefined
  // On a busy machine the one may come to its point before it listens.
  await until(() => (OTHERS.every(isThere) && (isThere(0) || isStillAt(0))) || fleet.violations().length > 0)
  let urls = fleet.urls()
  let isOver = false
  const load = (name: string) => {
    const options = { urlOf: () => random.pick(urls), clients: CLIENTS, name, isOver: () => isOver, retriesMax: 3 }
    return runLoad(place, options, random.fork(name))
  }
  const loads = [load('before')]
  const host = fleet.host(0)
  if (host === undefined) throw new Error('there is no server that could stand still')
  await until(() => isStillAt(0))
  urls = OTHERS.flatMap((n) => fleet.url(n) ?? [])
  const before = place.journal.calls().length
  loads.push(load('meanwhile')) // all clients of before may wait for the one that stands still
  const answered = await whileFrozen(place, before)
  host.kill('SIGCONT')
  urls = [await until(() => fleet.url(0))]
  const after = place.journal.calls().length
  await until(() => doneSince(place, after) >= ANSWERS)
  isOver = true
  await Promise.all(loads)
  const checked = await checkedAtRest(place, fleet)
  await fleet.close()
  await place.close(false)
  return {
    answered,
    answeredAfter: doneSince(place, after),
    violations: [...checked.violations, ...fleet.violations()],
  }
}

const whileFrozen = async (place: SeveralPlace, before: number): Promise<number> => {
  const storage = await place.openToRead()
  const pending = await startedNow(storage)
  await until(() => doneSince(place, before) >= ANSWERS)
  const last = right(await storage.store.lastPosition()())
  await until(async () => {
    const left = new Set(await startedNow(storage))
    return pending.every((id) => !left.has(id)) && (await haveRows(storage, last))
  })
  await closeStorage(storage)
  return doneSince(place, before)
}

/** The activities that are under way at this moment. */
const startedNow = async ({ store }: Awaited<ReturnType<SeveralPlace['openToRead']>>): Promise<readonly string[]> =>
  right(await store.pending(0n, 1_000)()).map(({ activity }) => activity)

/** How many submits and votes, of those that began behind a call, were answered with 200. */
const doneSince = ({ journal }: SeveralPlace, call: number): number =>
  journal
    .calls()
    .slice(call)
    .filter(({ sent, answered }) => sent.kind !== 'query' && answered?.status === 200).length

/** Whether the process was stopped by a signal. */
const isStill = ({ pid }: HostProcess): boolean =>
  spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('T')
