import { fairQueue } from '../../core/collections/fair-queue.ts'
import type { Signatures } from '../../core/ports/signatures.ts'

/** How many stamps are verified at once. The thread pool has four threads, so a new stamp of another key waits for at most these. */
const VERIFIED_AT_ONCE = 64

/** Lets keys take turns: a key with a thousand stamps at once does not make other keys wait. */
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
