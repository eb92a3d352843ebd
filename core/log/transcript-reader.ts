import { concat, encodeHex } from '../bytes.ts'
import type { RunningDigest, StreamingDigest } from '../ports/digest.ts'
import type { FindingCode } from './finding.ts'
import {
  decodeClosing,
  decodeLine,
  isClosing,
  isPart,
  LINE_BYTES_MAX,
  type Closing,
  type TranscriptLine,
} from './transcript-line.ts'

/** A line of the text, decoded, with its number, from 1. */
export type TranscriptEntry = { readonly line: number } & (
  | TranscriptLine
  /** The last line, if it fits all lines before it. */
  | { readonly _tag: 'closing'; readonly closing: Closing }
)

/**
 * Reads a transcript in one pass, while it arrives. It never throws: a line that is not in the form of an export gives an entry
 * `unreadable`, and reading goes on behind it. A closing line that is wrong, missing or not the last also gives such an entry.
 *
 * @param chunks  of any length. The entries keep them in memory: do not write into them again
 * @returns the entries that each chunk completes, a few at a time
 */
export async function* readTranscript(
  digest: Pick<StreamingDigest, 'sha256Stream'>,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<readonly TranscriptEntry[]> {
  const reading = new Reading(digest.sha256Stream())
  try {
    for await (const chunk of chunks) yield* reading.read(chunk)
  } catch {
    reading.complain('CLOSING_MISSING', 'the export could not be read to its end')
  }
  reading.end()
  if (reading.entries.length > 0) yield reading.take()
}

// Written as full literals: spreading would take longer than reading some lines.
const entryOf = (line: number, read: TranscriptLine): TranscriptEntry => {
  switch (read._tag) {
    case 'event':
      return { line, _tag: 'event', bytes: read.bytes, event: read.event }
    case 'part':
      return { line, _tag: 'part', of: read.of, part: read.part }
    case 'unreadable':
      return { line, _tag: 'unreadable', code: read.code, message: read.message }
    default:
      return read satisfies never
  }
}

const LINE_FEED = 0x0a

/**
 * How many entries are handed on at once. An audit hands a signature to other threads at every few entries: they would have nothing to do
 * while this thread decodes all lines of a long chunk. Entries that wait for their turn are also what a garbage collection copies.
 */
const ENTRIES_MAX = 16

/** The state of reading a text. A line may arrive in many chunks, and a chunk may contain many lines. */
class Reading {
  entries: TranscriptEntry[] = []
  private line = 1
  private parts = 0
  private isClosed = false
  private isFollowed = false
  private readonly running: RunningDigest
  /** The beginning of a line whose end has not arrived. It is not hashed yet, because it could be the closing line. */
  private begun: Uint8Array[] = []
  private begunLength = 0
  private isTooLong = false

  constructor(running: RunningDigest) {
    this.running = running
  }

  take(): readonly TranscriptEntry[] {
    const taken = this.entries
    this.entries = []
    return taken
  }

  complain(code: FindingCode, message: string): void {
    this.entries.push({ line: this.line, _tag: 'unreadable', code, message })
  }

  *read(given: Uint8Array): Generator<readonly TranscriptEntry[]> {
    const chunk = new Uint8Array(given.buffer, given.byteOffset, given.length) // views of a Buffer take longer to make
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end)
      const line = this.begun.length > 0 ? concat([...this.begun, rest]) : rest
      if (!this.isClosed && !this.isTooLong && isClosing(line)) {
        this.hash(chunk.subarray(0, start))
        this.close(line)
      } else {
        for (const piece of this.begun) this.hash(piece)
        this.accept(line)
      }
      this.begun = []
      this.begunLength = 0
      this.isTooLong = false
      this.line += 1
      start = end + 1
      if (this.entries.length >= ENTRIES_MAX) yield this.take()
    }
    this.hash(chunk.subarray(0, start))
    if (start < chunk.length) this.begin(chunk.subarray(start))
    if (this.entries.length > 0) yield this.take()
  }

  end(): void {
    const isCutOff = this.begunLength > 0
    if (this.isClosed) {
      if (isCutOff) this.follow()
    } else {
      this.complain('CLOSING_MISSING', isCutOff ? 'the export ends inside a line' : 'the export has no closing line')
    }
  }

  private begin(piece: Uint8Array): void {
    this.begunLength += piece.length
    this.begun.push(piece)
    if (this.begunLength <= LINE_BYTES_MAX) return
    this.isTooLong = true
    for (const kept of this.begun) this.hash(kept)
    this.begun = []
  }

  private accept(line: Uint8Array): void {
    if (this.isClosed) this.follow()
    if (this.isTooLong || line.length > LINE_BYTES_MAX) {
      this.complain('LINE_UNREADABLE', `expected a line of at most ${LINE_BYTES_MAX} bytes`)
    } else {
      if (isPart(line)) this.parts += 1
      this.entries.push(entryOf(this.line, decodeLine(line)))
    }
  }

  private close(line: Uint8Array): void {
    this.isClosed = true
    const lines = this.line - 1
    const read: Closing = {
      events: lines - this.parts,
      parts: this.parts,
      lines,
      sha256: encodeHex(this.running.digest()),
    }
    const closing = decodeClosing(line)
    if (closing === undefined) {
      this.complain('CLOSING_DIFFERS', 'expected a closing line in its one spelling')
    } else if (closing.sha256 !== read.sha256) {
      this.complain('CLOSING_DIFFERS', 'the lines before the closing line are not those that it was made for (SHA-256)')
    } else if (closing.lines !== read.lines || closing.events !== read.events || closing.parts !== read.parts) {
      this.complain(
        'CLOSING_DIFFERS',
        `there are ${read.events} events and ${read.parts} parts before the closing line`,
      )
    } else {
      this.entries.push({ line: this.line, _tag: 'closing', closing })
    }
  }

  private follow(): void {
    if (!this.isFollowed) this.complain('CLOSING_NOT_LAST', 'expected nothing behind the closing line')
    this.isFollowed = true
  }

  private hash(bytes: Uint8Array): void {
    if (!this.isClosed) this.running.update(bytes)
  }
}
