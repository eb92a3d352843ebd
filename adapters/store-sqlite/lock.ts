import { dirname } from 'node:path'
import { mustBeWritable, openForWriting } from './connection.ts'
import { identityOf, makePrivate, removeFile } from './files.ts'
import { whyReadOnly } from './read-only.ts'
import { done, refused, refusedBy, type Done, type Refused } from './reason.ts'

export type Lock = {
  readonly free: () => void
  /** Frees it, and removes its file if this process made it. */
  readonly remove: () => void
}

/**
 * Makes this process the store's only writer. The lock is an exclusive transaction on a small database of its own: the system frees it
 * when the process ends in any way, and it does not block readers of the store.
 */
export const holdLock = (path: string): Done<Lock> | Refused => {
  const file = `${path}.lock`
  for (;;) {
    const found = makePrivate(file)
    const identity = identityOf(file)
    const lock = lockOn(file, found === 'made')
    // The process that held the lock may remove the file meanwhile. Then another process can lock a new file of that name.
    if (identityOf(file) === identity && (identity !== undefined || found === 'impossible')) return lock
    if (lock._tag === 'done') lock.value.free()
  }
}

const lockOn = (file: string, isNew: boolean): Done<Lock> | Refused => {
  try {
    const db = openForWriting(file)
    db.exec('BEGIN EXCLUSIVE')
    const free = (): void => {
      db.exec('ROLLBACK') // frees the lock: libsql keeps a closed connection until it is garbage-collected
      db.close()
    }
    const remove = (): void => {
      if (isNew) removeFile(file) // before the lock is free: afterwards the file may be another process's
      free()
    }
    try {
      mustBeWritable(db) // otherwise the transaction locks nothing
      return done({ free, remove })
    } catch (error) {
      remove()
      throw error
    }
  } catch (error) {
    return whyNot(file, refusedBy(error))
  }
}

const whyNot = (file: string, found: Refused): Refused => {
  const { reason } = found
  if (reason.startsWith('SQLITE_BUSY')) return refused('LOCKED')
  const cannotMake = reason.startsWith('SQLITE_CANTOPEN') && whyReadOnly(dirname(file)) !== undefined
  return cannotMake ? refused('SQLITE_READONLY') : found
}
