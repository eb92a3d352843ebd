import { closeSync, fchmodSync, lstatSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Of a file of ours: its owner reads and writes it, and nobody else. */
const PRIVATE = 0o600
/** The rights of everybody but the owner. */
const OTHERS = 0o077

/**
 * Makes an empty file that its owner alone can use, whatever the umask. It is made before SQLite opens it: SQLite would let
 * others read it, and gives the files that it keeps beside a database the rights that this has.
 *
 * @returns whether this made it, or one was there; `impossible`: opening the file then says why
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

/** Removes a database, with what SQLite keeps beside it. Only who holds the lock of the store may do that. */
export const removeDatabase = (path: string): void => {
  for (const beside of ['-wal', '-shm', '-journal', '']) removeFile(`${path}${beside}`)
}

/** Removes a file; where that cannot be done, it stays. */
export const removeFile = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {
    return // some systems remove no file that is open
  }
}

/** Tells a file from another one of the same name; `undefined` where there is none. */
export const identityOf = (path: string): string | undefined => {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/** What others than its owner have rights on, of a store's files and the folder that they stand in, with its mode. */
export const openToOthers = (path: string): readonly string[] => {
  if (process.platform === 'win32') return [] // where modes say nothing
  return [dirname(path), ...['', '-wal', '-shm', '.lock'].map((beside) => `${path}${beside}`)].flatMap((file) => {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    return (mode & OTHERS) === 0 ? [] : [`${file} (mode ${(mode & 0o7777).toString(8)})`]
  })
}
