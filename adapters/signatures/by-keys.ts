import { fairQueue } from '../../core/command/fair-queue.ts'
import type { Signatures } from '../../core/ports/signatures.ts'

/** How many stamps are verified at once: the thread pool has four threads, and who comes later waits for no more than these. */
const VERIFIED_AT_ONCE = 64

/** Lets keys take turns to be verified: one that asks a thousand times at once keeps nobody else waiting. */
export const byKeys = (signatures: Signatures): Signatures => {
  const queue = fairQueue(VERIFIED_AT_ONCE)
  return {
    ...signatures,
    verify: async (claim) => {
      await queue.enter(claim.publicKey)
      return signatures.verify(claim).finally(() => queue.leave(claim.publicKey))
    },
  }
}
