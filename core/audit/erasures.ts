import { ERASE_USER_TYPE, type ErasedRequests } from '../activity/erasure.ts'
import { decode } from '../codec/codec.ts'
import type { Operation } from '../definition/operation.ts'
import type { EventOf } from '../log/event.ts'
import { REQUEST } from '../log/parts.ts'
import { personalPart, personOf } from '../log/personal-part.ts'
import { E } from '../prelude.ts'
import { ErasureChange, type Head } from '../resources/erasure/erasing.ts'
import { readRanges, type Range } from '../resources/erasure/sequences.ts'
import type { AuditedActivity, Where } from './audited-log.ts'
import { makerOf } from './check-parts.ts'
import { own } from './own.ts'
import type { ErasedUser } from './report.ts'

/** A part that an event names and that is not there. */
export type Missing = {
  readonly sequence: bigint
  readonly line: number
  readonly name: string
  readonly activity: string
  /** The user who made the request, if the part is one. */
  readonly maker: string | undefined
  /** The users whose data it has. */
  readonly persons: readonly string[]
  /**
   * The last event that is believed because the part is missing: its own, or what completed the activity. Whoever asked for an erasure has
   * to have stamped all that.
   */
  restsTo: bigint
  /** The start of the effects of its activity. */
  startedAt?: bigint
  /** The erasures that name it. */
  readonly namedBy: Erasure[]
}

/** An erasure that was allowed and started. */
export type Erasure = {
  readonly activity: string
  readonly line: number
  readonly requester: string
  readonly approvers: readonly string[]
  readonly requests: ErasedRequests
  /**
   * The sequence of the head that its request names; 0 if the log does not have that head, undefined if the request is missing.
   */
  headTo: bigint | undefined
  userId: string | undefined
  state: ErasedUser['state']
  at: string
  /** The sequence of its end; undefined while it has none. */
  endedAt: bigint | undefined
  /** How many missing parts it names, or explains. */
  parts: number
  /** Whether its decision can be believed: its own requests are there, or were erased by another one that can be believed. */
  isShown: boolean
}

/** What is missing in a log, and the erasures in it. Its size is in proportion to the missing parts and the erasures. */
export type Erasures = {
  /** By name, each in the order of the log. */
  readonly missing: Map<string, Missing[]>
  /** By activity: the missing requests of those that are not over. */
  readonly gone: Map<string, Missing>
  /** By activity. */
  readonly begun: Map<string, Erasure>
  /** The missing requests of erasures themselves, by activity. */
  readonly ownRequests: Map<string, Missing[]>
}

export const noErasures = (): Erasures => ({
  missing: new Map(),
  gone: new Map(),
  begun: new Map(),
  ownRequests: new Map(),
})

/** Whether personal data of a user is missing so far. */
export const isErasedPerson = ({ missing }: Erasures, userId: string): boolean => missing.has(personalPart(userId))

/**
 * Remembers the missing parts of an event, and whose data they had.
 *
 * @param live  the activity before the event
 */
export const noteMissing = (
  { log, logged: { event, erased, line } }: Where,
  live: AuditedActivity | undefined,
): void => {
  const { missing, gone, ownRequests } = log.erasures
  const maker = makerOf(event)
  const type = event.type === 'ActivityCreated' ? event.data.type : live?.activity.type
  for (const name of erased) {
    const isRequest = name === REQUEST && maker !== undefined
    const person = personOf(name)
    const parts = missing.get(name) ?? []
    missing.set(own(name), parts)
    const part: Missing = {
      sequence: event.sequence,
      line,
      name: own(name),
      activity: own(event.activity),
      maker: isRequest ? own(maker) : undefined,
      persons: isRequest ? personsOf(event) : person === undefined ? [] : [own(person)],
      restsTo: event.sequence,
      namedBy: [],
    }
    parts.push(part)
    if (isRequest && event.type === 'ActivityCreated') gone.set(part.activity, part)
    if (isRequest && type === ERASE_USER_TYPE)
      ownRequests.set(part.activity, [...(ownRequests.get(part.activity) ?? []), part])
  }
}

