import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { stamper } from '../../../adapters/signatures/signer.ts'
import { quantile } from '../bench/figures.ts'
import { encode, renaming, type Seed } from '../bench/seed.ts'
import { caller, postOf, type Answer } from '../load/caller.ts'
import { openLoop } from '../load/open-loop.ts'

/** What an honest caller went through. */
export type Experience = {
  /** Milliseconds from when a request was due to its answer; infinite where it got none, or a refusal. */
  readonly latencies: readonly number[]
  /** Answers by status; 0 where none came. */
  readonly statuses: ReadonlyMap<number, number>
  /** How late the caller's own event loop was: where that is much, the figures say nothing of the server. */
  readonly ownDelayP99Ms: number
}

export type Pace = {
  /** Requests in a second on connections that stay open: half of them ask who the caller is, half rename a tag. */
  readonly perSecond: number
  /** Requests in a second on a connection of their own. */
  readonly newPerSecond: number
}

const CONNECTIONS = 8
const PATIENCE_MS = 10_000

/** Somebody who asks and submits at a steady rate, whatever the server does. */
export const honestCaller = (url: string, seed: Seed, { perSecond, newPerSecond }: Pace) => {
  const stamp = stamper(seed.key)
  const asked = encode({ organizationId: seed.organizationId })
  const question = postOf('/public/v1/query/whoami', asked, [`X-Stamp: ${stamp(asked)}`])
  let renamed = 0
  const submission = (): Uint8Array => {
    const body = renaming(seed, `honest ${(renamed += 1)}`)
    return postOf('/public/v1/submit/update_user_tag', body, [`X-Stamp: ${stamp(body)}`])
  }

  return {
    /** Asks for so long. Stamps are made before the clock runs. */
    ask: async (forMs: number): Promise<Experience> => {
      const latencies: number[] = []
      const statuses = new Map<number, number>()
      const heard = (answer: Answer | undefined, latencyMs: number): void => {
        const status = answer?.status ?? 0
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        latencies.push(status === 200 ? latencyMs : Infinity)
      }
      const requests = Array.from({ length: Math.ceil((forMs / 1000) * perSecond) + 1 }, (_, n) =>
        n % 2 === 0 ? question : submission(),
      )
      const ownDelay = monitorEventLoopDelay({ resolution: 5 })
      ownDelay.enable()
      const next = () => ({ make: () => requests.pop() ?? question, heard })
      await Promise.all([
        openLoop({ url, perSecond, forMs, connections: CONNECTIONS, next }),
        dialInTurn(url, question, { perSecond: newPerSecond, forMs }, heard),
      ])
      ownDelay.disable()
      return { latencies, statuses, ownDelayP99Ms: ownDelay.percentile(99) / 1e6 }
    },
  }
}

/** A new connection for each request. */
const dialInTurn = async (
  url: string,
  request: Uint8Array,
  { perSecond, forMs }: { readonly perSecond: number; readonly forMs: number },
  heard: (answer: Answer | undefined, latencyMs: number) => void,
): Promise<void> => {
  const startedAt = performance.now()
  const underWay = new Set<Promise<void>>()
  const dial = async (dueAt: number): Promise<void> => {
    const by = caller(url, PATIENCE_MS)
    const answer = await by.ask(request)
    heard(answer, performance.now() - dueAt)
    by.close()
  }
  for (let sent = 0; sent < (forMs / 1000) * perSecond; sent += 1) {
    const dueAt = startedAt + (sent / perSecond) * 1000
    await sleep(Math.max(0, dueAt - performance.now()))
    const dialled = dial(dueAt)
    underWay.add(dialled)
    void dialled.finally(() => underWay.delete(dialled))
  }
  await Promise.all(underWay)
}

export const p99Of = ({ latencies }: Pick<Experience, 'latencies'>): number => quantile(latencies, 0.99)
