import { link, lstat, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { existing, makeFolder, removeFolders } from './folders.ts'
import { systemCode, systemReason, unusable } from './system-error.ts'

/** What happens to an existing file: with `new`, writing fails; with `replace`, the file is replaced. */
export type Placing = 'new' | 'replace'

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The file's bytes; `undefined` if there is no file. */
export const readWhole = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw unusable(`cannot read ${path}: ${systemReason(error)}`)
  }
}

/** Refuses a path with an existing file, for a command without `--force`. */
export const mustBeNew = async (path: string): Promise<void> => {
  if ((await lstat(path).catch(() => undefined)) !== undefined)
    throw unusable(`${path} is there already: name another file, or replace it with --force`)
}

/**
 * Writes a file whole or not at all, also if the machine stops meanwhile: the file is written beside its place, synced, moved there, and
 * the folder is synced. Only its owner may read it. Missing folders are made.
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

/**
 * Throws if no file can be made at the path. It tries that in the nearest folder that is there, with a name as long as that of the
 * file beside it, and leaves nothing.
 */
export const mustBeWritable = async (path: string): Promise<void> => {
  const tried = join(existing(dirname(path)), `${basename(path)}.try`)
  try {
    await (await open(tried, 'wx', 0o600)).close()
    await rm(tried, { force: true })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw unusable(`cannot write ${path}: ${systemReason(error)}`) // else another start tries it, too
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
    throw unusable(`cannot write ${path}: it is no regular file`) // a device, for example, must not be replaced
  const beside = `${path}.tmp`
  await rm(beside, { force: true }) // left by a run that was killed
  const file = await open(beside, 'wx', 0o600)
  const { ino } = await file.stat({ bigint: true })
  try {
    await writeSynced(file, chunks)
    if (!(await isSame(beside, ino))) throw unusable(`cannot write ${path}: another process is writing it`)
    await (placing === 'new' ? placeNew(beside, path) : rename(beside, path))
  } catch (error) {
    if (await isSame(beside, ino)) await rm(beside).catch(() => undefined) // the first failure is reported
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

/** Moves a file to a free place. A link fails if another process has made a file there meanwhile; renaming would replace that file. */
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
  if (process.platform === 'win32') return // Windows has no handles of folders
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
