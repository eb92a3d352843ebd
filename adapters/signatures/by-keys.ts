import { encodeHex } from '../../core/bytes.ts'
import { fairQueue } from '../../core/collections/fair-queue.ts'
import type { Signatures } from '../../core/ports/signatures.ts'

/** How many stamps are verified at once. The thread pool has four threads, so a new stamp of another key waits for at most these. */
const VERIFIED_AT_ONCE = 64

/** Lets keys take turns: a key with a thousand stamps at once does not make other keys wait. */
export const byKeys = (signatures: Signatures): Signatures => {
  const queue = fairQueue(VERIFIED_AT_ONCE)
  const inTurn = async (key: string, verify: () => Promise<boolean>): Promise<boolean> => {
    await queue.enter(key)
    return verify().finally(() => queue.leave(key))
  }
  return {
    ...signatures,
    verify: (claim) => inTurn(claim.publicKey, () => signatures.verify(claim)),
    verifyRsa: (claim) => inTurn(encodeHex(claim.modulus), () => signatures.verifyRsa(claim)),
  }
}
