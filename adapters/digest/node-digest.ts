import { createHash, hash } from 'node:crypto'
import type { StreamingDigest } from '../../core/ports/digest.ts'

/**
 * SHA-256 of Node's OpenSSL.
 *
 * @example const digest = nodeDigest()
 */
export const nodeDigest = (): StreamingDigest => ({
  sha256: (bytes) => hash('sha256', bytes, 'buffer'), // faster than an object for each line
  sha256Hex: (input) => hash('sha256', input, 'hex'),
  sha256Stream: () => {
    const running = createHash('sha256')
    return {
      update: (bytes) => void running.update(bytes),
      digest: () => running.digest(),
    }
  },
})
