import type { ReadableStore } from '../core/policy-tools/read-log.ts'
import * as checking from '../core/policy-tools/check-policies.ts'
import * as explaining from '../core/policy-tools/explain-decision.ts'
import type { ProposedPolicy } from '../core/policy-tools/proposed-policies.ts'
import * as simulating from '../core/policy-tools/simulate-policies.ts'
import { nodeContainer, tokens } from './container.ts'

/*
 * The tools for policies, with the time zones of the runtime, and with what checks passkeys. `countersign/core` has them without these parts.
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

export * from '../core/policies.ts' // what has the same name above takes the place of the core's
