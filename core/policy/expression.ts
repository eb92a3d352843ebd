import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { check } from './checker.ts'
import { evaluatorOf, STEPS_MAX, type Evaluator, type Run } from './evaluator.ts'
import { parse } from './parser.ts'
import { conditionKeywords, consensusKeywords, type Keywords } from './schema.ts'
import { currentRules, type RulesVersion } from './rules.ts'
import type { Node, Problem } from './syntax.ts'

/** What expressions speak of: at one activity, at one moment. */
export type Facts = {
  readonly activity: {
    readonly type: string
    readonly kind: string
    readonly resource: string
    readonly action: string
    /** By the names that policies use, e.g. `user_id`. One that is undefined or null is missing. */
    readonly params: Readonly<Record<string, Json | undefined>>
  }
  readonly approvers: readonly UserFact[]
  readonly credentials: readonly CredentialFact[]
}

/** A user as policies see it: `tags` are tag ids, `alias` is the user's name, `email` is empty where there is none. */
export type UserFact = {
  readonly id: string
  readonly tags: readonly string[]
  readonly email: string
  readonly alias: string
}

/** A credential as policies see it: `credential_id` is empty where it is not a passkey. */
export type CredentialFact = {
  readonly id: string
  readonly user_id: string
  readonly type: string
  readonly credential_id: string
  readonly public_key: string
}

/** An expression that is known to be well-formed and well-typed, ready to be evaluated. */
export type Expression = {
  readonly evaluator: Evaluator
  /** The root keywords that it uses. */
  readonly keywords: ReadonlySet<string>
  /** The clauses of its outermost `||`; empty where there is none. */
  readonly alternatives: readonly Expression[]
}

export type Evaluated =
  | { readonly _tag: 'value'; readonly value: boolean }
  /** `isExhausted`: the expression may well have a value, but finding it takes more than the steps that there are. */
  | { readonly _tag: 'error'; readonly reason: string; readonly isExhausted: boolean }

/** The longest expression, in characters. */
export const TEXT_LENGTH_MAX = 16_384

/**
 * Compiles the condition of a policy, which speaks of the activity. The empty text is always true. Repeating it costs
 * a look into a bounded cache.
 *
 * @returns `REQUEST_INVALID` where the text cannot be understood, with the place
 */
export const compileCondition = (text: string): E.Either<Failure, Expression> => conditions.get(text)

/** Compiles the consensus of a policy, which speaks of approvers and their credentials; see `compileCondition`. */
export const compileConsensus = (text: string): E.Either<Failure, Expression> => consensuses.get(text)

/** What evaluations may still take, over all the expressions that are tried. */
export type Allowance = {
  /** As the rules say: an answer may depend on it. */
  steps: number
  readonly work: Work
}

/**
 * What whoever evaluates can afford, in steps. When it is used up, no answer means anything. The rules of today need no such
 * bound; an auditor sets one for decisions by older rules, whose steps can be made to take long.
 */
export type Work = { left: number }

const unlimited: Work = { left: Infinity }

/** An allowance of so many steps. */
export const allowanceOf = (steps: number, work = unlimited): Allowance => ({ steps, work })

/**
 * Evaluates an expression. It takes at most `STEPS_MAX` steps, and by the rules of today no more than the allowance has;
 * the reason of an error holds no value of the facts.
 */
export const evaluate = (
  expression: Expression,
  facts: Facts,
  rules: RulesVersion = currentRules,
  allowance: Allowance = allowanceOf(STEPS_MAX),
): Evaluated => {
  const left = rules.decisionSteps === undefined ? STEPS_MAX : Math.max(0, allowance.steps)
  const run: Run = {
    facts,
    variables: [],
    stepsMax: allowance.work.left > 0 ? Math.min(STEPS_MAX, left) : 0,
    textShift: rules.textShift,
    steps: 0,
    uncounted: 0,
    reason: undefined,
    isExhausted: false,
  }
  const value = expression.evaluator(run)
  allowance.steps -= run.steps
  allowance.work.left -= run.steps + run.uncounted
  return typeof value === 'boolean' && run.reason === undefined
    ? { _tag: 'value', value }
    : { _tag: 'error', reason: run.reason ?? 'expected a boolean', isExhausted: run.isExhausted }
}

/** Whether an expression is true of the facts: an error is not, and without an allowance nothing is. */
export const holds = (expression: Expression, facts: Facts, rules: RulesVersion, allowance: Allowance): boolean => {
  if (allowance.steps <= 0) return false
  const evaluated = evaluate(expression, facts, rules, allowance)
  allowance.steps -= rules.stepsPerQuestion(facts.approvers.length, facts.credentials.length)
  return isTrue(evaluated)
}

export const isTrue = (evaluated: Evaluated): boolean => evaluated._tag === 'value' && evaluated.value

type Compiled = E.Either<Failure, Expression>

// A closure tree is some fifty times its text: a million characters are the most that a cache may hold.
const CACHED_LENGTH_MAX = 2 ** 20
const ENTRY_LENGTH = 64

const cached = (compile: (text: string) => Compiled): { readonly get: (text: string) => Compiled } => {
  const entries = new Map<string, Compiled>()
  let length = 0
  return {
    get: (text) => {
      const found = entries.get(text)
      if (found !== undefined) return found
      const compiled = compile(text)
      if (text.length > TEXT_LENGTH_MAX) return compiled
      for (const oldest of entries.keys()) {
        if (length + text.length + ENTRY_LENGTH <= CACHED_LENGTH_MAX) break
        entries.delete(oldest)
        length -= oldest.length + ENTRY_LENGTH
      }
      entries.set(text, compiled)
      length += text.length + ENTRY_LENGTH
      return compiled
    },
  }
}

const conditions = cached((text) => compile('condition', conditionKeywords, text))
const consensuses = cached((text) => compile('consensus', consensusKeywords, text))

const compile = (clause: 'condition' | 'consensus', keywords: Keywords, text: string): Compiled => {
  if (text === '') return E.right(always)
  if (text.length > TEXT_LENGTH_MAX) {
    return refusal(clause, text, { message: `expected at most ${TEXT_LENGTH_MAX} characters`, at: undefined })
  }
  const parsed = parse(text)
  if (parsed._tag === 'Left') return refusal(clause, text, parsed.left)
  const checked = check(parsed.right, keywords)
  if (checked._tag === 'Left') return refusal(clause, text, checked.left)
  const alternatives = alternativesOf(parsed.right).map((node) => expressionOf(node, checked.right))
  return E.right({ ...expressionOf(parsed.right, checked.right), alternatives })
}

const always: Expression = { evaluator: () => true, keywords: new Set(), alternatives: [] }

const expressionOf = (node: Node, keywords: ReadonlySet<string>): Expression => ({
  evaluator: evaluatorOf(node),
  keywords,
  alternatives: [],
})

const alternativesOf = (node: Node): readonly Node[] =>
  node._tag === 'logic' && node.operator === '||' ? node.clauses : []

const refusal = (clause: 'condition' | 'consensus', text: string, { message, at }: Problem): Compiled => {
  const place = at === undefined ? '' : `${placeOf(text, at)}: `
  return E.left(failure('REQUEST_INVALID', `invalid policy ${clause}: ${place}${message}`))
}

const placeOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
