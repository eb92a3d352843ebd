import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import type { Fired } from './attacker-program.ts'
import { honestCaller, type Pace } from './honest-caller.ts'
import { cpuMs, forgetPeak, machineBusyMs, peakRssBytes, rssBytes } from './process-figures.ts'
import type { Blocks, ServerProcess } from './server-process.ts'
import type { Stand } from './stand.ts'
import { faultsOf, isSlowOnly, RSS_MAX_BYTES, type Measured } from './verdict.ts'

export type Outcome = Measured & {
  readonly attack: Attack
  readonly faults: readonly string[]
  readonly isSlowOnly: boolean
  readonly fired: Fired
  readonly blocks: Blocks
  /** How busy the server kept the processors: 1 is one of them. */
  readonly serverBusy: number
  readonly attackersBusy: number
  /** How busy other programs kept them, which are none of ours. */
  readonly othersBusy: number
}

/** Enough for a p99 within a second; it costs the server a tenth of a processor. */
const PACE: Pace = { perSecond: 100, newPerSecond: 20 }
/** The honest caller asks a little before it begins and a little longer than it lasts. */
const MARGIN_MS = 100

/** Lets an attack run for so long beside an honest caller, whose waits are judged by `p99MaxMs`. */
export const runAttack = async (stand: Stand, attack: Attack, forMs: number, p99MaxMs?: number): Promise<Outcome> => {
  const kind = attack.server ?? 'command'
  const attackers = await stand.attackers(attack)
  try {
    const server = await stand.server(kind)
    const honest = honestCaller(server.url, stand.honest, PACE)
    await honest.ask(MARGIN_MS) // opens its connections
    forgetPeak(server.pid)
    server.blocks()
    const errorsBefore = server.errors().length
    const before = { at: performance.now(), server: cpuMs(server.pid), ours: cpuMs(process.pid), all: machineBusyMs() }
    const [experience, fired] = await Promise.all([
      honest.ask(forMs + 2 * MARGIN_MS),
      sleep(MARGIN_MS).then(() => attackers.ask<Fired>('fire', { forMs })),
    ])
    const measured: Measured = {
      honest: experience,
      statuses: fired.statuses,
      peakRssBytes: peakRssBytes(server.pid),
      ended: server.ended(),
      errors: server.errors().slice(errorsBefore),
    }
    const tookMs = performance.now() - before.at
    const blocks = server.blocks()
    const serverBusy = (cpuMs(server.pid) - before.server) / tookMs
    const attackersBusy = fired.cpuMs / tookMs
    const oursBusy = (cpuMs(process.pid) - before.ours) / tookMs
    const busy = (machineBusyMs() - before.all) / tookMs
    return {
      ...measured,
      attack,
      fired,
      faults: faultsOf(attack, measured, p99MaxMs),
      isSlowOnly: isSlowOnly(attack, measured, p99MaxMs),
      blocks,
      serverBusy,
      attackersBusy,
      othersBusy: Math.max(0, busy - serverBusy - attackersBusy - oursBusy),
    }
  } finally {
    await attackers.close()
    await settled(stand, attack)
    // What one attack left in memory would be found with all that come after it.
    if (!(rssBytes((await stand.server(kind)).pid) < RSS_MAX_BYTES / 2)) await stand.end(kind)
  }
}

const QUIET_MS = 20
const QUIET_TRIES = 100

/** Waits until the server has done what it was left with: the next attack must not pay for this one. */
export const settled = async (stand: Stand, attack: Pick<Attack, 'server'>): Promise<void> => {
  const server: ServerProcess = await stand.server(attack.server ?? 'command')
  for (let tries = 0; tries < QUIET_TRIES; tries += 1) {
    const before = cpuMs(server.pid)
    await sleep(5 * QUIET_MS)
    if (!(cpuMs(server.pid) - before > QUIET_MS)) return
  }
}
