import { createHash, hash } from 'node:crypto'
import { decodeLatin1 } from '../../core/bytes.ts'
import type { StreamingDigest } from '../../core/ports/digest.ts'

/**
 * SHA-256 of Node's OpenSSL.
 *
 * @example const digest = nodeDigest()
 */
export const nodeDigest = (): StreamingDigest => ({
  sha256: (bytes) => decodeLatin1(hash('sha256', bytes, 'binary')), // a Buffer for each line would cost half as much again
  sha256Hex: (input) => hash('sha256', input, 'hex'),
  sha256Stream: () => {
    const running = createHash('sha256')
    return {
      update: (bytes) => void running.update(bytes),
      digest: () => running.digest(),
    }
  },
})
