import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the system says about a file that cannot be used: SQLite keeps the system's own error to itself. */
export type SystemCause = { readonly system?: string; readonly bytesFree?: number }

export const systemCause = (path: string): SystemCause => {
  const bytesFree = bytesFreeOf(dirname(path))
  const system = whyUnusable(path) ?? (bytesFree !== undefined && bytesFree < FEW_BYTES ? NO_SPACE : undefined)
  return { ...(system === undefined ? {} : { system }), ...(bytesFree === undefined ? {} : { bytesFree }) }
}

/** A commit needs some pages, and the system keeps some for itself. */
const FEW_BYTES = 256 * 1024
const NO_SPACE = 'ENOSPC: no space left on device'

const bytesFreeOf = (folder: string): number | undefined => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined // the folder is gone, or the device does not answer
  }
}

/** Why the file cannot be written, in the words of the system without the path; `undefined` if it can. */
const whyUnusable = (path: string): string | undefined => {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.R_OK | constants.W_OK)
    return existsSync(path) ? undefined : 'ENOENT: no such file or directory'
  } catch (error) {
    return error instanceof Error ? error.message.replace(/, \w+ '.*$/s, '') : undefined
  }
}
