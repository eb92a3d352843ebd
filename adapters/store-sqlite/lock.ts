import { dirname } from 'node:path'
import { mustBeWritable, openForWriting } from './connection.ts'
import { identityOf, makePrivate, removeFile } from './files.ts'
import { whyReadOnly } from './read-only.ts'
import { done, reasonOf, refused, type Done, type Reason, type Refused } from './reason.ts'

export type Lock = {
  readonly free: () => void
  /** Frees it, and removes its file if this process made it. */
  readonly remove: () => void
}

/**
 * Makes this process the store's only writer. The lock is an exclusive transaction on a small database of its own: the
 * system lets go of it however the process ends, and readers of the store are not in its way.
 */
export const holdLock = (path: string): Done<Lock> | Refused => {
  const file = `${path}.lock`
  for (;;) {
    const found = makePrivate(file)
    const identity = identityOf(file)
    const lock = lockOn(file, found === 'made')
    // Who held it may remove the file meanwhile: then another process locks the next file of that name.
    if (identityOf(file) === identity && (identity !== undefined || found === 'impossible')) return lock
    if (lock._tag === 'done') lock.value.free()
  }
}

const lockOn = (file: string, isNew: boolean): Done<Lock> | Refused => {
  try {
    const db = openForWriting(file)
    db.exec('BEGIN EXCLUSIVE')
    const free = (): void => {
      db.exec('ROLLBACK') // libsql keeps a closed connection until it is collected: this is what frees the lock
      db.close()
    }
    const remove = (): void => {
      if (isNew) removeFile(file) // before it is free: afterwards it may be another process's
      free()
    }
    try {
      mustBeWritable(db) // or else nothing is locked
      return done({ free, remove })
    } catch (error) {
      remove()
      throw error
    }
  } catch (error) {
    return refused(whyNot(file, reasonOf(error)))
  }
}

const whyNot = (file: string, reason: Reason): Reason => {
  if (reason.startsWith('SQLITE_BUSY')) return 'LOCKED'
  const cannotMake = reason.startsWith('SQLITE_CANTOPEN') && whyReadOnly(dirname(file)) !== undefined
  return cannotMake ? 'SQLITE_READONLY' : reason
}
