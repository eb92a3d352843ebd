import { setTimeout as sleep } from 'node:timers/promises'
import { caller, type Answer, type Caller } from './caller.ts'
import type { ClosedLoop } from './closed-loop.ts'
import type { Errand } from './open-loop.ts'

export type Flood = ClosedLoop & {
  /** Requests that are due in a second, whatever the server does. */
  readonly perSecond: number
  /** Called when nothing is due any more. Some requests are not answered then. */
  readonly onOver: () => void
}

export type Flooded = {
  /** How many requests were sent, repeated ones included. */
  readonly sent: number
  /** How many were due while every connection waited for an answer. They were not sent. */
  readonly missed: number
  /** How long each refusal took, in milliseconds. */
  readonly refusals: readonly number[]
  /** How many refusals did not say when to try again. */
  readonly withoutRetryAfter: number
  /** How many requests were refused at first, and accepted when they were sent again. */
  readonly acceptedLater: number
}

/** A request as bytes: sent again, it is the same. */
type Sending = { readonly errand: Errand; readonly request: Uint8Array; readonly isRepeated: boolean }
type Refused = Sending & { readonly againAt: number }

/**
 * Asks for much more than a server can do. Like a good client it sends a refused request again, unchanged, when the time of `Retry-After`
 * is over; this is one of the requests that are due. It tells all other answers to the errand.
 */
export const flood = async ({ url, perSecond, forMs, connections, next, onOver }: Flood): Promise<Flooded> => {
  const all: Caller[] = Array.from({ length: connections }, () => caller(url))
  const idle = [...all]
  const refused = new Set<Refused>() // the first of them was refused first
  const refusals: number[] = []
  const counts = { sent: 0, missed: 0, withoutRetryAfter: 0, acceptedLater: 0 }

  const nextSending = (): Sending => {
    const [oldest] = refused
    if (oldest === undefined || oldest.againAt > performance.now()) {
      const errand = next()
      return { errand, request: errand.make(), isRepeated: false }
    }
    refused.delete(oldest)
    return oldest
  }
  const hear = ({ errand, request, isRepeated }: Sending, answer: Answer | undefined, latencyMs: number): void => {
    if (answer?.status !== 429) {
      if (isRepeated && answer?.status === 200) counts.acceptedLater += 1
      return errand.heard(answer, latencyMs)
    }
    const seconds = /\r\nretry-after: (\d+)(?:\r\n|$)/i.exec(answer.head)?.[1]
    if (seconds === undefined) counts.withoutRetryAfter += 1
    refusals.push(latencyMs)
    refused.add({ errand, request, isRepeated: true, againAt: performance.now() + Number(seconds ?? 1) * 1000 })
  }
  const send = async (by: Caller): Promise<void> => {
    const sending = nextSending()
    counts.sent += 1
    const sentAt = performance.now()
    hear(sending, await by.ask(sending.request), performance.now() - sentAt)
    idle.push(by)
  }

  const startedAt = performance.now()
  for (let due = 0; performance.now() - startedAt < forMs; await sleep(1)) {
    for (; due < ((performance.now() - startedAt) / 1000) * perSecond; due += 1) {
      const by = idle.pop()
      if (by === undefined) counts.missed += 1
      else void send(by)
    }
  }
  onOver()
  while (idle.length < connections) await sleep(5)
  for (const each of all) each.close()
  return { ...counts, refusals }
}
