import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Stop, systemReason, unusable } from './stop.ts'

/** An exported log in a file. */
export type TranscriptFile = {
  readonly bytes: bigint
  /** Whether it can be read again: what comes through a pipe cannot. */
  readonly isRepeatable: boolean
  /** Reads it from its start, each time it is called; `onBytes` is told how much has been read. */
  readonly chunks: (onBytes: (bytes: bigint) => void) => AsyncIterable<Uint8Array>
}

/** Makes sure that the file can be read. */
export const transcriptFile = async (path: string): Promise<TranscriptFile> => {
  try {
    const found = await stat(path)
    const isRepeatable = found.isFile() || found.isDirectory()
    if (isRepeatable) await readStart(path)
    return { bytes: BigInt(found.size), isRepeatable, chunks: (onBytes) => chunksOf(path, onBytes) }
  } catch (error) {
    throw cannotRead(path, error)
  }
}

const chunksOf = async function* (path: string, onBytes: (bytes: bigint) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    const file = await open(path)
    const stream = file.createReadStream({ highWaterMark: CHUNK_BYTES }) // closes the file, however it ends
    const found = await file.stat()
    for await (const chunk of stream) {
      const read = chunk as Uint8Array // no encoding is set
      bytes += read.length
      onBytes(BigInt(bytes))
      yield read
    }
    if (found.isFile() && bytes < found.size) throw unusable(`cannot read ${path}: it became shorter while it was read`)
  } catch (error) {
    throw error instanceof Stop ? error : cannotRead(path, error)
  }
}

/** A folder, say, is there and cannot be read. */
const readStart = async (path: string): Promise<void> => {
  for await (const _ of createReadStream(path, { end: 0 })) return
}

const cannotRead = (path: string, error: unknown): Error => unusable(`cannot read ${path}: ${systemReason(error)}`)

const CHUNK_BYTES = 256 * 1024
