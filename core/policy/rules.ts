/**
 * The differences between versions of the rules. Every decision names its version, and an audit judges it by that version. From version
 * 1.0 of this software on, a released version of the rules never changes: a change of them is one more entry.
 */
export type RulesVersion = {
  readonly version: number
  /** How many characters of a text are compared in one step, as a power of two. */
  readonly textShift: number
  /** The steps for gathering the facts of one more evaluation with other approvers; the evaluation costs its own steps. */
  readonly stepsPerQuestion: (approvers: number, credentials: number) => number
  /** The steps for beginning a search of `isReachable` or `isPivotal`. */
  readonly stepsPerSearch: (users: number) => number
  /** The steps for reading one character of a policy in each decision. */
  readonly stepsPerCharacter: number
  /** The steps of a decision for all policies. */
  readonly decisionSteps: number
  /** The steps for finding out whether users may vote. */
  readonly eligibilitySteps: number
  /** The steps for finding the MFA policy of one user that counts. */
  readonly factorSteps: number
}

// A step takes 10 to 30 ns, so a decision and its search for voters take at most some 50 ms together.
const first: RulesVersion = {
  version: 1,
  textShift: 4,
  stepsPerQuestion: (approvers, credentials) => 20 + 2 * approvers + 4 * credentials,
  stepsPerSearch: (users) => 100 + 20 * users,
  stepsPerCharacter: 4,
  decisionSteps: 1_000_000,
  eligibilitySteps: 1_500_000,
  factorSteps: 100_000,
}

/** All versions of the rules that this code has, the newest last. */
export const rulesVersions: readonly RulesVersion[] = [first]

/** The rules of new decisions. */
export const currentRules: RulesVersion = first

/** The version of the rules and of the policy language: it is part of every decision's basis. */
export const RULES_VERSION = currentRules.version

/** The rules of a version; undefined for one that is not among those that are known. */
export const rulesOf = (version: number, known = rulesVersions): RulesVersion | undefined =>
  known.find((rules) => rules.version === version)
