import { until } from '../../until.ts'
import { caller } from '../load/caller.ts'
import type { Attack } from './attack.ts'
import type { Fired } from './attacker-program.ts'
import { honestCaller } from './honest-caller.ts'
import { rssBytes } from './process-figures.ts'
import type { Blocks } from './server-process.ts'
import type { Stand } from './stand.ts'
import { BLOCK_MAX_MS, faultsOfSingle } from './verdict.ts'

/** What an attack costs that is done on one connection. */
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
const QUESTIONS_MIN = 100

export const runSingle = async (stand: Stand, attack: Attack): Promise<Single> => {
  const attackers = await stand.attackers(attack)
  try {
    const server = await stand.server(attack.server ?? 'command')
    const { question } = honestCaller(server.url, stand.honest)
    const honest = caller(server.url)
    await honest.ask(question)
    // What is measured must not be what came before.
    while ((await server.blocks()).cpuMs > BLOCK_MAX_MS / 5) await honest.ask(question)
    const clock = { honestMs: 0, asked: 0, isOver: false }
    const asking = async (): Promise<void> => {
      for (; !clock.isOver; clock.asked += 1) {
        const startedAt = performance.now()
        await honest.ask(question)
        clock.honestMs = Math.max(clock.honestMs, performance.now() - startedAt)
      }
    }
    const asked = asking()
    await attackers.ask('begin', { connections: 1 })
    await until(() => clock.asked >= QUESTIONS_MIN)
    const fired = await attackers.ask<Fired>('end', { turns: TURNS })
    const blocks = await server.blocks()
    clock.isOver = true
    await asked
    honest.close()
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
