import { createReadStream } from 'node:fs'
import { decodeUtf8, concat } from '../../core/bytes.ts'
import { input } from './print.ts'
import { systemReason, unusable } from './stop.ts'

/** The most bytes of a file of policies; the texts of an organization are far fewer. */
const BYTES_MAX = 16 * 1024 * 1024

/**
 * Reads a file, or standard input if the name is `-`, as UTF-8.
 *
 * @throws a Stop that says why it cannot be read
 */
export const readText = async (file: string): Promise<string> => {
  const name = file === '-' ? 'standard input' : file
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of file === '-' ? input() : createReadStream(file)) {
      const read = chunk as Uint8Array // no encoding is set
      bytes += read.length
      if (bytes > BYTES_MAX) break
      chunks.push(read)
    }
  } catch (error) {
    throw unusable(`cannot read ${name}: ${systemReason(error)}`)
  }
  if (bytes > BYTES_MAX) throw unusable(`cannot read ${name}: expected at most ${BYTES_MAX} bytes`)
  const text = decodeUtf8(concat(chunks))
  if (text === undefined) throw unusable(`cannot read ${name}: expected UTF-8`)
  return text
}