const personsOf = ({ data }: Where['logged']['event']): readonly string[] =>
  ('subjects' in data ? (data.subjects ?? []) : []).map(own)

/** To be called at the end of an activity: its completion is believed if its request is missing; if it was started, its start is. */
export const noteConcluded = (
  { log: { erasures } }: Where,
  { type, activity, sequence }: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>,
): void => {
  const request = erasures.gone.get(activity)
  if (request !== undefined && type === 'ActivityCompleted') request.restsTo = request.startedAt ?? sequence
  erasures.gone.delete(activity)
}

/** To be called when effects are started: remembers an erasure that was allowed. */
export const noteStarted = (
  { log, logged: { event, line }, decoded }: Where,
  { activity: { activityId, type, status, requester, votes, votesBeforeWindow } }: AuditedActivity,
  form: Operation | undefined,
): void => {
  const { begun, gone } = log.erasures
  const request = gone.get(activityId)
  if (request !== undefined) request.startedAt ??= event.sequence
  if (type !== ERASE_USER_TYPE || status !== 'ACTIVITY_STATUS_PENDING' || begun.has(activityId)) return
  const { user_id: userId, requests } = (decoded && form?.params(decoded.intent)) ?? {}
  const { head } = (decoded?.echo ?? {}) as { readonly head?: Head } // its codec has read it
  const inWindow = votes.slice(votesBeforeWindow)
  const approving = inWindow
    .filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
    .map(({ userId: id }) => id)
  begun.set(activityId, {
    activity: activityId,
    line,
    requester,
    approvers: [...new Set(approving)].filter((id) => id !== requester),
    requests: requests === 'MADE' ? 'MADE' : 'NAMING',
    headTo: decoded === undefined ? undefined : headIn(log, head),
    userId: typeof userId === 'string' ? own(userId) : undefined,
    state: 'started',
    at: own(event.at),
    endedAt: undefined,
    parts: 0,
    isShown: false,
  })
}

/** The sequence of a head that the log has; 0 where it has another line there, or none. */
const headIn = ({ hashes, hasGap, isStateKnown }: Where['log'], head: Head | undefined): bigint => {
  if (head === undefined) return 0n
  const sequence = BigInt(head.sequence)
  if (hasGap || !isStateKnown) return sequence // which is a finding already
  return hashes?.at(sequence) === head.hash ? sequence : 0n
}

const readChange = decode(ErasureChange, 'change')

/** Checks the list of an erasure that has ended: every part in it is missing, and had data of the user. */
export const noteEnded = (where: Where, event: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>): void => {
  const { log, complain } = where
  const erasure = log.erasures.begun.get(event.activity)
  if (erasure === undefined || erasure.endedAt !== undefined) return
  erasure.endedAt = event.sequence
  erasure.at = own(event.at)
  if (event.type === 'ActivityFailed') return void (erasure.state = 'failed')
  erasure.state = 'completed'
  const change = readChange(event.data.change)
  if (E.isLeft(change)) return complain('ERASURE_DIFFERS', 'the list of the erasure cannot be read')
  const { userId, requests, erased } = change.right
  erasure.userId = own(userId)
  const ended: Erasure = { ...erasure, userId, requests }
  if (erasure.headTo === 0n) complain('ERASURE_DIFFERS', 'the erasure names a head that the log does not have')
  for (const [index, { name, sequences }] of erased.entries()) {
    const ranges = readRanges(sequences)
    const isOnce = erased.findIndex((one) => one.name === name) === index
    const isOfUser = name === REQUEST || name === personalPart(userId)
    if (ranges === undefined || !isOnce || !isOfUser) {
      complain('ERASURE_DIFFERS', `the erasure names parts that it cannot erase, entry ${index + 1}`)
      if (!isOfUser) return // the list is made up: its length must not cost time
      continue
    }
    const { found, isOfOthers } = take(log.erasures.missing.get(name) ?? [], ranges, ended)
    for (const missing of found) missing.namedBy.push(erasure)
    erasure.parts += found.length
    if (log.hasGap) continue // it may name parts of events that are not here
    if (isOfOthers) complain('ERASURE_DIFFERS', `the erasure names ${name} of events with no data of the user`)
    if (BigInt(found.length) !== lengthOf(ranges) && !isOfOthers)
      complain('ERASURE_DIFFERS', `the erasure names ${name} of events where it is still there, or never was`)
  }
}

