import { boundedMap } from '../collections/bounded-map.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { check } from './checker.ts'
import { evaluatorOf, STEPS_MAX, type Evaluator, type Run } from './evaluator.ts'
import { parse, reserved } from './parser.ts'
import { conditionKeywords, consensusKeywords, type FactTypes, type Keywords } from './schema.ts'
import { currentRules, type RulesVersion } from './rules.ts'
import type { Node, Problem } from './syntax.ts'

/** The facts that expressions use, for one activity at one moment. */
export type Facts = {
  readonly activity: {
    readonly type: string
    readonly kind: string
    readonly resource: string
    readonly action: string
    /** The parameters, by the names that policies use, e.g. `user_id`. A parameter that is undefined or null counts as missing. */
    readonly params: Readonly<Record<string, Json | undefined>>
  }
  readonly approvers: readonly UserFact[]
  readonly credentials: readonly CredentialFact[]
}

/** A user as policies see it: `tags` are tag ids, `alias` is the user's name, `email` is empty if there is none. */
export type UserFact = {
  readonly id: string
  readonly tags: readonly string[]
  readonly email: string
  readonly alias: string
}

/** A credential as policies see it: `credential_id` is empty if it is not a passkey. */
export type CredentialFact = {
  readonly id: string
  readonly user_id: string
  readonly type: string
  readonly credential_id: string
  readonly public_key: string
}

/** A parsed and checked expression, ready to be evaluated. */
export type Expression = {
  readonly evaluator: Evaluator
  /** The root keywords that it uses. */
  readonly keywords: ReadonlySet<string>
  /** The clauses of its outermost `||`; empty if there is none. */
  readonly alternatives: readonly Expression[]
}

export type Evaluated =
  | { readonly _tag: 'value'; readonly value: boolean }
  /** `isExhausted`: the expression may have a value, but finding it takes more steps than are left. */
  | { readonly _tag: 'error'; readonly reason: string; readonly isExhausted: boolean }

/** The longest expression, in characters. */
export const TEXT_LENGTH_MAX = 16_384

/** The policy language, with the facts of an engine's resources. */
export type Language = {
  readonly condition: (text: string) => Compiled
  readonly consensus: (text: string) => Compiled
}

/**
 * Compiles the condition of a policy, which uses the activity and the keywords of resources. The empty text is always true. Compiled
 * texts are kept in a bounded cache.
 *
 * @returns `REQUEST_INVALID` with the place of the error if the text cannot be compiled
 */
export const compileCondition = (text: string, language: Language = plainLanguage): Compiled => language.condition(text)

/** Compiles the consensus of a policy, which uses approvers and their credentials; see `compileCondition`. */
export const compileConsensus = (text: string, language: Language = plainLanguage): Compiled => language.consensus(text)

/** The steps that are left, for several evaluations together. */
export type Allowance = {
  /** The steps that the rules give. The answers of evaluations may depend on it. */
  steps: number
  readonly work: Work
}

/**
 * The steps that the caller can afford. When they are used up, answers have no meaning. The present rules need no such bound; an
 * auditor sets one for decisions by older rules, whose steps can take long.
 */
export type Work = { left: number }

const unlimited: Work = { left: Infinity }

/** Makes an allowance. */
export const allowanceOf = (steps: number, work = unlimited): Allowance => ({ steps, work })

/**
 * Evaluates an expression. It takes at most `STEPS_MAX` steps, and by the present rules at most the steps of the allowance. The reason
 * of an error contains no value of the facts.
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

/** Whether an expression is true for the facts. It is false after an error, and if the allowance is used up. */
export const holds = (expression: Expression, facts: Facts, rules: RulesVersion, allowance: Allowance): boolean => {
  if (allowance.steps <= 0) return false
  const evaluated = evaluate(expression, facts, rules, allowance)
  allowance.steps -= rules.stepsPerQuestion(facts.approvers.length, facts.credentials.length)
  return isTrue(evaluated)
}

export const isTrue = (evaluated: Evaluated): boolean => evaluated._tag === 'value' && evaluated.value

export type Compiled = E.Either<Failure, Expression>

// A closure tree takes some fifty times the memory of its text, so a cache holds at most a million characters.
const CACHED_LENGTH_MAX = 2 ** 20
const ENTRY_LENGTH = 64

const cached = (compile: (text: string) => Compiled): ((text: string) => Compiled) => {
  const known = boundedMap<string, Compiled>(CACHED_LENGTH_MAX, { weightOf: (_, text) => text.length + ENTRY_LENGTH })
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const compiled = compile(text)
    if (text.length <= TEXT_LENGTH_MAX) known.set(text, compiled)
    return compiled
  }
}

/** Makes a language with the facts of some resources. It has caches of its own, because a text may mean something else in another. */
export const languageOf = (facts: FactTypes): Language => {
  const keywords = conditionKeywords(facts)
  return {
    condition: cached((text) => compile('condition', keywords, text)),
    consensus: cached((text) => compile('consensus', consensusKeywords, text)),
  }
}

/** Whether a resource may add a keyword of this name: it must have no meaning yet. */
export const isFreeKeyword = (name: string): boolean =>
  /^[a-z][a-z0-9_]*$/.test(name) &&
  !reserved.has(name) &&
  !Object.hasOwn(conditionKeywords(), name) &&
  !Object.hasOwn(consensusKeywords, name)

/** The language without any resource's facts. */
const plainLanguage: Language = languageOf({})

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
