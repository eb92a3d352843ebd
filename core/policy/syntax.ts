import type { E } from '../prelude.ts'
import type { CronSpan } from './cron-span.ts'
import type { Instant } from './instant.ts'

/**
 * The tree of a policy expression. `at` is the offset of the token that a message about the node points at; the evaluation does not
 * use it.
 *
 * Chains of `&&` and of `||` are one node with many clauses, so that a policy that names a hundred users is flat.
 */
export type Node =
  | { readonly _tag: 'literal'; readonly at: number; readonly value: bigint | boolean | string }
  | { readonly _tag: 'list'; readonly at: number; readonly items: readonly Node[] }
  | { readonly _tag: 'struct'; readonly at: number; readonly members: readonly Member[] }
  /** `Timestamp('…')`, with its text, and the time or what is wrong with the text. */
  | {
      readonly _tag: 'timestamp'
      readonly at: number
      readonly text: string
      readonly value: E.Either<string, Instant>
    }
  /** `CronSpan('…', '…', '…')`, with its texts: whether the time of the evaluation is in one of the spans. */
  | {
      readonly _tag: 'cron-span'
      readonly at: number
      readonly texts: readonly [cron: string, duration: string, zone: string]
      readonly value: E.Either<string, CronSpan>
    }
  | { readonly _tag: 'name'; readonly at: number; readonly name: string }
  | { readonly _tag: 'field'; readonly at: number; readonly of: Node; readonly name: string }
  | { readonly _tag: 'index'; readonly at: number; readonly of: Node; readonly index: Node }
  | { readonly _tag: 'slice'; readonly at: number; readonly of: Node; readonly from: Node; readonly to: Node }
  | { readonly _tag: 'count'; readonly at: number; readonly of: Node }
  | { readonly _tag: 'contains'; readonly at: number; readonly of: Node; readonly item: Node }
  | {
      readonly _tag: 'each'
      readonly at: number
      readonly quantifier: Quantifier
      readonly of: Node
      readonly variable: string
      readonly predicate: Node
    }
  | { readonly _tag: 'not'; readonly at: number; readonly of: Node }
  | {
      readonly _tag: 'compare'
      readonly at: number
      readonly operator: Comparison
      readonly left: Node
      readonly right: Node
    }
  | { readonly _tag: 'logic'; readonly at: number; readonly operator: '&&' | '||'; readonly clauses: readonly Node[] }

export type Quantifier = 'all' | 'any' | 'filter'

/** The operators that compare two values. */
export const COMPARISONS = ['==', '!=', '<', '>', '<=', '>=', 'in'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** A member of a struct literal. */
export type Member = { readonly name: string; readonly at: number; readonly value: Node }

/**
 * The key that stands in brackets: a string that the policy itself gives. A string that comes out of an evaluation is
 * no key, so that brackets behind a value of unknown type mean what they meant before there were maps; see docs/decisions/policies.md.
 */
export const givenKey = (index: Node): string | undefined =>
  index._tag === 'literal' && typeof index.value === 'string' ? index.value : undefined

/** The most levels of a tree: parentheses, arguments and chained calls count. */
export const EXPRESSION_DEPTH_MAX = 64

/** A number is an i128 or a u256. The language only compares numbers, so the two need not be told apart. */
export const INT_MIN = -(2n ** 127n)
export const INT_MAX = 2n ** 256n - 1n

/** Whether the text is a number in decimal digits, with at most 78 digits. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text)
const DECIMAL = /^-?[0-9]{1,78}$/
