import { link, lstat, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, removeFolders } from './folders.ts'
import { systemCode, systemReason, unusable } from './stop.ts'

/** What becomes of a file that is there already: writing fails, or replaces it. */
export type Placing = 'new' | 'replace'

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The file's bytes; `undefined` where there is none. */
export const readWhole = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw unusable(`cannot read ${path}: ${systemReason(error)}`)
  }
}

/** Refuses a place at which there is a file, for a command that was not told to replace it. */
export const mustBeNew = async (path: string): Promise<void> => {
  if ((await lstat(path).catch(() => undefined)) !== undefined)
    throw unusable(`${path} is there already: name another file, or replace it with --force`)
}

/**
 * Writes a file that is there whole or not at all, also when the machine stops in between: written beside its place,
 * synced, put there, and the folder synced. Only its owner may read it. Folders that are missing are made.
 *
 * @returns the folders that it made, the deepest first
 */
export const writeWhole = async (path: string, chunks: Chunks, placing: Placing): Promise<readonly string[]> => {
  let folders: readonly string[] = []
  try {
    folders = await makeFolder(dirname(path))
    await writeBeside(path, chunks, placing)
    await syncFolder(dirname(path))
    return folders
  } catch (error) {
    await removeFolders(folders)
    throw systemCode(error) === undefined ? error : unusable(`cannot write ${path}: ${systemReason(error)}`)
  }
}

/** Removes a file for good. */
export const removeWhole = async (path: string): Promise<void> => {
  try {
    await rm(path, { force: true })
    await syncFolder(dirname(path))
  } catch (error) {
    throw unusable(`cannot remove ${path}: ${systemReason(error)}`)
  }
}

const writeBeside = async (path: string, chunks: Chunks, placing: Placing): Promise<void> => {
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile() && !found.isSymbolicLink() && !found.isDirectory())
    throw unusable(`cannot write ${path}: it is no regular file`) // a device, say, of which there is but one
  const beside = `${path}.tmp`
  await rm(beside, { force: true }) // of a run that was killed
  const file = await open(beside, 'wx', 0o600)
  const { ino } = await file.stat({ bigint: true })
  try {
    await writeSynced(file, chunks)
    if (!(await isSame(beside, ino))) throw unusable(`cannot write ${path}: another process is writing it`)
    await (placing === 'new' ? placeNew(beside, path) : rename(beside, path))
  } catch (error) {
    if (await isSame(beside, ino)) await rm(beside).catch(() => undefined) // the first failure is the one to tell
    throw error
  }
}

const writeSynced = async (file: FileHandle, chunks: Chunks): Promise<void> => {
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isSame = async (path: string, ino: bigint): Promise<boolean> =>
  (await lstat(path, { bigint: true }).catch(() => undefined))?.ino === ino

/** Puts a file in its place, where there is none. A link is refused where a file has come there meanwhile; renaming is not. */
const placeNew = async (beside: string, path: string): Promise<void> => {
  try {
    await link(beside, path)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    return rename(beside, path) // not every file system has links
  }
  await rm(beside)
}

const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return // which has no handles of folders
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
