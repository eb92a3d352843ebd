import { boundedMap } from '../collections/bounded-map.ts'
import type { Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { check } from './checker.ts'
import type { Checked, PlacedSpan, Scope } from './checking.ts'
import { evaluatorOf, STEPS_MAX, type Evaluator, type Run, type TimeFacts } from './evaluator.ts'
import { parse, reserved } from './parser.ts'
import { CLAUSES, refusalOf, type Clause, type PlacedProblem, type Refusal } from './refusal.ts'
import { conditionKeywords, consensusKeywords, laterKeywords, timeKeywords, type FactTypes } from './schema.ts'
import { currentRules, type RulesVersion } from './rules.ts'
import type { Node } from './syntax.ts'
import type { Keywords } from './value-types.ts'

export type { Clause, PlacedProblem, Refusal } from './refusal.ts'

/** The facts that expressions use, for one activity at one moment. */
export type Facts = {
  readonly activity: {
    readonly type: string
    readonly kind: string
    /** Undefined for activities that only the root quorum may allow. */
    readonly resource: string | undefined
    readonly action: string | undefined
    /** The parameters, by the names that policies use, e.g. `user_id`. A parameter that is undefined or null counts as missing. */
    readonly params: Readonly<Record<string, Json | undefined>>
  }
  readonly approvers: readonly UserFact[]
  readonly credentials: readonly CredentialFact[]
  /** Expressions about time err without it. */
  readonly time?: TimeFacts
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
  /** The spans of time that it asks for, with their places in the text. */
  readonly spans: readonly PlacedSpan[]
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
  readonly time: (text: string) => Compiled
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

/** Compiles the time of a policy, which uses the time of the decision; see `compileCondition`. */
export const compileTime = (text: string, language: Language = plainLanguage): Compiled => language.time(text)

/** What is wrong with a clause of a policy: empty if it can be compiled. */
export const problemsOf = (
  clause: Clause,
  text: string,
  language: Language = plainLanguage,
): readonly PlacedProblem[] => {
  const compiled = language[clause](text)
  return compiled._tag === 'Left' ? compiled.left.problems : []
}

/** The steps that are left, for several evaluations together. */
export type Allowance = {
  /** The steps that the rules give. The answers of evaluations may depend on it. */
  steps: number
}

/** Makes an allowance. */
export const allowanceOf = (steps: number): Allowance => ({ steps })

/**
 * Evaluates an expression. It takes at most `STEPS_MAX` steps, and at most those of the allowance. The reason
 * of an error contains no value of the facts.
 */
export const evaluate = (
  expression: Expression,
  facts: Facts,
  rules: RulesVersion = currentRules,
  allowance: Allowance = allowanceOf(STEPS_MAX),
): Evaluated => {
  const run: Run = {
    facts,
    variables: [],
    stepsMax: Math.min(STEPS_MAX, Math.max(0, allowance.steps)),
    textShift: rules.textShift,
    steps: 0,
    reason: undefined,
    isExhausted: false,
  }
  const value = expression.evaluator(run)
  allowance.steps -= run.steps
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

/** An expression, or why its text is refused. */
export type Compiled = E.Either<Refusal, Expression>

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
  const condition = scopeOf('condition', conditionKeywords(facts))
  return {
    condition: cached((text) => compile('condition', condition, text)),
    consensus: cached((text) => compile('consensus', consensusScope, text)),
    time: cached((text) => compile('time', timeScope, text)),
  }
}

const KEYWORDS: Readonly<Record<Clause, Keywords>> = {
  condition: conditionKeywords(),
  consensus: consensusKeywords,
  time: timeKeywords,
}

const scopeOf = (clause: Clause, keywords: Keywords): Scope => ({
  keywords,
  unhidden: new Set(Object.keys(keywords).filter((name) => !Object.hasOwn(laterKeywords, name))),
  elsewhere: new Map(
    CLAUSES.filter((other) => other !== clause).flatMap((other) =>
      Object.keys(KEYWORDS[other]).map((name) => [name, `it belongs in the ${other}`] as const),
    ),
  ),
  hasTime: clause === 'time',
})

const consensusScope = scopeOf('consensus', consensusKeywords)
const timeScope = scopeOf('time', timeKeywords)

/** Whether a resource may add a keyword of this name: it must have no meaning yet. */
export const isFreeKeyword = (name: string): boolean =>
  /^[a-z][a-z0-9_]*$/.test(name) &&
  !reserved.has(name) &&
  !CLAUSES.some((clause) => Object.hasOwn(KEYWORDS[clause], name))

/** The language without any resource's facts. */
const plainLanguage: Language = languageOf({})

const compile = (clause: Clause, scope: Scope, text: string): Compiled => {
  if (text === '') return E.right(always)
  if (text.length > TEXT_LENGTH_MAX) {
    const expected = `at most ${TEXT_LENGTH_MAX} characters`
    return E.left(refusalOf(clause, text, [{ message: `expected ${expected}`, at: TEXT_LENGTH_MAX, expected }]))
  }
  const parsed = parse(text)
  if (parsed._tag === 'Left') return E.left(refusalOf(clause, text, [parsed.left]))
  const checked = check(parsed.right, scope)
  if (checked._tag === 'Left') return E.left(refusalOf(clause, text, checked.left))
  const alternatives = alternativesOf(parsed.right).map((node) => expressionOf(node, checked.right))
  return E.right({ ...expressionOf(parsed.right, checked.right), alternatives })
}

const always: Expression = { evaluator: () => true, keywords: new Set(), alternatives: [], spans: [] }

const expressionOf = (node: Node, { keywords, spans }: Checked): Expression => ({
  evaluator: evaluatorOf(node),
  keywords,
  alternatives: [],
  spans,
})

const alternativesOf = (node: Node): readonly Node[] =>
  node._tag === 'logic' && node.operator === '||' ? node.clauses : []
