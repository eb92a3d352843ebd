/**
 * Tools for policies: check them, explain decisions, try them on a log; and the policy language. `countersign/policies` has the first three with
 * the parts of Node.
 *
 * @module
 */
export {
  checkPolicies,
  type CheckPoliciesOptions,
  type PolicyToolOptions,
  type MistakenPlace,
  type PolicyMistake,
  type PolicyOfList,
} from './policy-tools/check-policies.ts'
export {
  explainDecision,
  type DecisionExplanation,
  type ExplanationOptions,
  type ExplainOptions,
} from './policy-tools/explain-decision.ts'
export type { ExplainedClause, ExplainedPart, ExplainedPolicy } from './policy-tools/explained-policies.ts'
export type { ExplainedApproval, ExplainedQuorum, NamedUser } from './policy-tools/explained-voters.ts'
export type { ProposedPolicy } from './policy-tools/proposed-policies.ts'
export type { ReadableStore, ReadLogOptions } from './policy-tools/read-log.ts'
export {
  simulatePolicies,
  type DecisionDifference,
  type KindTotals,
  type PolicyDifference,
  type ShortVerdict,
  type SimulateOptions,
  type Simulation,
  type SimulationOptions,
} from './policy-tools/simulate-policies.ts'
export type { WalkPorts } from './policy-tools/walk.ts'
export type { Scratch } from './ports/scratch.ts'
export type {
  Clause,
  Compiled,
  Expression,
  Language,
  PlacedProblem,
  Refusal as PolicyRefusal,
} from './policy/expression.ts'
export type { PlacedSpan } from './policy/checking.ts'
export type { CronSpan } from './policy/cron-span.ts'
export type { Problem } from './policy/problem.ts'
export type { Evaluator, Run, TimeFacts } from './policy/evaluator.ts'
export type { Instant } from './policy/instant.ts'
