/* Files that a command opens or makes, with their folder. */
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failure, type Failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import { existing, makeFolder, removeFolders } from '../files/folders.ts'
import { systemReason } from './stop.ts'

type Opening<A> = Promise<E.Either<Failure, A>>

/** Opens an existing file; one that is not there is never made. */
export const fromFile = async <A>(path: string, open: () => Opening<A>): Opening<A> => {
  try {
    await access(path, constants.R_OK)
  } catch (error) {
    return cannotOpen(path, failure('UNAVAILABLE', systemReason(error)))
  }
  return open()
}

/** What was opened in a folder, and the way to remove the folders that were made for it, if they are empty. */
export type InFolder<A> = { readonly opened: A; readonly removeFolders: () => Promise<void> }

/** Opens a file, and makes its folder before. If that fails, the folders that were made go. */
export const inFolder = async <A>(path: string, open: () => Opening<A>): Opening<InFolder<A>> => {
  let found = await once(path, open)
  // A failed start of another process may have removed the folder that it had made, before this process had a file in it.
  for (let tries = 1; E.isLeft(found) && tries < TRIES_MAX && !existsSync(dirname(path)); tries++)
    found = await once(path, open)
  return found
}

/** Whether the file does not exist, and can probably be made. */
export const canBeMadeAt = async (path: string): Promise<boolean> => {
  if (existsSync(path)) return false
  return access(existing(dirname(path)), constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** The files of a store in a file, the main one first; with them, the keystore that it has by default. */
export const filesBeside = (path: string): readonly string[] =>
  ['', '-wal', '-shm', '.lock', '.keystore'].map((beside) => `${path}${beside}`)

const once = async <A>(path: string, open: () => Opening<A>): Opening<InFolder<A>> => {
  const folders = await makeFolderOf(path)
  if (E.isLeft(folders)) return folders
  const opened = await open()
  if (E.isRight(opened)) return E.right({ opened: opened.right, removeFolders: () => removeFolders(folders.right) })
  await removeFolders(folders.right)
  return opened
}

const TRIES_MAX = 5

const cannotOpen = (path: string, cause: Failure): E.Either<Failure, never> =>
  E.left({ ...cause, message: `cannot open the store ${path}: ${cause.message}` })

const makeFolderOf = async (path: string): Opening<readonly string[]> => {
  const folder = dirname(path)
  try {
    return E.right(await makeFolder(folder))
  } catch (error) {
    const reason = systemReason(await causeOf(folder, error))
    return E.left(failure('UNAVAILABLE', `cannot make the folder of the store ${path}: ${reason}`))
  }
}

/** The real cause of an error: Node reports a missing folder if the file system is read-only. */
const causeOf = async (folder: string, error: unknown): Promise<unknown> =>
  access(existing(folder), constants.W_OK).then(
    () => error,
    (cause: unknown) => cause,
  )
