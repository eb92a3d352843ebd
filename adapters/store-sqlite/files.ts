import { closeSync, fchmodSync, lstatSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The mode of our files: only the owner reads and writes them. */
const PRIVATE = 0o600
/** The bits of a mode for everybody but the owner. */
const OTHERS = 0o077

/**
 * Makes an empty file that only its owner can use, with any umask. It is made before SQLite opens it, because SQLite would let others
 * read it. SQLite gives the same mode to the files that it makes beside the database.
 *
 * @returns `made`, or `there` if a file exists; after `impossible`, opening the file gives the reason
 */
export const makePrivate = (path: string): 'made' | 'there' | 'impossible' => {
  try {
    const file = openSync(path, 'wx', PRIVATE)
    try {
      fchmodSync(file, PRIVATE) // the umask may have taken rights from the owner, too
    } finally {
      closeSync(file)
    }
    return 'made'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'there' : 'impossible'
  }
}

/** Removes a database, with the files that SQLite keeps beside it. The caller must hold the lock of the store. */
export const removeDatabase = (path: string): void => {
  for (const beside of ['-wal', '-shm', '-journal', '']) removeFile(`${path}${beside}`)
}

/** Removes a file, if that is possible. */
export const removeFile = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {
    return // some systems remove no file that is open
  }
}

/** Identifies a file, also against a later file of the same name; `undefined` if there is none. */
export const identityOf = (path: string): string | undefined => {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/** The files of a store, and its folder, that others than the owner have rights on, with their modes. */
export const openToOthers = (path: string): readonly string[] => {
  if (process.platform === 'win32') return [] // modes have no meaning there
  return [dirname(path), ...['', '-wal', '-shm', '.lock'].map((beside) => `${path}${beside}`)].flatMap((file) => {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    return (mode & OTHERS) === 0 ? [] : [`${file} (mode ${(mode & 0o7777).toString(8)})`]
  })
}
