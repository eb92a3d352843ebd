import { readTranscript, type TranscriptEntry } from '../../core/log/transcript-reader.ts'
import { nodeDigest } from '../digest/node-digest.ts'

/** A transcript that is being read. */
export type Reading = {
  readonly entries: AsyncIterable<readonly TranscriptEntry[]>
  /** Stops the command where reading broke off: that says nothing about the log, and is no finding. */
  readonly check: () => void
}

export const reading = (chunks: AsyncIterable<Uint8Array>): Reading => {
  let broken: { readonly error: unknown } | undefined
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  return {
    entries: readTranscript(nodeDigest(), watched()),
    check: () => {
      if (broken !== undefined) throw broken.error
    },
  }
}
