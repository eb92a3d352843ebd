import { hintFor } from './explain-hints.ts'
import { explainedValue } from './explain-value.ts'
import type { Run } from './run.ts'
import type { Node } from './syntax.ts'

/** What became of a part of an expression. */
export type Explained = {
  readonly node: Node
  /** `undefined` after an error, and if the part was not evaluated. */
  readonly value: unknown
  readonly state:
    | 'value'
    /** The first error of the expression: the part that caused it. */
    | 'error'
    /** A part of it has an error. */
    | 'failed'
    /** It comes behind the first error. */
    | 'not-reached'
  /** Of an error: what was wrong, and what may help. Neither has a value of the facts; the hint has names of members. */
  readonly reason?: string | undefined
  readonly hint?: string | undefined
  /** Whether it is, or rests on, something that was erased: then its value stands for one that nobody knows any more. */
  readonly isGone: boolean
  /** The parts, in the order in which they were evaluated. */
  readonly parts: readonly Explained[]
  /** The variable of `all`, `any` or `filter` that it was evaluated with. */
  readonly variable?: { readonly name: string; readonly value: unknown }
}

export type ExplainOptions = {
  /** How many parts are kept; the others are evaluated, and left out. Default: 2,000. */
  readonly partsMax?: number
  /** A count that rises whenever something is read that was erased. */
  readonly goneReads?: () => number
}

/**
 * Evaluates an expression by walking its tree, and keeps what each part was worth. It is a third implementation of the language, for
 * people who ask why: values, errors and steps are those of `evaluate`.
 *
 * @param run  the run of the evaluation; its steps and its reason are set
 */
export const explain = (
  node: Node,
  run: Run,
  { partsMax = 2_000, goneReads = () => 0 }: ExplainOptions = {},
): Explained => walk({ run, goneReads, left: partsMax }, node, new Map())

type Walking = { readonly run: Run; readonly goneReads: () => number; left: number }
/** The variables around a part. */
export type Names = ReadonlyMap<string, unknown>

/** Evaluates a part of the node; `undefined` after an error. */
export type Part = (node: Node, variable?: Explained['variable']) => unknown

const walk = (walking: Walking, node: Node, names: Names, variable?: Explained['variable']): Explained => {
  const { run, goneReads } = walking
  const before = goneReads()
  const hadFailed = run.reason !== undefined
  const parts: Explained[] = []
  const all = { areGone: false, haveFailed: false }
  const value = explainedValue(run, node, names, (inner, bound) => {
    const scope = bound === undefined ? names : new Map(names).set(bound.name, bound.value)
    const isKept = (walking.left -= 1) >= 0
    const explained = walk(walking, inner, scope, bound)
    if (isKept) parts.push(explained)
    all.areGone ||= explained.isGone
    all.haveFailed ||= explained.value === undefined
    return explained.value
  })
  const isGone = all.areGone || goneReads() !== before
  const isFirst = !hadFailed && run.reason !== undefined && !all.haveFailed
  return {
    node,
    value,
    state: value === undefined ? (isFirst ? 'error' : 'failed') : 'value',
    ...(isFirst ? { reason: run.reason, hint: hintFor(run, node, parts) } : {}),
    isGone,
    parts: value === undefined && walking.left > 0 ? [...parts, ...notReached(node, parts)] : parts,
    ...(variable === undefined ? {} : { variable }),
  }
}

/** The parts behind the first error; only those of chains, because an operator evaluates all its operands. */
const notReached = (node: Node, parts: readonly Explained[]): readonly Explained[] =>
  chainOf(node)
    .slice(parts.length)
    .map((left) => ({ node: left, value: undefined, state: 'not-reached', isGone: false, parts: [] }))

const chainOf = (node: Node): readonly Node[] => {
  if (node._tag === 'logic') return node.clauses
  if (node._tag === 'list') return node.items
  return node._tag === 'struct' ? node.members.map(({ value }) => value) : []
}
