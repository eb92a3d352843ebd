import * as t from 'io-ts'
import { refined } from '../codec/codec.ts'
import { SigningKey } from '../identity/signing-key.ts'

/** The outcome of one policy at one moment, in the words of the wire. */
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
  outcome: t.keyof({
    ALLOWED: null,
    CONSENSUS_NEEDED: null,
    AUTHENTICATORS_NEEDED: null,
    DENIED: null,
    REJECTED: null,
  }),
  rule: t.keyof({
    /** Enough members of the root quorum approve, so policies are not evaluated; or only the root quorum may allow the activity. */
    'root-quorum': null,
    /** A policy allows, denies, or could still allow. */
    policies: null,
    /** Users may manage their own credentials unless a policy denies it. */
    'own-credentials': null,
    /** A rejection. */
    vote: null,
    /** The first activity of an organization: it is stamped by a root key that it registers. */
    genesis: null,
    /** The first activity of an organization below another one: what allowed it stands in the log of its parent. */
    parent: null,
  }),
  /** The outcome of every policy, in order of creation; empty if no policy was evaluated. */
  evaluations: t.readonlyArray(Evaluation),
})
export type Verdict = t.TypeOf<typeof Verdict>

/** The revision of an operation. Its author raises it when decisions, results or changes get another outcome. */
export const Revision = refined(
  t.number,
  'a whole number from 1 on',
  (value) => Number.isSafeInteger(value) && value >= 1,
)

/** The version of the data of time zones: printable ASCII, because auditors see it. */
export const TimeZonesVersion = refined(t.string, 'a version of the data of time zones', (value) =>
  /^[!-~]{1,32}$/.test(value),
)

/** Limits that an operation read, by name, in the order of their names. */
export const ReadLimits = t.record(t.string, t.number)
export type ReadLimits = { readonly [name: string]: number }

/** An organization whose state was read, with the sequence of the last event that the state includes. */
export const ReadState = t.strict({ organization: t.string, sequence: t.string })
export type ReadState = t.TypeOf<typeof ReadState>

/** What a stamp that brought a token has proved: that its user receives what is sent to a contact, or is known to an identity provider. */
export const AttestedKind = t.keyof({ EMAIL_OTP: null, SMS_OTP: null, OAUTH: null })
export type AttestedKind = t.TypeOf<typeof AttestedKind>

/** Who vouches for the key of a stamp that no state has. */
export const AttestedBy = t.exact(
  t.intersection([
    t.type({
      kind: AttestedKind,
      /** The key that signed the token. */
      key: SigningKey,
    }),
    t.partial({
      /** The identity provider; left out for tokens of this deployment. */
      issuer: t.string,
    }),
  ]),
)
export type AttestedBy = t.TypeOf<typeof AttestedBy>

/** Everything that a decision depends on: with it and the log, an auditor repeats the decision. */
export const Basis = t.exact(
  t.intersection([
    t.type({
      /** The version of the rules and of the policy language. */
      rules: t.number,
      /** The generation of the catalogue: it rises with each revision of an operation, and never falls within a log. */
      generation: Revision,
      /** Each organization whose state was read: its own, then others in the order of their ids. */
      read: t.readonlyArray(ReadState),
      /** The time of the decision: the later of the clock's time and the time of the event before. */
      at: t.string,
      /** The id of the credential that stamped the request. */
      credential: t.string,
      /** The scheme of its signature. */
      scheme: t.string,
    }),
    t.partial({
      /**
       * Null if the request did not come over a network. Left out if the caller's address, as the adapter resolved it, stands in the part
       * `personal:<user id>` of the event.
       */
      address: t.null,
    }),
    t.type({
      /** The ids of the credentials that met steps of MFA policies, in their order; empty if no such policy counted. */
      factors: t.readonlyArray(t.string),
      /** The revision of the operation. */
      revision: Revision,
    }),
    t.partial({
      /** The limits that were read to accept a request which waits for approvals. */
      limits: ReadLimits,
      /**
       * The version of the data of time zones, such as `2025c`: only while a policy of the organization asks for a zone other than UTC.
       */
      timeZones: TimeZonesVersion,
      /** The clock's time, only if the clock was behind the log: then `at` is the time of the event before. */
      clock: t.string,
      /** Who vouches for the key, if the stamp brought a token: then `credential` is the id of the token, or of the user's provider. */
      attested: AttestedBy,
    }),
  ]),
)
export type Basis = t.TypeOf<typeof Basis>

export const Decision = t.strict({ verdict: Verdict, basis: Basis })
export type Decision = t.TypeOf<typeof Decision>
