import * as t from 'io-ts'

/** What the rules said of one policy at one moment, in the words of the wire. */
export const Outcome = t.keyof({
  OUTCOME_ALLOW: null,
  OUTCOME_DENY_EXPLICIT: null,
  OUTCOME_DENY_IMPLICIT: null,
  OUTCOME_REQUIRES_CONSENSUS: null,
  OUTCOME_REJECTED: null,
  OUTCOME_ERROR: null,
  OUTCOME_REQUIRES_AUTHENTICATORS: null,
  OUTCOME_TIME_INACTIVE: null,
})
export type Outcome = t.TypeOf<typeof Outcome>

export const Evaluation = t.strict({ policyId: t.string, outcome: Outcome })
export type Evaluation = t.TypeOf<typeof Evaluation>

/** The outcome of the consensus rules. `rule` says which of them decided. */
export const Verdict = t.strict({
  outcome: t.keyof({ ALLOWED: null, CONSENSUS_NEEDED: null, DENIED: null, REJECTED: null }),
  rule: t.keyof({
    /** Enough members of the root quorum approve; policies are not asked. */
    'root-quorum': null,
    /** A policy allows, denies, or could still allow. */
    policies: null,
    /** Users manage their own credentials unless a policy says otherwise. */
    'own-credentials': null,
    /** A vote against. */
    vote: null,
    /** The activity by which an organization begins: its root key vouches for itself. */
    genesis: null,
  }),
  /** Every policy that was asked, in order of creation; empty where the root quorum decided. */
  evaluations: t.readonlyArray(Evaluation),
})
export type Verdict = t.TypeOf<typeof Verdict>

/** All that a decision was made on: with it and the log, an auditor takes the decision again. */
export const Basis = t.exact(
  t.intersection([
    t.type({
      /** The version of the rules and of the policy language. */
      rules: t.number,
      /** Each organization whose state was read, with the sequence of the last event that the state includes. */
      read: t.readonlyArray(t.strict({ organization: t.string, sequence: t.string })),
      /** The one clock reading that the decision used. */
      at: t.string,
      /** The credential that stamped the request: the id of an API key. */
      credential: t.string,
      /** The scheme of its signature. */
      scheme: t.string,
      /** Where the request came from, as the adapter resolved it; null where there is no network between. */
      address: t.union([t.string, t.null]),
      /** Second factors that were counted. */
      factors: t.readonlyArray(t.string),
    }),
    t.partial({
      /** Limits on the number of resources that were not the default. */
      limits: t.record(t.string, t.number),
      /** What the clock said, where it was behind the log: `at` is then the time of the event before. */
      clock: t.string,
    }),
  ]),
)
export type Basis = t.TypeOf<typeof Basis>

export const Decision = t.strict({ verdict: Verdict, basis: Basis })
export type Decision = t.TypeOf<typeof Decision>
