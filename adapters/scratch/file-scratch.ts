import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scratch } from '../../core/ports/scratch.ts'

/** Temporary storage on the disk. It disappears with the process, also after a crash. */
export type FileScratch = Scratch & { readonly close: () => void }

/**
 * Puts bytes into a file in the folder for temporary files. The file is made at the first `put`. Only its owner may read it, and its name
 * is removed when it is open.
 *
 * It throws the errors of the file system, such as a full disk.
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

/** Removes the name. If the system cannot remove the name of an open file, the system clears the folder for temporary files later. */
const removed = (path: string): void => {
  try {
    unlinkSync(path)
  } catch {
    // the file is still ours alone
  }
}
