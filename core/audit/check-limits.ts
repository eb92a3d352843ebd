import { oncePer } from '../collections/once-per.ts'
import { defaultsOf } from '../definition/catalogue.ts'
import type { Limits } from '../definition/limits.ts'
import type { ReadLimits } from '../log/decision.ts'
import { millis, type Event } from '../log/event.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { isSame } from './same-json.ts'

/** The limits that an event says were read for it. */
export const limitsIn = ({ data }: Event): ReadLimits | undefined =>
  'decision' in data ? data.decision.basis.limits : data.limits

/** The limits with which an operation is executed again: those that the event names. */
export const limitsOfThen = ({ catalogue }: Auditor, event: Event, { activity }: AuditedActivity): Limits => ({
  ...defaults(catalogue),
  ...activity.limits,
  ...limitsIn(event),
})

const defaults = oncePer(defaultsOf)

/** Whether the operation read what the event says that it read. */
export const hasReadAsSaid = (event: Event, read: ReadLimits | undefined): boolean => isSame(limitsIn(event), read)

/**
 * Checks that the limits which an event names were in force. A limit that was read when effects outside were started keeps its
 * value until their conclusion.
 *
 * @param live  the activity before the event; `undefined` for its first event
 * @param isBelieved  whether this version does not have that revision of the operation any more: its limits may be gone, too
 */
export const checkLimits = (
  auditor: Auditor,
  where: Where,
  live: AuditedActivity | undefined,
  isBelieved: boolean,
): void => {
  const { complain, logged } = where
  const { event } = logged
  const all = limitsIn(event) ?? {}
  const names = Object.keys(all)
  if (names.join() !== names.toSorted().join())
    complain('BASIS_DIFFERS', 'expected the limits in the order of their names')
  if (!isBelieved && names.some((name) => !auditor.catalogue.limits.has(name)))
    return complain('BASIS_DIFFERS', 'the event names a limit that this version does not know')
  const fixed = live === undefined || live.activity.attempt === 0 ? NONE : (live.activity.limits ?? NONE)
  const changed = names.find((name) => Object.hasOwn(fixed, name) && fixed[name] !== all[name])
  if (changed !== undefined)
    complain('BASIS_DIFFERS', `the limit ${changed} is another one than when the effects were started`)
  const read = names.filter((name) => auditor.catalogue.limits.has(name) && !Object.hasOwn(fixed, name))
  // The events of a commit have one time. Whether any limits are known for it was checked with the decision.
  const isAlone = 'decision' in event.data || (live?.activity.attempt ?? 0) > 0
  checkInForce(auditor, where, isAlone, (told) =>
    read
      .filter((name) => !isAccepted(auditor, told, name, all[name]))
      .map((name) => {
        const expected = Object.hasOwn(told, name) ? told[name] : auditor.catalogue.limits.get(name)?.default
        return `${name} ${all[name]} instead of ${expected}`
      }),
  )
}

const NONE: ReadLimits = {}

/** Whether a limit was in force: the value that the auditor knows, or otherwise the present or an earlier default. */
const isAccepted = ({ catalogue }: Auditor, told: ReadLimits, name: string, value: number | undefined): boolean => {
  if (Object.hasOwn(told, name)) return told[name] === value
  const known = catalogue.limits.get(name)
  return value !== undefined && [known?.default, ...(known?.earlier ?? [])].includes(value)
}

/**
 * Compares the limits of an event with those that the auditor was told for its time.
 *
 * @param isAsked  whether it is a finding that none is known for that time
 * @param differences  from limits that were in force
 */
const checkInForce = (
  { limits: known }: Auditor,
  { complain, logged }: Where,
  isAsked: boolean,
  differences: (told: ReadLimits) => readonly string[],
): void => {
  const atMs = millis(logged.event.at)
  const then = known.filter(({ fromMs = -Infinity, untilMs = Infinity }) => atMs >= fromMs && atMs <= untilMs)
  const found = then.map(({ limits }) => differences(limits))
  if (found.some((one) => one.length === 0) || (found.length === 0 && !isAsked)) return
  const what = found[0]?.join(', ') ?? 'none is known for that time'
  complain('BASIS_DIFFERS', `the decision was made under other limits than those that were in force: ${what}`)
}
