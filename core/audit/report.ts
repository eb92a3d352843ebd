import type { Finding } from '../log/finding.ts'
import type { Limits } from '../definition/limits.ts'

/** A place in an organization's log, to be kept elsewhere: the sequence, and the hash of its line. */
export type LogHead = { readonly organization: string; readonly sequence: bigint; readonly hash: string }

/** Limits that were in force on the server. Missing limits had their defaults. */
export type LimitsInForce = {
  readonly limits: Limits
  /** From when, in milliseconds. Default: from the beginning. */
  readonly fromMs?: number
  /** Until when, in milliseconds. Default: until today. */
  readonly untilMs?: number
}

export type AuditOptions = {
  /**
   * The genesis hash of each organization that is known, by organization id; `init` prints it. Without it, somebody may have made up the
   * whole organization, with keys of their own.
   */
  readonly pins?: ReadonlyMap<string, string>
  /**
   * Heads that are known from elsewhere, such as an earlier audit: the log has to lead through them. Without a head, the audit cannot notice
   * that events are missing at the end.
   */
  readonly heads?: readonly LogHead[]
  /**
   * The limits that were in force. An event that read other limits is a finding, because a forger of a log can write other limits into it.
   * Default: the present or earlier default limits, at all times.
   */
  readonly limits?: readonly LimitsInForce[] | undefined
  /**
   * The oldest version of the rules that decisions may have. Without a pin or a head, a forger who writes a log from its beginning can name
   * older rules. Default: 1.
   */
  readonly rulesMin?: number | undefined
  /**
   * How far a decision's clock may be behind the log, in milliseconds; further is a finding. An engine refuses commands then, unless its operator
   * let it go on. Default: 300,000.
   */
  readonly clockLagMaxMs?: number | undefined
  /**
   * How many parts may be erased. Each further erased part is a finding. Default: any number, if erasures in the log name them.
   */
  readonly erasedMax?: number | undefined
  /**
   * How many events may rest on a revision of their operation that this version does not have any more, on an organization that the
   * transcript does not have, or on what the audit was not given, such as the keys that sign verification tokens. Each further such event is a
   * finding. Default: any number.
   */
  readonly believedMax?: number | undefined
  /** How many signatures are verified at once. Default: 256. */
  readonly inFlightMax?: number
  /** How many findings are kept; the others are only counted. Default: 10,000. */
  readonly findingsMax?: number
  /** Called from time to time with the number of lines that were read. */
  readonly onProgress?: (lines: number) => void
}

export type AuditedOrganization = {
  readonly organization: string
  /** The hash of the line that completed the organization's creation, to be pinned. Undefined if the log has none. */
  readonly genesis: string | undefined
  /** Whether `genesis` was compared with a pin; for an organization below another one, also with the log of a pinned parent. */
  readonly isPinned: boolean
  /** Whether a line of its log was compared with a head that is known from elsewhere. */
  readonly isHeadCompared: boolean
  /** The sequence and the hash of the last event. Keep them elsewhere, as a head for the next audit. */
  readonly sequence: bigint
  readonly hash: string
}

/** The numbers of an audit. */
export type AuditCounts = {
  readonly lines: number
  readonly events: number
  readonly activities: number
  /** Stamps whose signature fits, by a key that was its user's then. */
  readonly stamps: number
  /** Decisions that got the same verdict again. */
  readonly decisions: number
  /** The number of these decisions that used older rules than the present ones. */
  readonly byOlderRules: number
  /** Decisions whose clock was behind the log. The audit takes the age of their requests on trust. */
  readonly clockBehind: number
  /** Executions that gave the same result and change again. */
  readonly executions: number
  /** The number of these executions with erased parts. The content of those parts is taken on trust. */
  readonly executionsInPart: number
  /**
   * Requests that were denied, and that the log has left out because they are large. Nobody can verify their stamps and decisions any more.
   */
  readonly leftOut: number
  /** Erased parts. What rests on them is counted apart, and is no finding. */
  readonly erased: number
  /** Stamps that nobody can verify, because the request is erased. */
  readonly stampsErased: number
  /** Decisions that cannot be repeated: the request is erased, or the rules read a personal member that is erased. */
  readonly decisionsErased: number
  /** Executions that cannot be repeated, for the same reasons. */
  readonly executionsErased: number
  /**
   * Reads of another organization's state that an event had superseded before the event was durable. What was read was judged on the state at
   * that place, and came out the same. Stores that check other logs with an append have none.
   */
  readonly readBehind: number
  /** Identity tokens whose signature fits a key that the log names. That it is a key of the provider is taken on trust. */
  readonly providerKeys: number
  /**
   * Events that rest on a revision of their operation that this version does not have any more, on an organization that the
   * transcript does not have, or on what the audit was not given. They are taken on trust.
   */
  readonly believed: number
}

/** An activity that erased the personal data of a user, or has begun to. */
export type ErasedUser = {
  readonly organization: string
  readonly activity: string
  /** Undefined if nothing says it any more: the erasure has not been completed, and its own request is erased. */
  readonly userId: string | undefined
  /** `failed`: the work was given up; some parts may be erased. */
  readonly state: 'started' | 'completed' | 'failed'
  /** The time of its end, or of its first start if it has not ended. */
  readonly at: string
  readonly requester: string
  /** The other users who approved it. */
  readonly approvers: readonly string[]
  /** How many of the parts that it names are erased; if it has not been completed, how many it explains. */
  readonly parts: number
}

export type AuditReport = {
  readonly counts: AuditCounts
  /** In the order in which they begin. */
  readonly organizations: readonly AuditedOrganization[]
  /** In the order of the lines. If it is empty, everything that the audit can check holds. */
  readonly findings: readonly Finding[]
  /** How many more findings there were. */
  readonly omitted: number
  /** The erasures, and the first hundred of them in the order in which they began. */
  readonly erasures: { readonly count: number; readonly first: readonly ErasedUser[] }
}