/** The missing parts in the ranges that had data of the user. It takes time in proportion to the missing parts, not to the ranges. */
const take = (
  all: readonly Missing[],
  ranges: readonly Range[],
  erasure: Erasure,
): { readonly found: readonly Missing[]; readonly isOfOthers: boolean } => {
  const found: Missing[] = []
  let isOfOthers = false
  let at = 0
  for (const missing of all) {
    while ((ranges[at]?.to ?? missing.sequence) < missing.sequence) at += 1
    const range = ranges[at]
    if (range === undefined) break
    if (missing.sequence < range.from) continue
    if (isOf(missing, erasure)) found.push(missing)
    else isOfOthers = true
  }
  return { found, isOfOthers }
}

const lengthOf = (ranges: readonly Range[]): bigint => ranges.reduce((sum, { from, to }) => sum + to - from + 1n, 0n)

/** Whether the erasure erases this part. No erasure erases its own requests. */
const isOf = ({ name, activity, maker, persons }: Missing, erasure: Erasure): boolean =>
  erasure.userId !== undefined &&
  activity !== erasure.activity &&
  (persons.includes(erasure.userId) || (name === REQUEST && erasure.requests === 'MADE' && maker === erasure.userId))

/** Whether an erasure explains a part that it names: whoever asked for it has stamped all that rests on the part. */
const explains = ({ name, restsTo }: Missing, { isShown, headTo = 0n }: Erasure): boolean =>
  isShown && (name !== REQUEST || restsTo <= headTo)

/**
 * To be called at the end of a log: finds the missing parts that no erasure explains. An erasure that has not ended explains whatever it
 * would have erased, so that a crash accuses nobody.
 *
 * @returns the missing parts without an erasure, and the erasures, in the order in which they began
 */
export const explained = (
  erasures: Erasures,
): { readonly unexplained: readonly Missing[]; readonly all: readonly Erasure[] } => {
  const all = [...erasures.begun.values()]
  const open = new Map<string, Erasure[]>()
  for (const erasure of all)
    if (erasure.state !== 'completed' && erasure.userId !== undefined)
      open.set(erasure.userId, [...(open.get(erasure.userId) ?? []), erasure])
  const missing = [...erasures.missing.values()].flat()
  for (const part of open.size === 0 ? [] : missing)
    for (const userId of new Set([...part.persons, part.maker ?? '']))
      for (const erasure of open.get(userId) ?? []) {
        if (!isOf(part, erasure) || part.sequence >= (erasure.endedAt ?? Infinity)) continue
        part.namedBy.push(erasure)
        erasure.parts += 1
      }
  showErasures(all, erasures.ownRequests)
  const isExplained = (part: Missing): boolean => part.namedBy.some((erasure) => explains(part, erasure))
  return { unexplained: missing.filter((part) => !isExplained(part)), all }
}

/**
 * Finds out which erasures can be believed. Two made-up ones must not erase the requests of each other, for nobody could check
 * either of them. An erasure whose request was erased had its head before its start, so before the head of the one that erased it.
 */
const showErasures = (all: readonly Erasure[], own: ReadonlyMap<string, readonly Missing[]>): void => {
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false
    for (const erasure of all) {
      const parts = own.get(erasure.activity) ?? []
      if (erasure.isShown || !parts.every((part) => part.namedBy.some((one) => explains(part, one)))) continue
      erasure.isShown = hasChanged = true
      const heads = parts.flatMap(({ namedBy }) => namedBy.map(({ isShown, headTo = 0n }) => (isShown ? headTo : 0n)))
      erasure.headTo ??= heads.reduce((most, one) => (one > most ? one : most), 0n)
    }
  }
}
