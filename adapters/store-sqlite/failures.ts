import { failure, type Failure, type FailureCode } from '../../core/failure.ts'
import { withCause } from '../../core/telemetry/cause.ts'
import type { Reason, Refused } from './reason.ts'
import { lockHolder, writtenHere } from './lock-holder.ts'
import { systemCause } from './system-cause.ts'

/** Turns what went wrong with the store in one file into failures. The cause of each is for the operator, and names the file. */
export type Failures = (refused: Refused) => Failure

export const failuresOf =
  (path: string): Failures =>
  ({ reason, text }) =>
    withCause(
      reason === 'LOCKED'
        ? locked(writtenHere.has(path) ? process.pid : lockHolder(`${path}.lock`))
        : failureOf(reason),
      () => ({
        reason,
        ...(text === undefined ? {} : { text }),
        file: path,
        ...systemCause(path),
      }),
    )

const locked = (holder: number | undefined): Failure => {
  if (holder === process.pid) return failure('STORE_LOCKED', ownLock)
  const pid = holder === undefined ? '' : ` (its pid is ${holder})`
  return failure('STORE_LOCKED', `another process writes to this store${pid}: ${END_IT}`)
}

const END_IT = 'end it, or open the store for reading only'
const ownLock = 'this process has the store open for writing already: use that engine, or close it first'

/**
 * Turns reasons into failures. It passes on only the name of an SQLite error, because its text may quote values. The worker answers with
 * reasons, so that it starts without the core's codecs.
 */
export const failureOf = (reason: Reason): Failure => {
  const [code, message] = known[reason] ??
    known[primary(reason)] ?? ['UNAVAILABLE', `the store does not answer (${reason})`]
  return failure(code, message)
}

/** `SQLITE_IOERR_FSYNC` is a kind of `SQLITE_IOERR`. */
const primary = (reason: Reason): string => reason.split('_').slice(0, 2).join('_')

const known: { readonly [reason: string]: readonly [FailureCode, string] } = {
  SQLITE_FULL: ['UNAVAILABLE', 'the disk of the store is full: make space and try again'],
  SQLITE_IOERR: ['UNAVAILABLE', 'the disk of the store does not read or write: check it and try again'],
  SQLITE_BUSY: ['UNAVAILABLE', 'another program keeps the store file locked: try again'],
  SQLITE_READONLY: ['UNAVAILABLE', 'the store cannot be written: its file, its folder or the file system is read-only'],
  SQLITE_CANTOPEN: [
    'STORE_UNREADABLE',
    'the store file cannot be opened: check that its folder exists and may be read, and written for the files beside it',
  ],
  SQLITE_NOTADB: ['STORE_UNREADABLE', 'the store file is not an SQLite database'],
  SQLITE_CORRUPT: ['STORE_UNREADABLE', 'the store file is damaged: restore a backup'],
  FOREIGN: ['STORE_UNREADABLE', 'the store file belongs to another application'],
  NEWER: ['STORE_UNREADABLE', 'the store file was made by a newer version: use that one'],
  OLDER: ['STORE_UNREADABLE', 'the store file was made by an older version: open it for writing once'],
  NO_WAL: ['STORE_UNREADABLE', 'the file system of the store keeps no write-ahead log: use a local disk'],
  READ_ONLY: ['CONFIGURATION_INVALID', 'the store is open for reading only'],
  CHECKPOINT_MOVED: ['CONFLICT', 'the checkpoint was moved by somebody else: read it again'],
  SNAPSHOT_MOVED: ['CONFLICT', 'the snapshot to be kept is another one'],
  SNAPSHOT_DROPPED: ['CONFLICT', 'the snapshots were dropped after the events of this one were read'],
  CLOSED: ['UNAVAILABLE', 'the store is closed'],
  ENDED: ['UNAVAILABLE', 'the writer of the store has ended: open the store again'],
  UNEXPECTED: ['INTERNAL', 'the store failed in an unexpected way'],
}
