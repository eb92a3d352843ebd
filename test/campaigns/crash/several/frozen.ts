import { spawnSync } from 'node:child_process'
import { haveRows } from '../checks/check-store.ts'
import { closeStorage, right } from '../found.ts'
import type { HostOptions } from '../host.ts'
import type { HostProcess } from '../host-process.ts'
import { pause, runLoad } from '../load.ts'
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
  /** It goes on when so much time is over, and the others have done what they can. */
  readonly frozenMs: number
}

export type FreezeReport = {
  /** How often the others answered a submit or a vote with 200 while the one stood still. */
  readonly answered: number
  /** The longest wait for an answer of the others, from the moment when the one stood still. */
  readonly waitMsMax: number
  /** Whether everything that the one had begun was brought to its end by the others, and rows went on, while it stood still. */
  readonly isTakenOver: boolean
  /** How often the one answered after it had gone on. */
  readonly answeredAfter: number
  readonly violations: readonly string[]
}

const SERVERS = 3
const CLIENTS = 12
/** So many answers of the others show that nothing holds them up. */
const ANSWERS = 30

/** One of three servers stands still at the point, while the others go on; then it goes on, too, and everything is checked. */
export const runFreeze = async (ground: Ground, { seed, point, times, frozenMs }: Freeze): Promise<FreezeReport> => {
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
      do await pause(20)
      while (!isStillAt(0))
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
  while (fleet.urls().length < SERVERS && fleet.violations().length === 0) await pause(20)
  const [frozen, ...others] = fleet.urls()
  let urls = fleet.urls()
  let isOver = false
  const urlOf = () => random.pick(urls)
  const loading = runLoad(place, { urlOf, clients: CLIENTS, isOver: () => isOver, retriesMax: 3 }, random)
  const host = fleet.host(0)
  if (host === undefined) throw new Error('there is no server that could stand still')
  while (!isStillAt(0)) await pause(10)
  urls = others
  const before = place.journal.calls().length
  const report = await whileFrozen(place, before, frozenMs)
  host.kill('SIGCONT')
  urls = frozen === undefined ? [] : [frozen]
  const after = place.journal.calls().length
  while (doneSince(place, after) < ANSWERS) await pause(10)
  isOver = true
  await loading
  const checked = await checkedAtRest(place, fleet, false)
  await fleet.close()
  await place.close(false)
  return {
    ...report,
    answeredAfter: doneSince(place, after),
    violations: [...checked.violations, ...fleet.violations()],
  }
}

const whileFrozen = async (place: SeveralPlace, before: number, frozenMs: number) => {
  const startedAt = performance.now()
  let [waitMsMax, lastAt, done] = [0, startedAt, 0]
  let isTakenOver = false
  const storage = await place.openToRead()
  const pending = await startedNow(storage)
  let last: bigint | undefined
  while (performance.now() - startedAt < frozenMs || done < ANSWERS || !isTakenOver) {
    await pause(10)
    const now = doneSince(place, before)
    waitMsMax = Math.max(waitMsMax, performance.now() - lastAt)
    if (now > done) lastAt = performance.now()
    done = now
    if (isTakenOver || done < ANSWERS) continue
    last ??= right(await storage.store.lastPosition()())
    const left = new Set(await startedNow(storage))
    isTakenOver = pending.every((id) => !left.has(id)) && (await haveRows(storage, last))
  }
  await closeStorage(storage)
  return { answered: done, waitMsMax, isTakenOver }
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
