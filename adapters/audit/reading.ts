import { readTranscript, type TranscriptEntry } from '../../core/log/transcript-reader.ts'
import { nodeDigest } from '../digest/node-digest.ts'

/** A transcript that is being read. */
export type Reading = {
  readonly entries: AsyncIterable<readonly TranscriptEntry[]>
  /** The error of the source, if it broke off. This says nothing about the log, and is no finding. */
  readonly broken: () => { readonly error: unknown } | undefined
}

export const reading = (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Reading => {
  let broken: ReturnType<Reading['broken']>
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
    broken: () => broken,
  }
}
