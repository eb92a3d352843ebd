/**
 * The differences between versions of the rules. Every decision names its version, and an audit judges it by that version for ever. So a
 * released version never changes.
 */
export type RulesVersion = {
  readonly version: number
  /** Whether an approval still counts after the credential that stamped it was deleted. */
  readonly countsDeletedCredentials: boolean
  /** Whether a denying policy denies if it cannot be compiled, or cannot be evaluated within its steps. */
  readonly failsClosed: boolean
  /** Whether a credential that expires may register a credential with a longer life, without a policy. */
  readonly outlivesItself: boolean
  /** Whether a denial has an id of its own, which depends on the denied user. */
  readonly setsDenialsAside: boolean
  /** Whether no event is earlier than the event before it in its log. */
  readonly isTimeMonotonic: boolean
  /** How many characters of a text are compared in one step, as a power of two. */
  readonly textShift: number
  /** The steps for gathering the facts of one more evaluation with other approvers; the evaluation costs its own steps. */
  readonly stepsPerQuestion: (approvers: number, credentials: number) => number
  /** The steps for beginning a search of `isReachable` or `isPivotal`. */
  readonly stepsPerSearch: (users: number) => number
  /** The steps for reading one character of a policy in each decision. */
  readonly stepsPerCharacter: number
  /** The steps of a decision for all policies; undefined if each expression has only its own bound. */
  readonly decisionSteps: number | undefined
  /** The steps of a decision for looking ahead, if they are not part of `decisionSteps`. */
  readonly lookaheadSteps: number
  /** The steps for finding out whether users may vote. */
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

// A step takes 10 to 30 ns, so a decision and its search for voters take at most some 50 ms together.
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

/** The rules of new decisions. */
export const currentRules: RulesVersion = second

/** The version of the rules and of the policy language: it is part of every decision's basis. */
export const RULES_VERSION = currentRules.version

/** The rules of a version; undefined for one that this code does not know. */
export const rulesOf = (version: number): RulesVersion | undefined =>
  [first, second].find((rules) => rules.version === version)
