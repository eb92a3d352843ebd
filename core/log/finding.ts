/** The codes of findings. Codes are API; messages are for people and may change. */
export type FindingCode =
  // The text
  /** A line is not in the form of an export: too long, not UTF-8, not JSON, not an event, or not in its one spelling. */
  | 'LINE_UNREADABLE'
  /** A line holds an event, or a version of one, that this version does not know. */
  | 'EVENT_UNKNOWN'
  /** There is no closing line, or the export could not be read up to it. */
  | 'CLOSING_MISSING'
  /** The closing line does not fit the lines before it. */
  | 'CLOSING_DIFFERS'
  /** There are bytes behind the closing line. */
  | 'CLOSING_NOT_LAST'
  // The chain
  /** An event does not have the next sequence of its organization's log. */
  | 'SEQUENCE_BROKEN'
  /** `previous` is not the hash of the line before. */
  | 'CHAIN_BROKEN'
  /** An event does not have the next revision of its activity. */
  | 'REVISION_BROKEN'
  /** Two events have one id. */
  | 'EVENT_ID_REPEATED'
  /** A part does not belong to the event before it, stands twice or in the wrong order, or has a name that it may not have. */
  | 'PART_MISPLACED'
  /** A part does not have the hash by which its event names it. */
  | 'PART_DIFFERS'
  /** A part is missing and no erasure of the same log names it; or more parts are erased than `erasedMax` allows. */
  | 'PART_ERASED'
  /** An erasure names a part that is still there, that never was, or that has no data of the erased user. */
  | 'ERASURE_DIFFERS'
  /** A snapshot beside the log has another state than the log gives. */
  | 'SNAPSHOT_DIFFERS'
  /** The log does not have the genesis or the head that the auditor gave. */
  | 'GENESIS_DIFFERS'
  | 'HEAD_DIFFERS'
  // The contents
  /** A log does not begin with a valid first activity of an organization. */
  | 'GENESIS_INVALID'
  /** An operation is not in the catalogue: the audit cannot repeat it, nor any later decision of the log. */
  | 'OPERATION_UNKNOWN'
  /** An event names a revision that is newer than this version of the code; or more events are believed than `believedMax` allows. */
  | 'REVISION_UNKNOWN'
  /** The stamped request has not the right form, or contradicts its event. */
  | 'REQUEST_DIFFERS'
  /** The stamp cannot be read, or its key did not belong to the user at that time. */
  | 'STAMP_INVALID'
  /** The request came from an address that the organization did not let in then. */
  | 'ADDRESS_REFUSED'
  /** The signature does not fit the body and the key. */
  | 'SIGNATURE_INVALID'
  /** A user voted without being allowed to, or twice. */
  | 'VOTE_INVALID'
  /** The basis of a decision does not fit the log. */
  | 'BASIS_DIFFERS'
  /** Too many events rest on the state of an organization that the transcript does not have. */
  | 'STATE_MISSING'
  /** Repeated by the audit, a decision gets another verdict. */
  | 'DECISION_DIFFERS'
  /** An event cannot follow those before it in its activity. */
  | 'STATUS_IMPOSSIBLE'
  /** Executed again, the activity gives another result, change or failure. */
  | 'EXECUTION_DIFFERS'
  /** The `verify` of an operation says that the value of its work is wrong. */
  | 'PERFORMED_DIFFERS'
  /** An instant is not written as events write it, or differs from the instant of the decision. */
  | 'TIME_DIFFERS'
  /** An operation threw, or the state could not be folded: the rest of this log could not be judged. */
  | 'AUDIT_IMPOSSIBLE'

/** Something in a log that does not hold, and its place. */
export type Finding = {
  readonly code: FindingCode
  readonly message: string
  /** The number of the line in the export, from 1. */
  readonly line: number
  /** Undefined if the line could not be read. */
  readonly organization: string | undefined
  readonly sequence: bigint | undefined
}

/** Called for each finding. */
export type Report = (finding: Finding) => void
