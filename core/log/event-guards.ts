import type * as t from 'io-ts'
import {
  AttestedBy,
  Outcome,
  TimeZonesVersion,
  Verdict,
  type Basis,
  type Decision,
  type Evaluation,
  type ReadState,
} from './decision.ts'
import { isObject, isUuid } from '../codec/codec.ts'
import { hasKnownCode, type Failure } from '../failure.ts'
import type { dataCodecs, EventType, Line, Selection } from './event.ts'

/*
 * The checks of the events' codecs, written by hand: each guard accepts the same values as its codec's `is`, in a tenth of the time,
 * because they run for every line of a log. The codecs are the definition, and a test compares the guards with them.
 */

type Is<A> = (u: unknown) => u is A

const isText: Is<string> = (u) => typeof u === 'string'
const isNumber: Is<number> = (u) => typeof u === 'number'

const oneOf = <K extends string>(names: Readonly<Record<K, unknown>>): Is<K> => {
  const known: ReadonlySet<unknown> = new Set(Object.keys(names))
  return (u): u is K => known.has(u)
}

const isList = <A>(u: unknown, is: Is<A>): u is readonly A[] => {
  if (!Array.isArray(u)) return false
  for (const entry of u) if (!is(entry)) return false
  return true
}

const isRecord = <A>(u: unknown, is: Is<A>): u is { readonly [name: string]: A } => {
  if (!isObject(u)) return false
  for (const name of Object.keys(u)) if (!is(u[name])) return false
  return true
}

export const isOutcome = oneOf(Outcome.keys)
export const isVerdictOutcome = oneOf(Verdict.type.props.outcome.keys)
export const isRule = oneOf(Verdict.type.props.rule.keys)

const isEvaluation: Is<Evaluation> = (u): u is Evaluation => isObject(u) && isText(u.policyId) && isOutcome(u.outcome)

const isVerdict: Is<Verdict> = (u): u is Verdict =>
  isObject(u) && isVerdictOutcome(u.outcome) && isRule(u.rule) && isList(u.evaluations, isEvaluation)

const isRevision: Is<number> = (u): u is number => Number.isSafeInteger(u) && isNumber(u) && u >= 1

/** Checks `revision`, and `limits` and `read` if they are there. */
const hasActedBy = ({ revision, limits, read }: { readonly [member: string]: unknown }): boolean =>
  isRevision(revision) &&
  (limits === undefined || isRecord(limits, isNumber)) &&
  (read === undefined || isList(read, isReadState))

const isReadState: Is<ReadState> = (u): u is ReadState => isObject(u) && isText(u.organization) && isText(u.sequence)

const isBasis: Is<Basis> = (u): u is Basis =>
  isObject(u) &&
  isNumber(u.rules) &&
  isRevision(u.generation) &&
  Array.isArray(u.read) &&
  isText(u.at) &&
  isText(u.credential) &&
  isText(u.scheme) &&
  (u.address === undefined || u.address === null) &&
  isList(u.factors, isText) &&
  hasActedBy(u) &&
  (u.timeZones === undefined || TimeZonesVersion.is(u.timeZones)) &&
  (u.clock === undefined || isText(u.clock)) &&
  (u.attested === undefined || AttestedBy.is(u.attested))

const isDecision: Is<Decision> = (u): u is Decision => isObject(u) && isVerdict(u.verdict) && isBasis(u.basis)

const isFailure: Is<Failure> = (u): u is Failure =>
  isObject(u) &&
  isText(u.code) &&
  hasKnownCode({ code: u.code, like: u.like }) &&
  isText(u.message) &&
  (u.details === undefined || Array.isArray(u.details))

export const isSelection: Is<Selection> = (u): u is Selection =>
  u === 'VOTE_SELECTION_APPROVED' || u === 'VOTE_SELECTION_REJECTED'

type Data = { readonly [T in EventType]: t.TypeOf<(typeof dataCodecs)[T]> }

const hasSubjects = ({ subjects }: { readonly subjects?: unknown }): boolean =>
  subjects === undefined || isList(subjects, isText)

/** Guards for the values that `dataCodecs` accept, by the event's type. */
export const dataGuards: { readonly [T in EventType]: Is<Data[T]> } = {
  ActivityCreated: (u): u is Data['ActivityCreated'] =>
    isObject(u) &&
    isText(u.type) &&
    isText(u.requester) &&
    isText(u.fingerprint) &&
    isDecision(u.decision) &&
    hasSubjects(u) &&
    (u.leftOutBytes === undefined || isNumber(u.leftOutBytes)) &&
    (u.home === undefined || isText(u.home)),
  ActivityVoted: (u): u is Data['ActivityVoted'] =>
    isObject(u) && isText(u.user) && isSelection(u.selection) && isDecision(u.decision) && hasSubjects(u),
  ActivityStarted: (u): u is Data['ActivityStarted'] =>
    isObject(u) &&
    isNumber(u.attempt) &&
    isText(u.resumeAt) &&
    hasActedBy(u) &&
    (u.begins === undefined || u.begins === true),
  ActivityCompleted: (u): u is Data['ActivityCompleted'] =>
    isObject(u) && isText(u.type) && u.result !== undefined && u.change !== undefined && hasActedBy(u),
  ActivityFailed: (u): u is Data['ActivityFailed'] => isObject(u) && isFailure(u.failure) && hasActedBy(u),
}

/** A guard for the values that `Line` accepts. */
export const isLine: Is<Line> = (u): u is Line =>
  isObject(u) &&
  isText(u.organization) &&
  isText(u.sequence) &&
  isText(u.activity) &&
  isText(u.revision) &&
  isText(u.type) &&
  Object.hasOwn(dataGuards, u.type) &&
  isNumber(u.version) &&
  isText(u.id) &&
  isText(u.at) &&
  isText(u.previous) &&
  u.data !== undefined &&
  isRecord(u.parts, isText)

/**
 * Whether the ids of a line are UUIDs in lower case, as this engine writes them. Reports print these three ids as they are: a reader
 * could take an id that is a sentence for a sentence of the report.
 */
export const isNamedByUuids = ({
  organization,
  activity,
  id,
}: Pick<Line, 'organization' | 'activity' | 'id'>): boolean =>
  isLowerUuid(organization) && isLowerUuid(activity) && isLowerUuid(id)

const isLowerUuid = (text: string): boolean => isUuid(text) && text === text.toLowerCase()

const COUNTER_DIGITS = 19
/** Numbers with at most this many digits are exact, and making a bigint from a number takes half the time. */
const EXACT_DIGITS = 15
const ZERO = 0x30

/** A sequence or revision: digits without a leading zero, and nothing else; `undefined` for any other text. */
export const counterOf = (text: string): bigint | undefined => {
  const { length } = text
  if (length === 0 || length > COUNTER_DIGITS) return undefined
  let value = 0
  for (let i = 0; i < length; i += 1) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return undefined
    if (digit === 0 && i === 0) return undefined
    value = value * 10 + digit
  }
  return length <= EXACT_DIGITS ? BigInt(value) : BigInt(text)
}
