/** Why something was not done: SQLite's name of an error, such as `SQLITE_FULL`, or one of ours. */
export type Reason =
  | `SQLITE_${string}`
  | 'LOCKED'
  | 'FOREIGN'
  | 'NEWER'
  | 'OLDER'
  | 'NO_WAL'
  | 'READ_ONLY'
  | 'CHECKPOINT_MOVED'
  | 'CLOSED'
  | 'ENDED'
  | 'UNEXPECTED'

export type Done<A> = { readonly _tag: 'done'; readonly value: A }
export type Refused = { readonly _tag: 'refused'; readonly reason: Reason }

export const done = <A>(value: A): Done<A> => ({ _tag: 'done', value })
export const refused = (reason: Reason): Refused => ({ _tag: 'refused', reason })

/**
 * libsql names SQLite's errors in `code`, except those of opening a file, and some kinds of an error, of which it gives the
 * number alone: the lowest byte says of what they are a kind.
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
