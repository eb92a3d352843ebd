import { readBy } from '../deciding/decider.ts'
import { noOthers, type Other, type Others } from '../deciding/others.ts'
import type { Operation } from '../definition/operation.ts'
import type { ReadState } from '../log/decision.ts'
import type { Event } from '../log/event.ts'
import type { Auditor, Where } from './audited-log.ts'
import { believe } from './check-revision.ts'
import { watched } from './erased-reads.ts'
import { isSame } from './same-json.ts'

/** Whether a text is a sequence as events write it. */
export const isCounter = (text: string): boolean => /^(?:0|[1-9][0-9]{0,18})$/.test(text)

/** The other organizations that an event says were read. */
export const readIn = ({ data }: Event): readonly ReadState[] =>
  'decision' in data ? data.decision.basis.read.slice(1) : (data.read ?? [])

/**
 * Finds the states of other organizations that were read for an event. Checks that its operation reads exactly these organizations, and
 * that the states are those right before the event. A transcript has the events of all organizations in the order in which they became
 * durable, so the states are there. If a state was superseded before the event, what it was read for is judged on the state at that place:
 * what counts is that it was right where it stands. If the transcript does not have an organization, the event is believed.
 *
 * @param form  the operation as it was; `undefined` where it is not known
 * @param home  the id of the parent, if its users decide on the activity
 * @returns `undefined` where what was read is not known
 */
export const checkOthers = (
  auditor: Auditor,
  where: Where,
  form: Operation | undefined,
  home: string | undefined,
): Others | undefined => {
  const { log, logged, decoded, complain } = where
  const all = readIn(logged.event)
  const ids = all.map(({ organization }) => organization)
  if (!isInOrder(ids) || ids.includes(log.organization) || !all.every(({ sequence }) => isCounter(sequence))) {
    complain('BASIS_DIFFERS', 'expected other organizations in the order of their ids, each once and with a sequence')
    return undefined
  }
  if (form !== undefined && decoded !== undefined && log.isStateKnown) {
    const { given: expected = [], hasRead } = watched(auditor.erasedReads, () =>
      readBy(form.reads(decoded.intent, log.draft), home),
    )
    if (!hasRead && !isSame(expected, ids)) {
      complain('BASIS_DIFFERS', `expected a decision on ${namesOf(expected)}; the event names ${namesOf(ids)}`)
      return undefined
    }
  }
  if (all.length === 0) return noOthers
  const absent = all.filter(({ organization, sequence }) => sequence !== '0' && !auditor.logs.has(organization))
  for (const { organization } of absent)
    if (!auditor.absent.has(organization)) auditor.absent.set(organization, complain)
  if (absent.length > 0 && form !== undefined)
    believe(auditor, where, 'STATE_MISSING', 'the state of an organization that is not in the transcript')
  const others = new Map<string, Other>()
  for (const read of all) {
    const other = otherThen(auditor, where, read)
    if (other !== undefined) others.set(read.organization, other)
  }
  return others.size === all.length ? others : undefined
}

const isInOrder = (ids: readonly string[]): boolean =>
  ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)

const namesOf = (ids: readonly string[]): string =>
  ids.length === 0 ? 'no other organization' : `${ids.length} other organization${ids.length === 1 ? '' : 's'}`

const otherThen = (auditor: Auditor, where: Where, { organization, sequence: said }: ReadState): Other | undefined => {
  const sequence = BigInt(said)
  const log = auditor.logs.get(organization)
  if (log === undefined) return sequence === 0n ? { state: undefined, sequence } : undefined
  if (!log.isStateKnown) return undefined
  if (sequence <= log.sequence && sequence > 0n) {
    // Events in between do not matter if they did not change the organization.
    if (sequence < log.changedAt) auditor.counts.readBehind += 1
    return { state: log.draft, sequence }
  }
  where.complain(
    'BASIS_DIFFERS',
    `the event was made on a state of another organization that is not there before it, that of sequence ${said}`,
  )
  return undefined
}

/** To be called at the first line of an organization: no event before it can have read a state of it. */
export const checkWasThere = ({ absent }: Auditor, organization: string): void => {
  absent.get(organization)?.(
    'BASIS_DIFFERS',
    'the event was made on the state of an organization that begins later in the transcript',
  )
  absent.delete(organization)
}
