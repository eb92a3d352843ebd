import type { Notice, TellNotice } from '../ports/notice.ts'
import type { Cause } from './cause.ts'
import type { Troubles } from './troubles.ts'

/** Tells the operator that code threw: a bug of the host, or of ours. */
export type TellThrown = (what: string, thrown: unknown, context?: Notice['context']) => void

/** An error that is thrown at the same place again counts as the same bug: callers must not be able to fill the log with it. */
export const tellThrown =
  (bugs: Pick<Troubles, 'note'>): TellThrown =>
  (what, thrown, context = {}) => {
    const described = describeThrown(thrown)
    bugs.note(`${described.thrown} ${described.at[0] ?? what}`, () => ({
      level: 'error',
      message: `${what} threw`,
      context: { ...context, ...described },
    }))
  }

/**
 * Describes a thrown error by its name, its stack and the code that the system or Node gave it, without its message: others wrote the
 * message, and it may contain a secret. The message of an `ownError` is included.
 */
export const describeThrown = (thrown: unknown): Described => ({
  thrown: nameOf(thrown),
  at: placesOf(thrown),
  ...codeOf(thrown),
  ...saidBy(thrown),
})
type Described = Cause & { readonly thrown: string; readonly at: readonly string[] }

/** Makes an error with a message of our own, which contains no secret: notices show it. */
export const ownError = (message: string): TypeError => {
  const error = new TypeError(message)
  Error.captureStackTrace?.(error, ownError) // the place that counts is where it was called
  own.add(error)
  return error
}
const own = new WeakSet<object>()

const saidBy = (thrown: unknown): { readonly said?: string } =>
  thrown instanceof Error && own.has(thrown) ? { said: thrown.message } : {}

const PLACES_MAX = 10
const CAUSES_MAX = 4

/** The form of the codes of the system and of Node, such as `ECONNREFUSED`: their texts are fixed. */
const SYSTEM_CODE = /^(?:E[A-Z0-9]{2,15}|(?:ERR|UND_ERR|SQLITE)_[A-Z0-9_]{1,60})$/

/** The code of the error, or of one of the errors that caused it: `fetch` has the real reason in its cause. */
const codeOf = (thrown: unknown): { readonly code?: string } => {
  try {
    let error = thrown
    for (let depth = 0; depth < CAUSES_MAX && error instanceof Error; depth += 1) {
      if ('code' in error && typeof error.code === 'string' && SYSTEM_CODE.test(error.code)) return { code: error.code }
      error = error.cause
    }
  } catch {
    // The members of a host's error may throw.
  }
  return {}
}

// The members of a host's error may have any type.
const nameOf = (thrown: unknown): string => {
  const name: unknown = thrown instanceof Error ? thrown.name : undefined
  return typeof name === 'string' ? name : typeof thrown
}

const placesOf = (thrown: unknown): readonly string[] => {
  const stack: unknown = thrown instanceof Error ? thrown.stack : undefined
  if (typeof stack !== 'string') return []
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return places.slice(0, PLACES_MAX).map((line) => line.trim())
}

/** Calls the host's `tell`, and ignores what it throws. */
export const quietly =
  (tell: TellNotice = () => undefined): TellNotice =>
  (notice) => {
    try {
      tell(notice)
    } catch {
      // There is nobody else to tell.
    }
  }
