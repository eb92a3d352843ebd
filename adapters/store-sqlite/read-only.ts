import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Why the folder cannot be written; a folder that does not exist is not read-only. */
export const whyReadOnly = (folder: string): 'EROFS' | 'EACCES' | 'EPERM' | undefined => {
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' ? code : undefined
  }
}

/**
 * Whether nobody changes the file: its file system is read-only, and there are no files of a writer beside it. A write-ahead log with
 * content has to be read, too. An empty one with its index may belong to a server that has the same disk mounted elsewhere.
 */
export const isUnchanging = (path: string): boolean => {
  if (whyReadOnly(dirname(path)) !== 'EROFS') return false
  const wal = sizeOf(`${path}-wal`)
  return wal === undefined || (wal === 0 && sizeOf(`${path}-shm`) === undefined)
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size
