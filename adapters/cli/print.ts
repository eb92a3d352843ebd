import { writeSync } from 'node:fs'
import { once } from 'node:events'

/** Prints an answer on standard output, as JSON that people can read. */
export const print = (json: unknown): void => {
  process.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`)
}

/** Prints bytes on standard output, no faster than they are taken. */
export const writeOut = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of chunks) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

/** Says something to a person, on standard error. */
export const say = (line: string): void => {
  writeSync(2, `${line}\n`)
}
