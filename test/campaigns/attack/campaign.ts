import type { Attack } from './attack.ts'
import type { Fired } from './attacker-program.ts'
import { honestCaller } from './honest-caller.ts'
import { forgetPeak, peakRssBytes, rssBytes } from './process-figures.ts'
import type { Stand } from './stand.ts'
import { faultsOf, RSS_MAX_BYTES, type Measured } from './verdict.ts'

export type Outcome = Measured & {
  readonly attack: Attack
  readonly faults: readonly string[]
  readonly fired: Fired
}

/** Lets an attack go on while an honest caller asks so many times; each attacker has so many turns at least. */
export const runAttack = async (stand: Stand, attack: Attack, rounds: number): Promise<Outcome> => {
  const kind = attack.server ?? 'command'
  const attackers = await stand.attackers(attack)
  try {
    const server = await stand.server(kind)
    forgetPeak(server.pid)
    const errorsBefore = server.errors().length
    await attackers.ask('begin')
    const honest = await honestCaller(server.url, stand.honest).ask(rounds)
    const fired = await attackers.ask<Fired>('end', { turns: rounds })
    const measured: Measured = {
      honest,
      statuses: fired.statuses,
      peakRssBytes: peakRssBytes(server.pid),
      ended: server.ended(),
      errors: server.errors().slice(errorsBefore),
    }
    return { ...measured, attack, fired, faults: faultsOf(attack, measured) }
  } finally {
    await attackers.close()
    // What one attack left in memory would be found with all that come after it.
    if (!(rssBytes((await stand.server(kind)).pid) < RSS_MAX_BYTES / 2)) await stand.end(kind)
  }
}
