import type { Finding } from '../log/finding.ts'
import type { Limits } from '../operations/limits.ts'

/** A place in an organization's log, as one would write it down elsewhere: the sequence, and the hash of its line. */
export type LogHead = { readonly organization: string; readonly sequence: bigint; readonly hash: string }

/** Limits that were in force, as whoever runs the server knows them; those that are not named had their defaults. */
export type LimitsInForce = {
  readonly limits: Partial<Limits>
  /** From when; from the beginning unless told otherwise. */
  readonly fromMs?: number
  /** Until when; until today unless told otherwise. */
  readonly untilMs?: number
}

export type AuditOptions = {
  /**
   * The hash that an organization has to begin with, by organization id: what `init` printed. Without it the log may be
   * that of another organization which somebody made up, with keys of their own.
   */
  readonly pins?: ReadonlyMap<string, string>
  /**
   * Heads that are known from elsewhere, such as an earlier audit: the log has to lead through them. Without one, events
   * that are missing at its end cannot be noticed.
   */
  readonly heads?: readonly LogHead[]
  /**
   * The limits that were in force. A decision that was taken under any others is a finding, since whoever writes the log
   * can write other limits into it. Default: the default limits, at all times.
   */
  readonly limits?: readonly LimitsInForce[]
  /**
   * The oldest rules that decisions may have been taken by. Whoever writes a log from its beginning can name older rules,
   * unless a pin or a head says otherwise. Default: 1.
   */
  readonly rulesMin?: number
  /**
   * How many parts may have been erased: each beyond them is a finding. Any number unless told otherwise, because an audit
   * cannot tell who erased a part, and why.
   */
  readonly erasedMax?: number
  /** Signatures that are verified at once. Default: 256. */
  readonly inFlightMax?: number
  /** Findings that are kept; the others are counted. Default: 10,000. */
  readonly findingsMax?: number
  /** Told, now and then, how many lines were read. */
  readonly onProgress?: (lines: number) => void
}

export type AuditedOrganization = {
  readonly organization: string
  /** The hash of the line with which the organization had begun: what to pin. Undefined where the log has none. */
  readonly genesis: string | undefined
  /** Whether that was compared with a pin. */
  readonly isPinned: boolean
  /** Whether a line of its log was compared with a head that is known from elsewhere. */
  readonly isHeadCompared: boolean
  /** The last event, and its hash: what to keep elsewhere, for the next audit. */
  readonly sequence: bigint
  readonly hash: string
}

/** What an audit did. */
export type AuditCounts = {
  readonly lines: number
  readonly events: number
  readonly activities: number
  /** Stamps whose signature fits, by a key that was its user's then. */
  readonly stamps: number
  /** Decisions that came out the same again. */
  readonly decisions: number
  /** Those of them that were taken by older rules than today's. */
  readonly byOlderRules: number
  /** Decisions that a clock was used for which was behind its log: the age of their requests is only said. */
  readonly clockBehind: number
  /** Executions that gave the same again. */
  readonly executions: number
  /** Parts that are not there any more: nobody can verify those requests, and what was decided on them is taken on trust. */
  readonly erased: number
}

/** An event that is earlier than the one before it, in a log of the time when the engine let clocks go back. */
export type Setback = {
  readonly organization: string
  readonly sequence: bigint
  readonly line: number
  readonly backMs: number
}

export type AuditReport = {
  readonly counts: AuditCounts
  /** In the order in which they begin. */
  readonly organizations: readonly AuditedOrganization[]
  /** In the order of the lines. Empty: everything that can be found out from the log holds. */
  readonly findings: readonly Finding[]
  /** How many more findings there were. */
  readonly omitted: number
  /** How often the time of a log of older rules went back, and the first places. It is no finding: clocks did that. */
  readonly setbacks: { readonly count: number; readonly first: readonly Setback[] }
}
