import type * as t from 'io-ts'
import { Outcome, Verdict, type Basis, type Decision, type Evaluation } from '../activity/decision.ts'
import { isUuid } from '../codec.ts'
import { FailureCode, type Failure } from '../failure.ts'
import type { dataCodecs, EventType, Line, Selection } from './event.ts'

/*
 * The codecs of events once more, by hand: each guard accepts what its codec's `is` accepts, at a tenth of the time.
 * Whoever reads a log asks this of every line. The codecs remain the definition, and a test holds the guards to them.
 */

type Members = { readonly [name: string]: unknown }
type Is<A> = (u: unknown) => u is A

const isObject: Is<Members> = (u): u is Members => typeof u === 'object' && u !== null && !Array.isArray(u)
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
const isFailureCode = oneOf(FailureCode.keys)

const isEvaluation: Is<Evaluation> = (u): u is Evaluation => isObject(u) && isText(u.policyId) && isOutcome(u.outcome)

const isVerdict: Is<Verdict> = (u): u is Verdict =>
  isObject(u) && isVerdictOutcome(u.outcome) && isRule(u.rule) && isList(u.evaluations, isEvaluation)

type ReadOrganization = Basis['read'][number]
const isReadOrganization: Is<ReadOrganization> = (u): u is ReadOrganization =>
  isObject(u) && isText(u.organization) && isText(u.sequence)

const isBasis: Is<Basis> = (u): u is Basis =>
  isObject(u) &&
  isNumber(u.rules) &&
  isList(u.read, isReadOrganization) &&
  isText(u.at) &&
  isText(u.credential) &&
  isText(u.scheme) &&
  (u.address === null || isText(u.address)) &&
  isList(u.factors, isText) &&
  (u.limits === undefined || isRecord(u.limits, isNumber)) &&
  (u.clock === undefined || isText(u.clock))

const isDecision: Is<Decision> = (u): u is Decision => isObject(u) && isVerdict(u.verdict) && isBasis(u.basis)

const isFailure: Is<Failure> = (u): u is Failure =>
  isObject(u) && isFailureCode(u.code) && isText(u.message) && (u.details === undefined || Array.isArray(u.details))

export const isSelection: Is<Selection> = (u): u is Selection =>
  u === 'VOTE_SELECTION_APPROVED' || u === 'VOTE_SELECTION_REJECTED'

type Data = { readonly [T in EventType]: t.TypeOf<(typeof dataCodecs)[T]> }

/** What `dataCodecs` accept, by the event's type. */
export const dataGuards: { readonly [T in EventType]: Is<Data[T]> } = {
  ActivityCreated: (u): u is Data['ActivityCreated'] =>
    isObject(u) && isText(u.type) && isText(u.requester) && isText(u.fingerprint) && isDecision(u.decision),
  ActivityVoted: (u): u is Data['ActivityVoted'] =>
    isObject(u) && isText(u.user) && isSelection(u.selection) && isDecision(u.decision),
  ActivityStarted: (u): u is Data['ActivityStarted'] => isObject(u) && isNumber(u.attempt) && isText(u.resumeAt),
  ActivityCompleted: (u): u is Data['ActivityCompleted'] =>
    isObject(u) && isText(u.type) && u.result !== undefined && u.change !== undefined,
  ActivityFailed: (u): u is Data['ActivityFailed'] => isObject(u) && isFailure(u.failure),
}

/** What `Line` accepts. */
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
 * Whether a line is named as this engine names its events: by UUIDs in lower case. Reports print these three as they are, and
 * an id that is a sentence would be read as one of the report's own.
 */
export const isNamedByUuids = ({
  organization,
  activity,
  id,
}: Pick<Line, 'organization' | 'activity' | 'id'>): boolean =>
  isLowerUuid(organization) && isLowerUuid(activity) && isLowerUuid(id)

const isLowerUuid = (text: string): boolean => isUuid(text) && text === text.toLowerCase()

const COUNTER_DIGITS = 19
/** So many digits are always exact as a number, from which a bigint is made in half the time. */
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
