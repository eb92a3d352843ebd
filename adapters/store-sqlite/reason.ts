/** Why a request failed: SQLite's name of an error, such as `SQLITE_FULL`, or a name of ours. */
export type Reason =
  | `SQLITE_${string}`
  | 'LOCKED'
  | 'FOREIGN'
  | 'NEWER'
  | 'OLDER'
  | 'NO_WAL'
  | 'READ_ONLY'
  | 'CHECKPOINT_MOVED'
  | 'SNAPSHOT_MOVED'
  | 'SNAPSHOT_DROPPED'
  | 'CLOSED'
  | 'ENDED'
  | 'UNEXPECTED'

export type Done<A> = { readonly _tag: 'done'; readonly value: A }
export type Refused = {
  readonly _tag: 'refused'
  readonly reason: Reason
  /** SQLite's own words, for the operator; `undefined` if they may quote a value. */
  readonly text?: string | undefined
}

export const done = <A>(value: A): Done<A> => ({ _tag: 'done', value })
export const refused = (reason: Reason, text?: string): Refused => ({ _tag: 'refused', reason, text })

/** The refusal by an error. */
export const refusedBy = (error: unknown): Refused => {
  const reason = reasonOf(error)
  if (!(error instanceof Error)) return refused(reason)
  if (reason === 'UNEXPECTED') return refused(reason, placeOf(error))
  return refused(reason, OF_THE_SYSTEM.test(reason) ? error.message.slice(0, TEXT_MAX) : undefined)
}

/** Errors that are about files and not about statements. */
const OF_THE_SYSTEM = /^SQLITE_(?:BUSY|LOCKED|NOMEM|READONLY|IOERR|CORRUPT|FULL|CANTOPEN|PROTOCOL|NOTADB|PERM)(?:_|$)/
const TEXT_MAX = 200

/** The name of an error that we did not expect, and the place where it was thrown. Its message may quote a value. */
export const placeOf = (error: Error): string => {
  const code = 'code' in error ? String(error.code).slice(0, TEXT_MAX) : ''
  const place = /^\s+(at .*)$/m.exec(error.stack ?? '')?.[1] ?? ''
  return [error.name, code, place].filter((part) => part !== '').join(' ')
}

/**
 * Reads the reason from an error. libsql gives SQLite's name in `code`, except for errors of opening a file, and for some extended codes,
 * for which it gives only the number: its lowest byte is the primary code.
 */
export const reasonOf = (error: unknown): Reason => {
  if (!(error instanceof Error)) return 'UNEXPECTED'
  if ('code' in error && isSqliteCode(error.code)) return error.code
  if ('rawCode' in error && typeof error.rawCode === 'number') return primaries[error.rawCode & 0xff] ?? 'UNEXPECTED'
  return error.message.startsWith('ConnectionFailed') ? 'SQLITE_CANTOPEN' : 'UNEXPECTED'
}

const primaries: { readonly [code: number]: Reason } = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
}

const isSqliteCode = (code: unknown): code is `SQLITE_${string}` =>
  typeof code === 'string' && code.startsWith('SQLITE_')
