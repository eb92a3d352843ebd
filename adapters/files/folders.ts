import { existsSync } from 'node:fs'
import { chmod, mkdir, rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemCode } from './system-error.ts'

/**
 * Makes a folder that only its owner can use, with any umask, and in the same way the missing folders above it. Existing folders do not
 * change.
 *
 * @returns the folders that it made, the deepest first
 */
export const makeFolder = async (path: string): Promise<readonly string[]> => {
  const made: string[] = []
  try {
    for (const folder of missing(resolve(path))) if (await make(folder)) made.unshift(folder)
    return made
  } catch (error) {
    await removeFolders(made)
    throw error
  }
}

/** Removes folders, the deepest first, if they are empty. */
export const removeFolders = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) await rmdir(folder).catch(() => undefined) // somebody else uses it by now
}

/** The missing folders of a path, the highest first. */
const missing = (path: string): readonly string[] => {
  const folders: string[] = []
  for (let folder = path; !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    folders.unshift(folder)
  return folders
}

const make = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder, PRIVATE)
    await chmod(folder, PRIVATE) // the umask may have taken rights from the owner, too
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false // somebody else has made it meanwhile
    throw error
  }
}

const PRIVATE = 0o700

/** The folder, or the nearest existing one above it. */
export const existing = (folder: string): string => {
  let found = resolve(folder)
  while (!existsSync(found)) found = dirname(found)
  return found
}
