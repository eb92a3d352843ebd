/*
 * The attackers, in a process of their own: the honest caller's event loop must not be theirs. In the world they have machines
 * of their own; here they share two cores with the server. So bodies and stamps are made before the clock runs, and the process
 * has a lower priority: otherwise the figures would say how fast attackers are, and not how long the server keeps others waiting.
 */
import { constants, setPriority } from 'node:os'
import { doJobs } from '../bench/child.ts'
import type { Seed } from '../bench/seed.ts'
import { noTally, type Assailant, type Salvo, type Tally } from './attack.ts'
import { attacks } from './attacks.ts'
import { stageOf, type Known } from './stage.ts'

export type Preparation = { readonly name: string; readonly url: string; readonly own: Seed; readonly known: Known }

export type Fired = Tally & { readonly cpuMs: number }

let ready: Salvo | undefined

const prepare = async ({ name, url, own, known }: Preparation): Promise<void> => {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) throw new Error(`no attack is called ${name}`)
  ready = await attack.prepare(stageOf(url, own, known))
}

/** All of them at once, for so long. */
const fire = async ({ forMs }: { readonly forMs: number }): Promise<Fired> => {
  const salvo = salvoOf()
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const tally = noTally()
  const before = cpuMs()
  const clock = { isOver: false }
  const repeat = async (one: Assailant): Promise<void> => {
    while (!clock.isOver) await one.turn()
  }
  const all = Array.from({ length: salvo.connections }, () => salvo.open(tally))
  for (const one of all) void repeat(one)
  await new Promise((resolve) => setTimeout(resolve, forMs))
  clock.isOver = true
  for (const one of all) one.close()
  return { ...tally, cpuMs: cpuMs() - before }
}

/** One of them, so many times; what has not come to an end after `patienceMs` is cut off. */
const once = async ({ turns, patienceMs }: { readonly turns: number; readonly patienceMs: number }): Promise<Fired> => {
  const tally = noTally()
  const before = cpuMs()
  const one = salvoOf().open(tally)
  const all = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await one.turn()
  }
  await Promise.race([all(), new Promise((resolve) => setTimeout(resolve, patienceMs))])
  one.close()
  return { ...tally, cpuMs: cpuMs() - before }
}

const salvoOf = (): Salvo => {
  if (ready === undefined) throw new Error('nothing is prepared')
  return ready
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

doJobs({ prepare, fire, once })
