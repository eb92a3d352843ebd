import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Stop, systemReason, unusable } from './stop.ts'

type OnRead = (bytes: bigint, events: number) => void

/** An exported log in a file. */
export type TranscriptFile = {
  readonly bytes: bigint
  /** Whether it can be read again: a pipe cannot. */
  readonly isRepeatable: boolean
  /** Reads it from its start, at each call; `onRead` gets the number of bytes that were read, and of events among them. */
  readonly chunks: (onRead: OnRead) => AsyncIterable<Uint8Array>
}

/** Makes sure that the file can be read. */
export const transcriptFile = async (path: string): Promise<TranscriptFile> => {
  try {
    const found = await stat(path)
    const isRepeatable = found.isFile() || found.isDirectory()
    if (isRepeatable) await readStart(path)
    return { bytes: BigInt(found.size), isRepeatable, chunks: (onRead) => chunksOf(path, onRead) }
  } catch (error) {
    throw cannotRead(path, error)
  }
}

const chunksOf = async function* (path: string, onRead: OnRead): AsyncGenerator<Uint8Array> {
  let bytes = 0
  const count = eventCounter()
  try {
    const file = await open(path)
    const stream = file.createReadStream({ highWaterMark: CHUNK_BYTES }) // closes the file at its end, also after an error
    const found = await file.stat()
    for await (const chunk of stream) {
      const read = chunk as Uint8Array // no encoding is set
      bytes += read.length
      onRead(BigInt(bytes), count(read))
      yield read
    }
    if (found.isFile() && bytes < found.size) throw unusable(`cannot read ${path}: it became shorter while it was read`)
  } catch (error) {
    throw error instanceof Stop ? error : cannotRead(path, error)
  }
}

/** Counts the lines of events, by how they begin. Each call takes the next chunk, and gives the number so far. */
export const eventCounter = (): ((chunk: Uint8Array) => number) => {
  let events = 0
  let column = 0 // of the next byte, as far as it matters
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (column === KIND_COLUMN && chunk[at] === EVENT) events += 1
      if (column <= KIND_COLUMN && chunk[at] !== LINE_FEED) {
        column += 1
        at += 1
        continue
      }
      const end = chunk.indexOf(LINE_FEED, at)
      if (end === -1) break
      column = 0
      at = end + 1
    }
    return events
  }
}

const LINE_FEED = 0x0a
/** The line of an event begins with `{"organization"`, all others with another letter. */
const KIND_COLUMN = 2
const EVENT = 0x6f

/** Reads the first bytes, because a folder, for example, can be opened and not be read. */
const readStart = async (path: string): Promise<void> => {
  for await (const _ of createReadStream(path, { end: 0 })) return
}

const cannotRead = (path: string, error: unknown): Error => unusable(`cannot read ${path}: ${systemReason(error)}`)

const CHUNK_BYTES = 256 * 1024
