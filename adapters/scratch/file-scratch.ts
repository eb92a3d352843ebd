import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scratch } from '../../core/ports/scratch.ts'

/** Room on the disk that is gone with the process, whatever becomes of it. */
export type FileScratch = Scratch & { readonly close: () => void }

/**
 * Puts bytes into a file of the folder for temporary files. The file is made when the first bytes are put, only its owner may
 * read it, and it has no name any more once it is open.
 *
 * Throws what the file system says: a full disk, for one.
 */
export const fileScratch = (): FileScratch => {
  const places: { readonly at: number; readonly length: number }[] = []
  let file: number | undefined
  let end = 0

  const opened = (): number => {
    if (file !== undefined) return file
    const path = join(tmpdir(), `countersign-${randomUUID()}`)
    file = openSync(path, 'wx+', 0o600)
    removed(path)
    return file
  }

  return {
    put: (bytes) => {
      for (let written = 0; written < bytes.length;)
        written += writeSync(opened(), bytes, written, bytes.length - written, end + written)
      places.push({ at: end, length: bytes.length })
      end += bytes.length
      return places.length - 1
    },
    get: (place) => {
      const { at, length } = places[place] ?? { at: 0, length: 0 }
      const bytes = new Uint8Array(length)
      for (let read = 0; read < length;) {
        const more = readSync(opened(), bytes, read, length - read, at + read)
        if (more === 0) throw new Error('a temporary file ended before its end') // nobody else can reach it
        read += more
      }
      return bytes
    },
    close: () => {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** Takes the name away. Where the system keeps names of open files, the folder for temporary files is cleared by it. */
const removed = (path: string): void => {
  try {
    unlinkSync(path)
  } catch {
    // the file is still ours alone
  }
}
