import { withHost } from '../../core/world/with-host.ts'
import type { LimitsInForce } from '../../../core/audit/report.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import { failure } from '../../../core/failure.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { defaultLimits } from '../../core/world/with-host.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import { E } from '../../../core/prelude.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { draftsOf } from '../../core/audit/forgery.ts'
import { exported } from '../../core/audit/logs.ts'
import { keptOpen } from '../../core/world/test-store.ts'
import { random as randomOf, randomIds, type Random } from '../simulate/random.ts'
import { simulatedSignatures } from '../simulate/simulated-signatures.ts'
import { right } from '../../core/world/world.ts'
import { manualClock, type ManualClock } from '../../../adapters/testing/office/manual-clock.ts'
import { counted, quiet } from '../../../adapters/testing/office/under-way.ts'
import { randomOffice, type RandomOffice } from './random-office.ts'
import { simulatedAttestations } from '../simulate/simulated-passkeys.ts'
import { serviceOperations, type Service } from './service-operations.ts'

export type HistoryOptions = {
  /** Requests that are sent; about half of them become activities of their own. */
  readonly requests: number
  readonly organizations: number
  /** How often a clock jumps: the chance at each request. */
  readonly jumps: number
  /** How often the process ends and another begins, perhaps under other limits: the chance at each request. */
  readonly restarts: number
  /** Whether users who were deleted are erased. */
  readonly erasures: boolean
}

/** A history in which everything happens that can. */
export const EVERYTHING: Omit<HistoryOptions, 'requests'> = {
  organizations: 2,
  jumps: 0.03,
  restarts: 0.03,
  erasures: true,
}

/** An honest log, and what its operator knows of it. */
export type RandomHistory = {
  readonly text: string
  readonly limits: readonly LimitsInForce[]
  /** How many parts were erased. */
  readonly erased: number
  /** How far clocks may be behind: where they jump, the operator lets everybody go on. Otherwise undefined. */
  readonly clockLagMaxMs: number | undefined
}

/** One history of organizations in which everything happens by chance, from one seed. */
export const randomHistory = async (seed: number, options: HistoryOptions): Promise<RandomHistory> => {
  const random = randomOf(seed)
  const storage = keptOpen(memoryStore())
  const ids = randomIds(random)
  const { store } = storage
  const clock = manualClock(Date.parse('2026-01-01T00:00:00.000Z'))
  const resources = [...withHost(serviceOperations(serviceBy(random))), ...erasure]
  const clockLagMaxMs = options.jumps > 0 ? ANY_LAG_MS : undefined
  const lives: { readonly limits: Limits; readonly from: bigint }[] = []
  const open = async (): Promise<Engine> => {
    const limits = lives.length === 0 ? defaultLimits : limitsBy(random)
    lives.push({ limits, from: right(await store.lastPosition()()) })
    return createEngine({
      store: storage,
      clock,
      ids,
      limits,
      signatures: simulatedSignatures,
      attestations: counted(simulatedAttestations),
      resources,
      tuning: { waitForEffectsMs: 0 },
      ...(clockLagMaxMs === undefined ? {} : { clockLagMaxMs }),
    })
  }
  let engine = await open()
  const offices: RandomOffice[] = []
  for (let n = 0; n < options.organizations; n += 1)
    offices.push(await randomOffice(engine, clock, random, ids.uuid(), options.erasures ? store : undefined))
  for (let request = 0; request < options.requests; request += 1) {
    pass(clock, random, options.jumps)
    if (random.chance(options.restarts)) {
      await engine.close()
      pass(clock, random, options.jumps)
      engine = await open()
    }
    await quiet()
    await random.pick(offices).act(engine)
  }
  clock.set(clock.now() + HOUR_MS)
  clock.wake()
  await quiet()
  await engine.close()
  const limits = await limitsOf(store, lives)
  const text = await exported(store)
  const erased = draftsOf(text).reduce((sum, one) => sum + Object.keys(one.erased ?? {}).length, 0)
  return { text, limits, erased, clockLagMaxMs }
}

/** More than clocks jump. */
export const ANY_LAG_MS = 365 * 24 * 60 * 60 * 1000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const pass = (clock: ManualClock, random: Random, jumps: number): void => {
  const luck = random.next()
  const ms = luck < 0.3 ? 0 : luck < 0.93 ? random.below(5 * MINUTE_MS) : luck < 0.98 ? 2 * HOUR_MS : 25 * HOUR_MS
  clock.set(clock.now() + ms + (random.chance(jumps) ? jump(random) : 0))
  clock.wake()
}

/** Mostly seconds or minutes; at most a month, either way. */
const jump = (random: Random): number => Math.round((random.chance(0.5) ? -1 : 1) * 1000 * 2.6e6 ** random.next())

const limitsBy = (random: Random): Limits => ({
  ...defaultLimits,
  ...(random.chance(0.5) ? { users: 3 + random.below(6) } : {}),
  ...(random.chance(0.3) ? { userTags: 5 + random.below(40) } : {}),
  ...(random.chance(0.3) ? { expiringApiKeys: 1 + random.below(3) } : {}),
})

/** The limits of each life of the process, for the times that its decisions used. */
const limitsOf = async (
  store: Parameters<typeof exported>[0],
  lives: readonly { readonly limits: Limits; readonly from: bigint }[],
): Promise<readonly LimitsInForce[]> => {
  const times: { fromMs: number; untilMs: number }[] = lives.map(() => ({ fromMs: Infinity, untilMs: -Infinity }))
  for (const { position, line } of right(await store.readAll(0n, 100_000, { parts: false })())) {
    const atMs = Date.parse(right(decodeEvent(line)).at)
    const time = times[lives.findLastIndex(({ from }) => from < position)]
    if (time === undefined) continue
    time.fromMs = Math.min(time.fromMs, atMs)
    time.untilMs = Math.max(time.untilMs, atMs)
  }
  return lives.map(({ limits }, life) => ({ limits, ...times[life] }))
}

const serviceBy =
  (random: Random): Service =>
  async ({ activityId, attempt, signal }, isOutside) => {
    const luck = random.next()
    const unavailable = E.left(failure('UNAVAILABLE', 'the service does not answer'))
    if (luck < 0.6) return E.right({ receipt: `${activityId} ${attempt}` })
    if (luck < 0.75) return unavailable
    if (luck < 0.85 || !isOutside) return E.left(failure('RESOURCE_NOT_FOUND', 'there is no such account'))
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(unavailable)))
  }
