import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { systemReason, unusable } from './stop.ts'

/** An exported log in a file. */
export type TranscriptFile = {
  readonly bytes: bigint
  /** Reads it from its start, each time it is called; `onBytes` is told how much has been read. */
  readonly chunks: (onBytes: (bytes: bigint) => void) => AsyncIterable<Uint8Array>
}

/** Makes sure that the file can be read. */
export const transcriptFile = async (path: string): Promise<TranscriptFile> => {
  try {
    const { size } = await stat(path)
    await readStart(path)
    return { bytes: BigInt(size), chunks: (onBytes) => chunksOf(path, onBytes) }
  } catch (error) {
    throw unusable(`cannot read ${path}: ${systemReason(error)}`)
  }
}

const chunksOf = async function* (path: string, onBytes: (bytes: bigint) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const read = chunk as Uint8Array // no encoding is set
    bytes += read.length
    onBytes(BigInt(bytes))
    yield read
  }
}

/** A folder, say, is there and cannot be read. */
const readStart = async (path: string): Promise<void> => {
  for await (const _ of createReadStream(path, { end: 0 })) return
}

const CHUNK_BYTES = 256 * 1024
