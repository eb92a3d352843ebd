import { failure, type Failure } from '../failure.ts'
import { PROBLEMS_MAX } from './checking.ts'
import type { Problem } from './problem.ts'

/** The expressions of a policy. */
export const CLAUSES = ['condition', 'consensus', 'time'] as const
export type Clause = (typeof CLAUSES)[number]

/** A problem with its place: both numbers begin at 1. */
export type PlacedProblem = Problem & { readonly clause: Clause; readonly line: number; readonly column: number }

/** The failure of a request with a wrong clause; its message tells all problems. */
export type Refusal = Failure & { readonly problems: readonly PlacedProblem[] }

/** The refusal of a clause, with the places of its problems. */
export const refusalOf = (clause: Clause, text: string, problems: readonly Problem[]): Refusal => {
  const placed = problems.map((problem) => ({ ...problem, clause, ...placeOf(text, problem.at) }))
  const more = problems.length >= PROBLEMS_MAX ? '; and perhaps more' : ''
  const { code, message } = failure(
    'REQUEST_INVALID',
    `invalid policy ${clause}: ${placed.map(told).join('; ')}${more}`,
  )
  // The problems are for code, and not for the wire or the log.
  return Object.defineProperty({ code, message, problems: placed }, 'problems', { enumerable: false })
}

// The wire's own words stay together, because clients may look for them.
const told = ({ message, line, column, absent }: PlacedProblem): string =>
  absent === undefined ? `line ${line}, column ${column}: ${message}` : `${message}, at line ${line}, column ${column}`

const placeOf = (text: string, at: number): { readonly line: number; readonly column: number } => {
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
