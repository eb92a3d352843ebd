import { fairQueue } from '../../core/command/fair-queue.ts'
import type { Signatures } from '../../core/ports/signatures.ts'

/** For how long requests go on in one turn of the event loop, before what else has arrived has its turn. */
const TURN_MS = 10

/** How many stamps are verified at once: the thread pool has four threads, and who comes later waits for no more than these. */
const VERIFIED_AT_ONCE = 64

/**
 * Lets requests go on by turns when their stamps are verified. The thread pool hands back many at once; if each of them then
 * works for 20 ms, nobody else is heard in between. So when a turn of the event loop has been long, the others wait for the
 * next, and the key that has used the least time comes first: one that asks a thousand times at once, or for what takes long,
 * keeps nobody else waiting. In the same way keys take turns to be verified.
 */
export const inTurns = (signatures: Signatures): Signatures => {
  const queue = fairQueue(VERIFIED_AT_ONCE)
  const mayGoOn = turns()
  return {
    ...signatures,
    verify: async (claim) => {
      await queue.enter(claim.publicKey)
      const isValid = await signatures.verify(claim).finally(() => queue.leave(claim.publicKey))
      if (isValid) await mayGoOn(claim.publicKey)
      return isValid
    },
  }
}

type Line = { readonly goOn: (() => void)[]; usedMs: number }

/** Resolves when whoever asks may go on: when the one before has, unless this turn of the event loop has been long. */
const turns = (): ((who: string) => Promise<void>) => {
  const lines = new Map<string, Line>()
  let beganAt = 0
  let isMarked = false
  let current: { readonly line: Line; readonly sinceMs: number } | undefined

  const mark = (): void => {
    if (isMarked) return
    isMarked = true
    beganAt = performance.now()
    setImmediate(nextTurn)
  }

  const nextTurn = (): void => {
    isMarked = false
    if (current === undefined) letIn()
  }

  const letIn = (): void => {
    const now = performance.now()
    if (current !== undefined) current.line.usedMs += now - current.sinceMs
    current = undefined
    const next = leastUsed(lines)
    if (next === undefined) return lines.clear()
    mark()
    if (now - beganAt >= TURN_MS) return // the next turn goes on with this
    current = { line: next, sinceMs: now }
    next.goOn.shift()?.()
    // After everything that this one does at once: only then is it known how long that took.
    queueMicrotask(() => process.nextTick(letIn))
  }

  return (who) =>
    new Promise((resolve) => {
      const line = lines.get(who) ?? { goOn: [], usedMs: leastUsed(lines)?.usedMs ?? 0 }
      line.goOn.push(resolve)
      lines.set(who, line)
      if (current === undefined) letIn()
    })
}

/** Of those who wait, who has used the least time since somebody began to wait. */
const leastUsed = (lines: ReadonlyMap<string, Line>): Line | undefined => {
  let least: Line | undefined
  for (const line of lines.values())
    if (line.goOn.length > 0 && (least === undefined || line.usedMs < least.usedMs)) least = line
  return least
}
