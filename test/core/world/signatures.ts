import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import type { Signatures } from '../../../core/ports/signatures.ts'

let verifying = 0

/** How many signatures are with the thread pool. */
export const signaturesUnderWay = (): number => verifying

/** What engines of tests verify with: a test that waits until all is quiet can see what the thread pool still has to do. */
export const testSignatures = (): Signatures => {
  const signatures = nodeSignatures()
  return {
    ...signatures,
    verify: async (claim) => {
      verifying += 1
      try {
        return await signatures.verify(claim)
      } finally {
        verifying -= 1
      }
    },
  }
}
