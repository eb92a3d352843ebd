/*
 * The one place that writes to standard output and standard error, so that nothing is printed as somebody else wrote it.
 * `test/tidy.test.ts` holds that.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { Notice } from '../../core/engine.ts'
import { escapedJson, escapedLine } from './escape.ts'

/** Prints an answer on standard output, as JSON that people can read. */
export const print = (json: unknown): void => {
  process.stdout.write(`${escapedJson(JSON.stringify(json, undefined, 2))}\n`)
}

/** Prints lines of text on standard output. */
export const printLines = (lines: readonly string[]): void => {
  process.stdout.write(textOf(lines))
}

/** Says something to a person, on standard error. */
export const say = (...lines: readonly string[]): void => {
  writeSync(2, textOf(lines))
}

/** Says what an operator should know, for commands that keep no log. */
export const sayNotice = ({ level, message }: Notice): void => {
  if (level !== 'info') say(`countersign: ${message}`)
}

/** A stream that takes lines of JSON, such as a log, and passes them on with nothing in them that a terminal obeys. */
export const escaping = (stream: { readonly write: (json: string) => unknown }) => ({
  write: (json: string): void => void stream.write(escapedJson(json)),
})

/** Prints bytes on standard output as they are, no faster than they are taken. They are for a program, not for a terminal. */
export const writeOut = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of chunks) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

/** Whether a person reads what goes there. */
export const isTerminal = (stream: 'stdout' | 'stderr'): boolean => process[stream].isTTY

/** Calls back when whoever reads our output has gone, as `head` does. */
export const onReaderGone = (callback: () => void): void => void process.stdout.on('error', callback)

const textOf = (lines: readonly string[]): string => lines.map((line) => `${escapedLine(line)}\n`).join('')
