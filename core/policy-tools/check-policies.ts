import { orThrow } from '../countersign-error.ts'
import { isObject } from '../codec/codec.ts'
import { catalogue } from '../definition/catalogue.ts'
import type { Resource } from '../definition/resource.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { Clause, Compiled, PlacedProblem } from '../policy/expression.ts'
import { CLAUSES } from '../policy/refusal.ts'
import { compiledTime } from '../resources/policy/policy-rules.ts'
import { publicApi } from '../resources/public-api.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import { E } from '../prelude.ts'
import {
  listOfPolicies,
  proposedPolicy,
  triedPolicies,
  type ProposedPolicy,
  type TriedPolicy,
} from './proposed-policies.ts'
import type { Reading } from './trial.ts'

/** What is wrong with a policy, or with a bare expression. */
export type PolicyMistake = {
  /** Which policy of the list it is; `undefined` for a bare expression. */
  readonly policy: PolicyOfList | undefined
  /** `undefined` if the mistake is in no expression, but for example in the name. */
  readonly clause: Clause | undefined
  readonly message: string
  /** Where in the expression it is. */
  readonly place: MistakenPlace | undefined
  /** What would be right there, and what stands there. */
  readonly expected?: string
  readonly found?: string
  /** The name that does not exist, and the nearest one that does. */
  readonly absent?: string
  readonly nearest?: string
}

export type PolicyOfList = {
  /** Its place in the list, from 1. */
  readonly number: number
  readonly policyName: string | undefined
  readonly policyId: string | undefined
}

export type MistakenPlace = {
  /** Both begin at 1. */
  readonly line: number
  readonly column: number
  /** How many characters it has on its line; 0 at the end of the text. */
  readonly length: number
  /** The whole line, as it stands there. */
  readonly text: string
}

/** What every tool for policies has to know. */
export type PolicyToolOptions = {
  /** The resources whose keywords and parameters policies may use, and whose operations a log may have. Default: `publicApi`. */
  readonly resources?: readonly Resource[]
  /** The time zones that policies may name. On Node: those of the runtime. Default: UTC alone. */
  readonly timeZones?: TimeZones | undefined
}

export type CheckPoliciesOptions = PolicyToolOptions & {
  /** The text is one bare expression: this clause of a policy. Default: it is JSON of a list of policies. */
  readonly clause?: Clause | undefined
}

/**
 * Checks policies before anybody stores them, as `create_policies` does: every mistake of every clause, with its place.
 *
 * @param text  JSON: a list of policies, or an object with the member `policies`, as `create_policies` takes it and `list_policies` answers
 *   it; or one bare expression, with the option `clause`
 * @returns the mistakes, in order; empty if there are none
 * @throws CountersignError `REQUEST_INVALID` if the text is no JSON, or no list; `CONFIGURATION_INVALID` if the resources contradict each other
 * @see docs/how-to/try-a-policy.md
 */
export const checkPolicies = (
  text: string,
  { clause, resources = publicApi, timeZones }: CheckPoliciesOptions = {},
): readonly PolicyMistake[] => orThrow(checkedText(text, orThrow(catalogue(resources, timeZones)), clause)).mistakes

/** What a text of policies holds. */
export type CheckedText = {
  readonly mistakes: readonly PolicyMistake[]
  /** The policies without a mistake in their form, each with its number; those with a mistake in an expression are among them. */
  readonly policies: readonly { readonly number: number; readonly policy: ProposedPolicy }[]
}

/** As `checkPolicies`, with a catalogue that is there. */
export const checkedText = (text: string, known: Reading, clause?: Clause): E.Either<Failure, CheckedText> => {
  if (clause !== undefined) return E.right({ mistakes: mistakesOfClause(known, undefined, clause, text), policies: [] })
  return E.map((list: readonly Json[]) => checkedList(list, known))(listOfPolicies(text))
}

const checkedList = (list: readonly Json[], known: Reading): CheckedText => {
  const names = new Set<string>()
  const mistakes: PolicyMistake[] = []
  const policies: { readonly number: number; readonly policy: ProposedPolicy }[] = []
  for (const [index, json] of list.entries()) {
    const of = policyOfList(index + 1, json)
    const { policyName } = of
    const read = proposedPolicy(json)
    const isTwice = policyName !== undefined && names.has(policyName)
    const messages = [...(E.isLeft(read) ? read.left : []), ...(isTwice ? ['policy label must be unique'] : [])]
    for (const message of messages) mistakes.push({ policy: of, clause: undefined, message, place: undefined })
    if (policyName !== undefined) names.add(policyName)
    if (E.isRight(read)) policies.push({ number: of.number, policy: read.right })
    for (const clause of CLAUSES) mistakes.push(...mistakesOfClause(known, of, clause, textIn(json, clause) ?? ''))
  }
  return { mistakes, policies }
}

const policyOfList = (number: number, json: Json): PolicyOfList => ({
  number,
  policyName: textIn(json, 'policyName'),
  policyId: textIn(json, 'policyId'),
})

const textIn = (json: Json, member: string): string | undefined => {
  const value: unknown = isObject(json) ? json[member] : undefined
  return typeof value === 'string' ? value : undefined
}

const mistakesOfClause = (
  known: Reading,
  policy: PolicyOfList | undefined,
  clause: Clause,
  text: string,
): readonly PolicyMistake[] =>
  problemsIn(clause, text, known).map(({ message, at, line, column, expected, found, absent, nearest }) => ({
    policy,
    clause,
    message,
    place: { line, column, ...markedAt(text, at) },
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(absent === undefined ? {} : { absent }),
    ...(nearest === undefined ? {} : { nearest }),
  }))

/** A clause as `create_policies` reads it. */
const compiledClause = (clause: Clause, text: string, known: Reading): Compiled =>
  clause === 'time' ? compiledTime(text, known) : known.language[clause](text)

const problemsIn = (clause: Clause, text: string, known: Reading): readonly PlacedProblem[] => {
  const compiled = compiledClause(clause, text, known)
  return E.isLeft(compiled) ? compiled.left.problems : []
}

/** The line of an offset, and the length of what stands there: a word, a string, or an operator. */
const markedAt = (text: string, at: number): Pick<MistakenPlace, 'text' | 'length'> => {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(from, end < 0 ? text.length : end)
  TOKEN.lastIndex = at - from
  return { text: line, length: TOKEN.exec(line)?.[0].length ?? 0 }
}

const TOKEN = /[A-Za-z0-9_]+|'[^']*'?|&&|\|\||[=!<>]=|\.\.|[\ud800-\udbff][\udc00-\udfff]|[^]/y

/** The policies as decisions take them; fails with the first mistake. */
export const checkedPolicies = (
  proposed: readonly ProposedPolicy[],
  known: Reading,
): E.Either<Failure, readonly TriedPolicy[]> => {
  for (const [index, policy] of proposed.entries())
    for (const clause of CLAUSES) {
      const compiled = compiledClause(clause, policy[clause] ?? '', known)
      if (E.isLeft(compiled)) return E.left(failure('REQUEST_INVALID', `policy ${index + 1}: ${compiled.left.message}`))
    }
  return E.right(triedPolicies(proposed))
}
