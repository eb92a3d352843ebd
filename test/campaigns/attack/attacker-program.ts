/*
 * The attackers, in a process of their own: the honest caller's event loop must not be theirs. Bodies and stamps are made before they begin,
 * so that they send as much as they can.
 */
import { until } from '../../until.ts'
import { doJobs } from '../bench/child.ts'
import type { Seed } from '../bench/seed.ts'
import { noTally, type Assailant, type Salvo, type Tally } from './attack.ts'
import { attacks } from './attacks.ts'
import { stageOf, type Known } from './stage.ts'

export type Preparation = { readonly name: string; readonly url: string; readonly own: Seed; readonly known: Known }

export type Fired = Tally

let salvo: Salvo | undefined

const prepare = async ({ name, url, own, known }: Preparation): Promise<void> => {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) throw new Error(`no attack is called ${name}`)
  salvo = await attack.prepare(stageOf(url, own, known))
}

const tally = noTally()
let all: readonly Assailant[] = []
let turns: readonly number[] = []

/** All of them at once, or so many, until the end. */
const begin = async ({ connections = Infinity }: { readonly connections?: number }): Promise<void> => {
  const { open, connections: most } = ready()
  all = Array.from({ length: Math.min(connections, most) }, () => open(tally))
  const taken = all.map(() => 0)
  turns = taken
  const repeat = async (one: Assailant, n: number): Promise<void> => {
    for (; all.length > 0; taken[n] = (taken[n] ?? 0) + 1) await one.turn()
  }
  for (const [n, one] of all.entries()) void repeat(one, n)
}

/** Ends when each of them has had so many turns, or is connected if its turns have no end. */
const end = async ({ turns: least }: { readonly turns: number }): Promise<Fired> => {
  const isConnected = (): boolean => tally.connected + (tally.statuses.get(0) ?? 0) >= all.length
  await until(() => (ready().isEndless === true ? isConnected() : turns.every((taken) => taken >= least)))
  const ending = all
  all = []
  for (const one of ending) one.close()
  return tally
}

const ready = (): Salvo => {
  if (salvo === undefined) throw new Error('nothing is prepared')
  return salvo
}

doJobs({ prepare, begin, end })
