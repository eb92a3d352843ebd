/**
 * The rules of one version, as far as versions differ. Every decision names the version by which it was taken, and an
 * audit judges it by that version for ever: a version that was released never changes.
 */
export type RulesVersion = {
  readonly version: number
  /** Whether an approval still counts after the credential that stamped it was deleted. */
  readonly countsDeletedCredentials: boolean
  /** Whether a policy denies if it cannot be understood, or cannot be evaluated within its steps. */
  readonly failsClosed: boolean
  /** Whether a credential that expires may register, without a policy, one that lasts longer than itself. */
  readonly outlivesItself: boolean
  /** Whether a denial has an id of its own, which depends on who was denied. */
  readonly setsDenialsAside: boolean
  /** Whether no event is earlier than the event before it in its log. */
  readonly isTimeMonotonic: boolean
  /** Characters of a text that are compared in one step, as a power of two. */
  readonly textShift: number
  /** What it costs to ask once more with other approvers, in steps: to gather them, besides the evaluation itself. */
  readonly stepsPerQuestion: (approvers: number, credentials: number) => number
  /** What it costs to begin to look for the approvals that a user's vote could complete, in steps. */
  readonly stepsPerSearch: (users: number) => number
  /** What reading one character of a policy costs in each decision, in steps. */
  readonly stepsPerCharacter: number
  /** The steps of a decision on all policies; undefined where each expression has only its own bound. */
  readonly decisionSteps: number | undefined
  /** The steps of a decision for looking ahead, where they are not part of `decisionSteps`. */
  readonly lookaheadSteps: number
  /** The steps for finding out whether a user may vote. */
  readonly eligibilitySteps: number
}

const first: RulesVersion = {
  version: 1,
  countsDeletedCredentials: true,
  failsClosed: false,
  outlivesItself: true,
  setsDenialsAside: false,
  isTimeMonotonic: false,
  textShift: 8,
  stepsPerQuestion: (approvers) => 1 + approvers,
  stepsPerSearch: () => 0,
  stepsPerCharacter: 0,
  decisionSteps: undefined,
  lookaheadSteps: 5_000_000,
  eligibilitySteps: 5_000_000,
}

// A step takes 10 to 30 ns: a decision and the question who may vote take at most some 50 ms together.
const second: RulesVersion = {
  version: 2,
  countsDeletedCredentials: false,
  failsClosed: true,
  outlivesItself: false,
  setsDenialsAside: true,
  isTimeMonotonic: true,
  textShift: 4,
  stepsPerQuestion: (approvers, credentials) => 20 + 2 * approvers + 4 * credentials,
  stepsPerSearch: (users) => 100 + 20 * users,
  stepsPerCharacter: 4,
  decisionSteps: 1_000_000,
  lookaheadSteps: 0,
  eligibilitySteps: 1_500_000,
}

/** The rules by which decisions are taken today. */
export const currentRules: RulesVersion = second

/** The version of the rules and of the policy language: it is part of every decision's basis. */
export const RULES_VERSION = currentRules.version

/** The rules of a version; undefined for one that this code does not know. */
export const rulesOf = (version: number): RulesVersion | undefined =>
  [first, second].find((rules) => rules.version === version)
