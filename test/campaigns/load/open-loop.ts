import { setTimeout as sleep } from 'node:timers/promises'
import { caller, type Answer, type Caller } from './caller.ts'

/** Something that is to be sent: bytes are made when it is its turn. */
export type Errand = {
  readonly make: () => Uint8Array
  readonly heard: (answer: Answer | undefined, latencyMs: number) => void
}

export type OpenLoop = {
  readonly url: string
  readonly perSecond: number
  readonly forMs: number
  readonly connections: number
  /** The next thing to ask for. */
  readonly next: () => Errand
}

/**
 * Asks at a rate that does not heed how fast the answers come. What finds all connections busy waits, and its time counts
 * from when it was due: a server that stands still for a second is seen in all that should have been asked in that second.
 *
 * @returns how many were sent
 */
export const openLoop = async ({ url, perSecond, forMs, connections, next }: OpenLoop): Promise<number> => {
  const idle: Caller[] = Array.from({ length: connections }, () => caller(url))
  const all = [...idle]
  const waiting: { readonly errand: Errand; readonly dueAt: number }[] = []
  const startedAt = performance.now()
  const loop = { sent: 0, underWay: 0 }

  const run = async (by: Caller): Promise<void> => {
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
      loop.underWay += 1
      const answer = await by.ask(turn.errand.make())
      turn.errand.heard(answer, performance.now() - turn.dueAt)
      loop.underWay -= 1
    }
    idle.push(by)
  }
  while (performance.now() - startedAt < forMs) {
    for (; loop.sent < ((performance.now() - startedAt) / 1000) * perSecond; loop.sent += 1)
      waiting.push({ errand: next(), dueAt: startedAt + (loop.sent / perSecond) * 1000 })
    while (waiting.length > 0 && idle.length > 0) void run(idle.shift() ?? all[0] ?? caller(url))
    await sleep(2)
  }
  while (loop.underWay > 0 || waiting.length > 0) await sleep(5)
  for (const each of all) each.close()
  return loop.sent
}
