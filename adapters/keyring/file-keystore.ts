import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failure, type Failure } from '../../core/failure.ts'
import type { Notice } from '../../core/ports/notice.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import { E, TE, pipe } from '../../core/prelude.ts'
import { keystoreOf, newKey, readKeys, textOfKeys, type KeystoreKeys } from './keystore-keys.ts'

export type FileKeystoreOptions = {
  /** A file that only its owner can read, with a key in each line: `csk1_` and the base64url of 32 random bytes. The first one wraps. */
  readonly path: string
  /** Whether the file is made, with a new key, when the first secret is sealed and there is none. Default: false. */
  readonly make?: boolean
  /** Gets a notice when a file was made. Default: nobody does. */
  readonly onNotice?: (notice: Notice) => void
}

/**
 * A keystore in a file. Keep the file apart from the store and its backups: with both, all keys can be read; without it, none.
 *
 * Its methods fail with `CONFIGURATION_INVALID` if the file is not there, is something else, or if others than its owner have rights on it; and
 * with `UNAVAILABLE` if it cannot be read or made.
 *
 * @example createEngine({ store: sqliteStore({ path: 'activities.db' }), keystore: fileKeystore({ path: '/etc/countersign/keystore' }) })
 */
export const fileKeystore = ({ path, make = false, onNotice }: FileKeystoreOptions): Keystore => {
  const keystore = keystoreOf(keysInFile(path))
  if (!make) return keystore
  return {
    ...keystore,
    wrap: (dataKey) =>
      pipe(
        made(path),
        TE.map((isNew) => (isNew ? onNotice?.({ level: 'info', message: MADE, context: { path } }) : undefined)),
        TE.flatMap(() => keystore.wrap(dataKey)),
      ),
  }
}

/** The keys of a keystore in a file. */
export const keysInFile =
  (path: string): KeystoreKeys =>
  async () => {
    let file: FileHandle | undefined
    try {
      file = await open(path, 'r')
      const { mode } = await file.stat()
      if (process.platform !== 'win32' && (mode & OF_OTHERS) !== 0) return E.left(notPrivate(path))
      return readKeys(await readFile(file, 'utf8'), path)
    } catch (error) {
      const code = codeOf(error)
      return code === 'ENOENT'
        ? E.left(failure('CONFIGURATION_INVALID', `there is no keystore ${path}`))
        : unusable('read', path, code)
    } finally {
      await file?.close()
    }
  }

const OF_OTHERS = 0o077

const notPrivate = (path: string): Failure =>
  failure('CONFIGURATION_INVALID', `others than the owner have rights on the keystore ${path}: chmod 600 ${path}`)

const MADE =
  'made a keystore: without it, nobody can read the keys in the store; keep a copy, apart from those of the store'

/**
 * Makes the file with a new key, if there is none: whole or not at all, and durable when the task succeeds.
 *
 * @returns whether this process has made it
 */
const made =
  (path: string): TE.TaskEither<Failure, boolean> =>
  async () => {
    try {
      const isNew = !(await isThere(path)) && (await placedNew(path))
      await syncFolder(dirname(path)) // also where an earlier start, or another process, has not come so far
      return E.right(isNew)
    } catch (error) {
      return unusable('make', path, codeOf(error))
    }
  }

/** @returns false if another process has made the file meanwhile */
const placedNew = async (path: string): Promise<boolean> => {
  const beside = `${path}.${randomUUID()}.tmp`
  try {
    await written(beside, textOfKeys([newKey()]))
    await place(beside, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(beside, { force: true })
  }
}

/** A link fails if another process has made the file meanwhile; renaming would replace that file. */
const place = async (beside: string, path: string): Promise<void> => {
  try {
    await link(beside, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await rename(beside, path) // not every file system has links
  }
}

const isThere = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  await file?.close()
  return file !== undefined
}

const written = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return // Windows has no handles of folders
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

const unusable = (doing: 'read' | 'make', path: string, code: string): E.Either<Failure, never> =>
  E.left(failure('UNAVAILABLE', `cannot ${doing} the keystore ${path}: ${code}`))
