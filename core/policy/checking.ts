import type { CronSpan } from './cron-span.ts'
import { absent, mismatched, type Problem } from './problem.ts'
import type { Node } from './syntax.ts'
import { nameOf, type Keywords, type Type } from './value-types.ts'

/** The names of one kind of expression. */
export type Scope = {
  readonly keywords: Keywords
  /** Keywords whose names no variable can have. */
  readonly unhidden: ReadonlySet<string>
  /** Names that are keywords of another clause, with what to say of them. */
  readonly elsewhere?: ReadonlyMap<string, string>
  /** Whether `Timestamp` and `CronSpan` are functions here. */
  readonly hasTime: boolean
}

/** What a checked expression uses. */
export type Checked = {
  /** The root keywords. */
  readonly keywords: ReadonlySet<string>
  readonly spans: readonly PlacedSpan[]
}

/** A span of time, with its place in the text. */
export type PlacedSpan = { readonly span: CronSpan; readonly at: number }

/** The most problems that are told of one expression. */
export const PROBLEMS_MAX = 20

/** One check, and what it has found. */
export type Checking = {
  readonly scope: Scope
  readonly used: Set<string>
  readonly spans: PlacedSpan[]
  readonly problems: Map<string, Problem>
  /** How many members of structs were compared. */
  compared: number
}

/** A variable of unknown type stands for something that has a problem already. */
export type Variables = readonly { readonly name: string; readonly type: Type | undefined }[]

/** The parts of a walk that stay the same for all parts of a node. */
export type Walk = (node: Node, variables?: Variables) => Type | undefined

/** The nodes of one kind. */
export type Tagged<Tag extends Node['_tag']> = Extract<Node, { readonly _tag: Tag }>

/** Counts compared members, and tells whether there may be more. */
export const counter = (checking: Checking) => (): boolean => {
  checking.compared += 1
  return checking.compared <= COMPARED_MAX
}

/** The most members of structs that are compared: behind them, types are believed to fit, and the evaluation finds out. */
const COMPARED_MAX = 20_000

/** Notes a type that does not fit. */
export const mismatch = (checking: Checking, node: Node, expected: string, found: Type): undefined =>
  refuse(checking, mismatched(expected, nameOf(found), node.at))

/** Notes a name that does not exist; the search for a similar one is left out where no more problems are told. */
export const unknown = (
  checking: Checking,
  { name, at }: Tagged<'name' | 'field'>,
  names: readonly string[],
  hint?: string,
): undefined => {
  if (checking.problems.size >= PROBLEMS_MAX) return undefined
  const problem = absent('field', name, at, names)
  return refuse(checking, hint === undefined ? problem : { ...problem, message: `${problem.message} (${hint})` })
}

/** Notes a problem. */
export const refuse = (checking: Checking, problem: Problem): undefined => {
  // Two problems of one place would be one mistake told twice.
  const key = `${problem.at}`
  if (checking.problems.size < PROBLEMS_MAX && !checking.problems.has(key)) checking.problems.set(key, problem)
  return undefined
}
