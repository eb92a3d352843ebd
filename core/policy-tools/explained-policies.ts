import type { ErasedReads } from '../audit/erased-reads.ts'
import type { Outcome, Verdict } from '../log/decision.ts'
import { policies, type Effect, type Policy } from '../organization/policies.ts'
import type { Organization } from '../organization/state.ts'
import { explain, type Explained } from '../policy/explain.ts'
import type { Clause, Facts } from '../policy/expression.ts'
import { parse } from '../policy/parser.ts'
import { printNode } from '../policy/print-node.ts'
import type { RulesVersion } from '../policy/rules.ts'
import { STEPS_MAX } from '../policy/run.ts'
import { worthOf } from './worth.ts'

/** A policy in a decision. */
export type ExplainedPolicy = {
  readonly policyId: string
  readonly policyName: string
  readonly effect: Effect
  readonly outcome: Outcome
  /** Why it has this outcome. */
  readonly says: string
  readonly clauses: readonly ExplainedClause[]
}

export type ExplainedClause = {
  readonly clause: Clause
  readonly text: string
  /** `undefined` if it cannot be evaluated: the request was erased, so nobody knows what the activity asked for. */
  readonly tree: ExplainedPart | undefined
}

/** A part of an expression, and what it was worth. */
export type ExplainedPart = {
  readonly text: string
  /** `error`: the first error, by this part. `failed`: a part of it has that error. `not-reached`: it stands behind the error. */
  readonly state: Explained['state']
  /** The value, as the language would write it; `erased` if it rests on what was erased. `undefined` if there is none. */
  readonly worth: string | undefined
  readonly reason: string | undefined
  readonly hint: string | undefined
  /** Whether it is a string, a number, a boolean or a timestamp of the policy itself. */
  readonly isLiteral: boolean
  /** The variable of `all`, `any` or `filter` with which this part was evaluated. */
  readonly variable: { readonly name: string; readonly worth: string } | undefined
  readonly parts: readonly ExplainedPart[]
}

/** The facts of a decision; `undefined` where they are not known any more. */
export type FactsByClause = { readonly [Name in Clause]: Facts | undefined }

/**
 * The policies that were evaluated in a decision, with what each part of their clauses was worth.
 *
 * @param verdict  as the log has it: the outcomes are taken from there
 */
export const explainedPolicies = (
  organization: Organization,
  verdict: Verdict,
  facts: FactsByClause,
  rules: RulesVersion,
  reads: ErasedReads,
): readonly ExplainedPolicy[] =>
  verdict.evaluations.flatMap(({ policyId, outcome }) => {
    const policy = policies.of(organization).get(policyId)
    if (policy === undefined) return []
    const { policyName, effect } = policy
    const clauses = textsOf(policy, outcome).map(([clause, text]) =>
      explainedClause(clause, text, facts[clause], rules, reads),
    )
    return [{ policyId, policyName, effect, outcome, says: reasonOf(effect, outcome, clauses), clauses }]
  })

/** The clauses that a policy has; the others are always true. Where it is not the time of a policy, they are not read. */
const textsOf = ({ time, condition, consensus }: Policy, outcome: Outcome): readonly (readonly [Clause, string])[] => {
  const all: readonly (readonly [Clause, string])[] = [
    ['time', time],
    ['condition', condition],
    ['consensus', consensus],
  ]
  return all.filter(([clause, text]) => text !== '' && (clause === 'time' || outcome !== 'OUTCOME_TIME_INACTIVE'))
}

const explainedClause = (
  clause: Clause,
  text: string,
  facts: Facts | undefined,
  { textShift }: RulesVersion,
  reads: ErasedReads,
): ExplainedClause => {
  const parsed = parse(text)
  if (facts === undefined || parsed._tag === 'Left') return { clause, text, tree: undefined }
  const run = {
    facts,
    variables: [],
    stepsMax: STEPS_MAX,
    textShift,
    steps: 0,
    reason: undefined,
    isExhausted: false,
  }
  return { clause, text, tree: partOf(explain(parsed.right, run, { goneReads: () => reads.count }), reads) }
}

const partOf = (explained: Explained, reads: ErasedReads): ExplainedPart => {
  const { node, value, state, reason, hint, isGone, variable, parts } = explained
  return {
    text: printNode(node),
    state,
    worth: state === 'value' ? (isGone ? 'erased' : worthOf(value, reads)) : undefined,
    reason,
    hint,
    isLiteral: node._tag === 'literal' || node._tag === 'timestamp',
    variable: variable && { name: variable.name, worth: worthOf(variable.value, reads) },
    parts: parts.map((part) => partOf(part, reads)),
  }
}

const reasonOf = (effect: Effect, outcome: Outcome, clauses: readonly ExplainedClause[]): string => {
  const isTrue = (wanted: Clause): boolean => {
    const found = clauses.find(({ clause }) => clause === wanted)
    return found === undefined || found.tree?.worth === 'true'
  }
  switch (outcome) {
    case 'OUTCOME_ALLOW':
      return 'it applies, and its consensus is there: it allows'
    case 'OUTCOME_REQUIRES_CONSENSUS':
      return 'it applies, and would allow with more approvals'
    case 'OUTCOME_DENY_EXPLICIT':
      return clauses.every(({ tree }) => tree === undefined || tree.worth !== undefined)
        ? 'it applies: it denies'
        : 'it may apply, and nobody can find out here: it denies'
    case 'OUTCOME_DENY_IMPLICIT':
      if (!isTrue('condition')) return 'its condition is not true: it does not apply'
      return effect === 'EFFECT_DENY'
        ? 'its consensus is not true: it does not deny'
        : 'it applies, but no approvals could make its consensus true'
    case 'OUTCOME_ERROR':
      return clauses.some(({ tree }) => tree?.worth === undefined)
        ? 'a clause has an error: it does not apply'
        : 'the steps of the decision were used up: it does not apply'
    case 'OUTCOME_TIME_INACTIVE':
      return 'it is not its time: it does not apply'
    case 'OUTCOME_REJECTED':
    case 'OUTCOME_REQUIRES_AUTHENTICATORS':
      return 'this version has no such outcome'
    default:
      return outcome satisfies never
  }
}
