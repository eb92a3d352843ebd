import type { ReadableStore } from '../core/policy-tools/read-log.ts'
import * as checking from '../core/policy-tools/check-policies.ts'
import * as explaining from '../core/policy-tools/explain-decision.ts'
import type { ProposedPolicy } from '../core/policy-tools/proposed-policies.ts'
import * as simulating from '../core/policy-tools/simulate-policies.ts'
import { nodeContainer, tokens } from './container.ts'

/*
 * The tools for policies, with the time zones of the runtime, and with what checks passkeys; and the types of what they give, and of the language.
 */

/** @see checking.checkPolicies, of which this is the form for Node */
export const checkPolicies = (
  text: string,
  options: checking.CheckPoliciesOptions = {},
): readonly checking.PolicyMistake[] =>
  checking.checkPolicies(text, { timeZones: nodeContainer().resolve(tokens.timeZones), ...options })

/** @see explaining.explainDecision, of which this is the form for Node */
export const explainDecision = (
  store: ReadableStore,
  activityId: string,
  options: explaining.ExplainOptions = {},
): Promise<explaining.DecisionExplanation> => explaining.explainDecision(store, activityId, { ...parts(), ...options })

/** @see simulating.simulatePolicies, of which this is the form for Node */
export const simulatePolicies = (
  store: ReadableStore,
  policies: readonly ProposedPolicy[],
  options: simulating.SimulateOptions = {},
): Promise<simulating.Simulation> => simulating.simulatePolicies(store, policies, { ...parts(), ...options })

const parts = () => {
  const container = nodeContainer()
  return { timeZones: container.resolve(tokens.timeZones), attestations: container.resolve(tokens.attestations) }
}

export type {
  CheckPoliciesOptions,
  PolicyToolOptions,
  MistakenPlace,
  PolicyMistake,
  PolicyOfList,
} from '../core/policy-tools/check-policies.ts'
export type { DecisionExplanation, ExplanationOptions, ExplainOptions } from '../core/policy-tools/explain-decision.ts'
export type { ExplainedClause, ExplainedPart, ExplainedPolicy } from '../core/policy-tools/explained-policies.ts'
export type {
  ExplainedApproval,
  ExplainedFactors,
  ExplainedQuorum,
  NamedUser,
} from '../core/policy-tools/explained-voters.ts'
export type { ProposedPolicy } from '../core/policy-tools/proposed-policies.ts'
export type { ReadableStore, ReadLogOptions } from '../core/policy-tools/read-log.ts'
export type {
  DecisionDifference,
  KindTotals,
  PolicyDifference,
  ShortVerdict,
  SimulateOptions,
  Simulation,
  SimulationOptions,
} from '../core/policy-tools/simulate-policies.ts'
export type { WalkPorts } from '../core/policy-tools/walk.ts'
export type { Scratch } from '../core/ports/scratch.ts'
export type {
  Clause,
  Compiled,
  Expression,
  Language,
  PlacedProblem,
  Refusal as PolicyRefusal,
} from '../core/policy/expression.ts'
export type { PlacedSpan } from '../core/policy/checking.ts'
export type { CronSpan } from '../core/policy/cron-span.ts'
export type { Problem } from '../core/policy/problem.ts'
export type { Evaluator, Run, TimeFacts } from '../core/policy/evaluator.ts'
export type { Instant } from '../core/policy/instant.ts'
