import { caller } from './caller.ts'
import type { Errand } from './open-loop.ts'

export type ClosedLoop = {
  readonly url: string
  readonly forMs: number
  readonly connections: number
  /** The next thing to ask for. */
  readonly next: () => Errand
}

/**
 * Asks on each connection as soon as the answer before has come: the most that this number of callers can get.
 *
 * @returns how many were answered in a second
 */
export const closedLoop = async ({ url, forMs, connections, next }: ClosedLoop): Promise<number> => {
  const startedAt = performance.now()
  let asked = 0
  const callAgain = async (): Promise<void> => {
    const by = caller(url)
    while (performance.now() - startedAt < forMs) {
      const errand = next()
      const request = errand.make()
      const sentAt = performance.now()
      const answer = await by.ask(request)
      errand.heard(answer, performance.now() - sentAt)
      asked += 1
    }
    by.close()
  }
  await Promise.all(Array.from({ length: connections }, callAgain))
  return (asked / (performance.now() - startedAt)) * 1000
}
