import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemReason, unusable } from './stop.ts'

/** The file's bytes; `undefined` where there is none. */
export const readWhole = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unusable(`cannot read ${path}: ${systemReason(error)}`)
  }
}

/**
 * Writes a file that is there whole or not at all, also when the machine stops in between: written beside its place,
 * synced, renamed, and the folder synced. Only its owner may read it. Folders that are missing are made.
 */
export const writeWhole = async (
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => {
  const beside = `${path}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(beside, { force: true }) // of a run that was killed
    await writeSynced(beside, chunks)
    await rename(beside, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined) // the first failure is the one to tell
    throw isOfSystem(error) ? unusable(`cannot write ${path}: ${systemReason(error)}`) : error
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

const writeSynced = async (path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
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

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error
