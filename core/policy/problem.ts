import { nearestOf } from '../nearest.ts'
import { EXPRESSION_DEPTH_MAX } from './syntax.ts'

/** What is wrong with an expression. It repeats no string of the text, and of a name at most 64 characters. */
export type Problem = {
  readonly message: string
  /** The offset into the text. */
  readonly at: number
  /** What would be right here, and what stands here. */
  readonly expected?: string
  readonly found?: string
  /** The name that does not exist. */
  readonly absent?: string
  /** The name that exists and looks most like it. */
  readonly nearest?: string
}

/** The problem of something unexpected. */
export const mismatched = (expected: string, found: string, at: number): Problem => ({
  message: `expected ${expected}, found ${found}`,
  at,
  expected,
  found,
})

/**
 * The problem of a keyword, field or function that the language does not have, in the words of the wire.
 *
 * @param names  the names that exist here
 */
export const absent = (what: 'field' | 'function', name: string, at: number, names: Iterable<string>): Problem => {
  const cut = name.slice(0, NAME_LENGTH_MAX)
  const nearest = nearestOf(cut, names)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  return {
    message: `Expression cannot be evaluated: ${what} does not exist: ${cut}${hint}`,
    at,
    absent: cut,
    ...(nearest === undefined ? {} : { nearest }),
  }
}

/** How much of a name a message repeats. */
const NAME_LENGTH_MAX = 64

/** The problem of a tree with too many levels. */
export const tooDeep = (at: number): Problem => ({
  message: `expected an expression of at most ${EXPRESSION_DEPTH_MAX} levels`,
  at,
  expected: `an expression of at most ${EXPRESSION_DEPTH_MAX} levels`,
})
