import { stamper } from '../../../adapters/signatures/signer.ts'
import { encode } from '../bench/seed.ts'
import { caller, postOf } from '../load/caller.ts'
import type { Attack } from './attack.ts'
import type { Fired } from './attacker-program.ts'
import { settled } from './campaign.ts'
import { rssBytes } from './process-figures.ts'
import type { Blocks } from './server-process.ts'
import type { Stand } from './stand.ts'
import { faultsOfSingle } from './verdict.ts'

/** What an attack costs that is done once, on one connection. */
export type Single = {
  readonly attack: Attack
  readonly fired: Fired
  /** The longest that an honest caller waited who asked without a pause. */
  readonly honestMs: number
  readonly blocks: Blocks
  readonly rssBytes: number
  readonly faults: readonly string[]
}

const TURNS = 5
const PATIENCE_MS = 5_000
/** The server tells its longest block ten times a second. */
const TOLD_WITHIN_MS = 250

export const runSingle = async (stand: Stand, attack: Attack): Promise<Single> => {
  const attackers = await stand.attackers(attack)
  try {
    const server = await stand.server(attack.server ?? 'command')
    await settled(stand, attack)
    const { organizationId, key } = stand.honest
    const body = encode({ organizationId })
    const question = postOf('/public/v1/query/whoami', body, [`X-Stamp: ${stamper(key)(body)}`])
    const honest = caller(server.url)
    await honest.ask(question)
    server.blocks()
    const clock = { honestMs: 0, isOver: false }
    const asking = async (): Promise<void> => {
      while (!clock.isOver) {
        const startedAt = performance.now()
        await honest.ask(question)
        clock.honestMs = Math.max(clock.honestMs, performance.now() - startedAt)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const asked = asking()
    const fired = await attackers.ask<Fired>('once', { turns: TURNS, patienceMs: PATIENCE_MS })
    await new Promise((resolve) => setTimeout(resolve, TOLD_WITHIN_MS))
    clock.isOver = true
    await asked
    honest.close()
    const blocks = server.blocks()
    return {
      attack,
      fired,
      honestMs: clock.honestMs,
      blocks,
      rssBytes: rssBytes(server.pid),
      faults: faultsOfSingle(attack, { blockMs: blocks.cpuMs, ended: server.ended(), statuses: fired.statuses }),
    }
  } finally {
    await attackers.close()
  }
}
