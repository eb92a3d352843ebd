import type { Event } from '../../../core/log/event.ts'
import { WEBAUTHN } from '../../../core/stamp/passkey-stamp.ts'
import { actBelow } from './children.ts'
import { act } from './requests.ts'
import { addUp } from './add-up.ts'
import { clients as clientsOf, type Clients } from './clients.ts'
import { disk as diskOf, type Disk } from './disk.ts'
import { effectsOutside, type EffectsOutside } from './effects-outside.ts'
import type { Violation } from './journal.ts'
import { overseer as overseerOf } from './overseer.ts'
import { planOf, type Plan } from './plan.ts'
import { processes as processesOf, type Process, type Processes } from './processes.ts'
import { random as randomOf, type Random } from './random.ts'
import { scheduler as schedulerOf, type Scheduler } from './scheduler.ts'
import type { StoreBug } from './store-bugs.ts'
import { truthOf, type Truth } from './truth.ts'

export type Simulated = {
  readonly seed: number
  readonly plan: Plan
  readonly violations: readonly Violation[]
  readonly counts: {
    readonly steps: number
    readonly answers: number
    readonly crashes: number
    readonly events: number
    readonly conflicts: number
    /** The stamps of the log that are of passkeys, and the others. */
    readonly stampsOfPasskeys: number
    readonly stampsOfKeys: number
  }
}

export type SimulationOptions = {
  readonly bug?: StoreBug | undefined
  readonly steps?: number
  readonly processes?: number
}

/** One history, as far as it has come. */
export type World = {
  readonly plan: Plan
  readonly random: Random
  readonly scheduler: Scheduler
  readonly disk: Disk
  readonly effects: EffectsOutside
  readonly processes: Processes
  readonly clients: Clients
  readonly violations: readonly Violation[]
  readonly violate: (violation: Violation) => void
  readonly truth: () => Promise<Truth>
  /** Ends a process. */
  readonly end: (process: Process) => Promise<void>
  /** From now on nothing goes wrong any more. */
  readonly heal: () => void
}

const UNDER_WAY_MAX = 6

const worldOf = (seed: number, { bug, steps, processes }: Required<SimulationOptions>): World => {
  const random = randomOf(seed)
  const scheduler = schedulerOf(random)
  const plan = planOf(random, processes, steps, randomOf(~seed).chance(0.5)) // its own chance: the others stay as they are
  const disk = diskOf(random, scheduler, plan.hasGaps)
  const violations: Violation[] = []
  const violate = (violation: Violation): void => {
    violations.push(violation)
  }
  let isHealthy = false
  const effects = effectsOutside({ random, scheduler, era: disk.era, isHealthy: () => isHealthy, violate })
  const running = processesOf(
    {
      random,
      scheduler,
      disk,
      overseer: overseerOf({ disk, violate, onInterrupted: effects.interrupted }),
      effects,
      isHealthy: () => isHealthy,
      isPoisoned: () => plan.isPoisoned && !isHealthy,
      bug,
    },
    plan.processes,
    plan.isUpgrade,
  )
  const nowMs = scheduler.host({ offsetMs: 0, rate: 1 }).clock.now
  const clients = clientsOf({ disk, nowMs, violate })
  return {
    plan,
    random,
    scheduler,
    disk,
    effects,
    processes: running,
    clients,
    violations,
    violate,
    truth: () => truthOf(disk.storage(), violate),
    end: async (process) => {
      const life = await running.kill(process)
      if (life !== undefined) clients.cutOff(life)
    },
    heal: () => {
      isHealthy = true
    },
  }
}

/**
 * One history, from one seed: processes on one database that fails, clients that know nothing of it, and clocks that differ and jump.
 * Whatever anybody is told is checked against the log at that moment; at the end all heals, everything that got no answer is sent
 * again, and the whole has to add up.
 */
export const simulate = async (
  seed: number,
  { bug, steps = 360, processes = 3 }: SimulationOptions = {},
): Promise<Simulated> => {
  const world = worldOf(seed, { bug, steps, processes })
  const { plan, violations, clients } = world
  const counts = { steps: 0, crashes: 0 }
  for (const process of world.processes.all) world.processes.start(process)
  for (; counts.steps < steps && violations.length === 0; counts.steps += 1) {
    if (counts.steps === plan.goesBackAt) await world.disk.goBack(plan.keepsRows, plan.keepsLeases)
    await request(world)
    counts.crashes += await trouble(world)
    await world.scheduler.step()
  }
  if (violations.length === 0) await addUp(world)
  const truth = await world.truth()
  const events = [truth, ...truth.others()].flatMap((one) => one.events)
  return {
    seed,
    plan,
    violations,
    counts: { ...counts, ...clients.counts, events: events.length, ...stampsIn(events) },
  }
}

const stampsIn = (events: readonly Event[]) => {
  const schemes = events.flatMap((event) =>
    event.type === 'ActivityCreated' || event.type === 'ActivityVoted' ? [event.data.decision.basis.scheme] : [],
  )
  const byPasskeys = schemes.filter((scheme) => scheme === WEBAUTHN).length
  return { stampsOfPasskeys: byPasskeys, stampsOfKeys: schemes.length - byPasskeys }
}

const request = async ({ plan, random, clients, processes, truth }: World): Promise<void> => {
  const underWay = clients.letters.reduce((sum, letter) => sum + letter.underWay.size, 0)
  if (underWay >= UNDER_WAY_MAX || !random.chance(0.4)) return
  const all = processes.running()
  if (all.length === 0) return
  if (plan.hasChildren && random.chance(0.35)) actBelow(random, clients, all, await truth())
  else act(random, clients, all, await truth())
}

const OFF_MS = 20_000
const FROZEN_MS = 60_000
const CUT_MS = 30_000
const JUMPS_MS = [-3_600_000, 60_000, 3_600_000, 365 * 86_400_000]

/** Lets something happen to one of the processes, or to none. Gives how many ended. */
const trouble = async (world: World): Promise<number> => {
  const { random, scheduler, processes, plan } = world
  const { crash, freeze, cut, jump } = plan.chances
  const process = random.pick(processes.all)
  const { life, machine } = process
  if (random.chance(freeze)) life?.host.freeze(random.below(random.chance(0.5) ? 1_000 : FROZEN_MS))
  if (random.chance(cut)) life?.mounted.cutOff(random.below(CUT_MS))
  if (random.chance(jump)) machine.offsetMs += random.pick(JUMPS_MS)
  if (life === undefined || !random.chance(crash)) return 0
  await world.end(process)
  const comeBack = (): void => {
    if (process.life !== undefined) return
    if (plan.isUpgrade && random.chance(0.3)) process.version = 'new'
    processes.start(process)
  }
  if (random.chance(0.5)) comeBack()
  else scheduler.after(random.below(OFF_MS), comeBack)
  return 1
}
