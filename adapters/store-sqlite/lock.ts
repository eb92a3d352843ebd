import { dirname } from 'node:path'
import { mustBeWritable, openForWriting } from './connection.ts'
import { whyReadOnly } from './read-only.ts'
import { done, reasonOf, refused, type Done, type Refused } from './reason.ts'

/**
 * Makes this process the store's only writer. The lock is an exclusive transaction on a small database of its own: the
 * system lets go of it however the process ends, and readers of the store are not in its way.
 *
 * @returns the way to let go
 */
export const holdLock = (path: string): Done<() => void> | Refused => {
  try {
    const db = openForWriting(`${path}.lock`)
    db.exec('BEGIN EXCLUSIVE')
    mustBeWritable(db) // or else nothing is locked
    return done(() => {
      db.exec('ROLLBACK') // libsql keeps a closed connection until it is collected: this is what frees the lock
      db.close()
    })
  } catch (error) {
    const reason = reasonOf(error)
    if (reason.startsWith('SQLITE_BUSY')) return refused('LOCKED')
    const cannotMake = reason.startsWith('SQLITE_CANTOPEN') && whyReadOnly(dirname(path)) !== undefined
    return refused(cannotMake ? 'SQLITE_READONLY' : reason)
  }
}
