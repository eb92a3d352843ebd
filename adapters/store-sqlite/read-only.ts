import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Why nothing can be written into the folder; a folder that is not there is not read-only. */
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
 * Whether nobody changes the file: its file system takes no writes from anybody, and the files that a writer keeps beside
 * it are not there. A write-ahead log that holds something has to be read, too; an empty one beside its index may belong
 * to a server that reaches the same disk by another way.
 */
export const isUnchanging = (path: string): boolean => {
  if (whyReadOnly(dirname(path)) !== 'EROFS') return false
  const wal = sizeOf(`${path}-wal`)
  return wal === undefined || (wal === 0 && sizeOf(`${path}-shm`) === undefined)
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size
