import { setTimeout as sleep } from 'node:timers/promises'
import { caller, type Answer } from './caller.ts'

/** Something that is to be sent: bytes are made when it is its turn. */
export type Errand = {
  readonly make: () => Uint8Array
  readonly heard: (answer: Answer | undefined) => void
}

export type ClosedLoop = {
  readonly url: string
  readonly requests: number
  readonly connections: number
  /** The next thing to ask for. */
  readonly next: () => Errand
}

export type Refusals = { count: number; withoutRetryAfter: number }

/**
 * Asks on each connection as soon as the answer before has come. Like a good client it sends a refused request again, unchanged, when the
 * time of `Retry-After` is over. It tells all other answers to the errand.
 */
export const closedLoop = async ({ url, requests, connections, next }: ClosedLoop): Promise<Refusals> => {
  const refusals: Refusals = { count: 0, withoutRetryAfter: 0 }
  let left = requests
  const work = async (): Promise<void> => {
    const by = caller(url)
    while (left > 0) {
      left -= 1
      const errand = next()
      const request = errand.make()
      let answer = await by.ask(request)
      while (answer?.status === 429) {
        const seconds = /\r\nretry-after: (\d+)(?:\r\n|$)/i.exec(answer.head)?.[1]
        refusals.count += 1
        if (seconds === undefined) refusals.withoutRetryAfter += 1
        await sleep(Number(seconds ?? 1) * 1000)
        answer = await by.ask(request)
      }
      errand.heard(answer)
    }
    by.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return refusals
}
