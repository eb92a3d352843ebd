import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../until.ts'
import { caller } from '../load/caller.ts'
import type { Attack } from './attack.ts'
import type { Fired } from './attacker-program.ts'
import { honestCaller } from './honest-caller.ts'
import { cpuMs, rssBytes } from './process-figures.ts'
import type { Blocks, ServerProcess } from './server-process.ts'
import type { Stand } from './stand.ts'
import { faultsOfSingle } from './verdict.ts'

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
    await settled(server)
    const { question } = honestCaller(server.url, stand.honest)
    const honest = caller(server.url)
    await honest.ask(question)
    await server.blocks()
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

/** Waits until the server has done what it was left with: what is measured must not be what came before. */
const settled = async ({ pid }: ServerProcess): Promise<void> => {
  for (let before = -Infinity; cpuMs(pid) - before > 20; await sleep(100)) before = cpuMs(pid)
}
