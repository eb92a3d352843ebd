/** What can be wrong with an exported log. Codes are API; messages are for people and may change. */
export type FindingCode =
  // The text
  /** A line is not in the form of an export: too long, not UTF-8, not JSON, not an event, or spelled in another way. */
  | 'LINE_UNREADABLE'
  /** A line holds an event, or a version of one, that this version does not know. */
  | 'EVENT_UNKNOWN'
  /** There is no closing line, or the export could not be read up to it. */
  | 'CLOSING_MISSING'
  /** The closing line does not fit what stands before it. */
  | 'CLOSING_DIFFERS'
  /** Something follows the closing line. */
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
  /** A part is not the one that the event before it names: foreign, doubled, misplaced or changed. */
  | 'PART_MISPLACED'
  | 'PART_DIFFERS'
  /** A part was erased, and more were than may have been. */
  | 'PART_ERASED'
  /** The log is not the one whose genesis or head is known from elsewhere. */
  | 'GENESIS_DIFFERS'
  | 'HEAD_DIFFERS'
  // The contents
  /** A log does not begin as an organization begins. */
  | 'GENESIS_INVALID'
  /** An operation is not in the catalogue: what it does cannot be repeated, nor what was decided after it. */
  | 'OPERATION_UNKNOWN'
  /** The stamped request is not in its form, or does not say what the event says. */
  | 'REQUEST_DIFFERS'
  /** The stamp cannot be read, or its key was not the user's then. */
  | 'STAMP_INVALID'
  /** The signature does not fit the body and the key. */
  | 'SIGNATURE_INVALID'
  /** A user voted who could not, or twice. */
  | 'VOTE_INVALID'
  /** The basis of a decision does not fit the log. */
  | 'BASIS_DIFFERS'
  /** Taken again, a decision comes out otherwise. */
  | 'DECISION_DIFFERS'
  /** An event cannot follow those before it in its activity. */
  | 'STATUS_IMPOSSIBLE'
  /** Executed again, the activity gives another result, change or failure. */
  | 'EXECUTION_DIFFERS'
  /** An instant is not written as events write it, or is another one than the decision's. */
  | 'TIME_DIFFERS'
  /** An operation threw, or the state could not be folded: the rest of this log could not be judged. */
  | 'AUDIT_IMPOSSIBLE'

/** Something that does not fit, and where. */
export type Finding = {
  readonly code: FindingCode
  readonly message: string
  /** In the export, from 1. */
  readonly line: number
  /** Undefined where the line did not say. */
  readonly organization: string | undefined
  readonly sequence: bigint | undefined
}

/** Told of each finding as it is made. */
export type Report = (finding: Finding) => void
