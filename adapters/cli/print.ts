/*
 * Only this file writes to standard output and standard error, so that all text of others is escaped. `test/system/tidy/tidy.test.ts` checks that.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Notice } from '../../core/engine.ts'
import { escapedJson, escapedLine } from '../inbox/escape.ts'
import { systemCode } from './stop.ts'
import { lineText, wantsColour, type Line } from './style.ts'

type OfTerminal = { readonly isTTY?: boolean; readonly columns?: number }

/** Where a command reads and writes: the streams of its process, or those of a test that runs it in its own process. */
export type Streams = {
  readonly stdin: Readable & OfTerminal
  readonly stdout: Writable & OfTerminal
  readonly stderr: Writable & OfTerminal
}

let streams: Streams = process

export const useStreams = (those: Streams): void => void (streams = those)

/** Standard input. */
export const input = (): Streams['stdin'] => streams.stdin

/** Prints an answer on standard output, as JSON that people can read. */
export const print = (json: unknown): void => {
  streams.stdout.write(`${escapedJson(JSON.stringify(json, undefined, 2))}\n`)
}

/** Prints an answer on standard output as one line of JSON, for commands that print several. */
export const printRecord = (json: unknown): void => {
  streams.stdout.write(`${escapedJson(JSON.stringify(json))}\n`)
}

/** Prints lines of text on standard output. */
export const printLines = (lines: readonly string[]): void => {
  streams.stdout.write(textOf(lines))
}

/** Prints lines for people on standard output, in colour if that is wanted. */
export const printStyled = (lines: readonly Line[]): void => {
  streams.stdout.write(styledText(lines, 'stdout'))
}

/** Says something to a person, on standard error. */
export const say = (...lines: readonly string[]): void => {
  clearDrawn()
  writeAll(textOf(lines))
}

/** Says lines for people on standard error, in colour if that is wanted. */
export const sayStyled = (lines: readonly Line[]): void => {
  clearDrawn()
  writeAll(styledText(lines, 'stderr'))
}

/** Prints a notice, for commands that keep no log. */
export const sayNotice = ({ level, message }: Notice): void => {
  if (level !== 'info') say(`countersign: ${message}`)
}

/** Wraps the stream for lines of JSON on standard error, such as a log: it escapes all characters that control a terminal. */
export const escaping = (stream: { readonly write: (json: string) => unknown }) => ({
  write: (json: string): void => void (streams === process ? stream : streams.stderr).write(escapedJson(json)),
})

/** Prints bytes on standard output without escapes, with back-pressure. They are for a program, not for a terminal. */
export const writeOut = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of chunks) if (!streams.stdout.write(chunk)) await once(streams.stdout, 'drain')
  await new Promise<void>((resolve) => {
    streams.stdout.write('', (error) => (error instanceof Error ? undefined : resolve())) // without a reader, the process ends
  })
}

/** Draws a line on standard error that can be drawn again, in place of the one before. It has to be shorter than the terminal is wide. */
export const draw = (text: string): void => {
  isDrawn = true
  writeAll(`\r${escapedLine(text)}\u001b[K`)
}

/** Clears the drawn line, if there is one. */
export const clearDrawn = (): void => {
  if (!isDrawn) return
  isDrawn = false
  writeAll('\r\u001b[K')
}

let isDrawn = false

/** How wide the terminal of standard error is; undefined if it is none, or cannot draw a line again. */
export const terminalColumns = (): number | undefined =>
  isTerminal('stderr') && process.env['TERM'] !== 'dumb' ? streams.stderr.columns || 80 : undefined

/** How wide the terminal of standard output is; undefined if it is none. */
export const outputColumns = (): number | undefined => (isTerminal('stdout') ? streams.stdout.columns || 80 : undefined)

/** Whether the stream is a terminal. */
export const isTerminal = (stream: 'stdout' | 'stderr'): boolean => streams[stream].isTTY === true

/** Calls back when the reader of our output has ended, as `head` does. */
export const onReaderGone = (callback: () => void): void => void streams.stdout.on('error', callback)

const textOf = (lines: readonly string[]): string => lines.map((line) => `${escapedLine(line)}\n`).join('')

const styledText = (lines: readonly Line[], stream: 'stdout' | 'stderr'): string => {
  const isColoured = wantsColour(isTerminal(stream), process.env)
  return lines.map((line) => `${lineText(line, isColoured)}\n`).join('')
}

/** Writes at once, so that the text is there even if the process ends. A reader who is gone is no error: nobody misses the text. */
const writeAll = (text: string): void => {
  let rest = Buffer.from(text)
  for (let tries = 0; rest.length > 0 && tries < TRIES_MAX;) {
    try {
      rest = rest.subarray(writeNow(rest))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EPIPE' || code === 'EIO') return // EIO: the terminal is closed
      if (code !== 'EAGAIN') throw error
      tries += 1 // the reader is slow, and somebody has made the stream non-blocking
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

const writeNow = (bytes: Buffer): number => {
  if (streams === process) return writeSync(2, bytes)
  streams.stderr.write(bytes)
  return bytes.length
}

const TRIES_MAX = 100
const RETRY_MS = 10
