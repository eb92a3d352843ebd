import type { Activity } from '../activity/activity.ts'
import { ERASE_USER_TYPE } from '../activity/erasure.ts'
import type { Basis } from '../log/decision.ts'
import { millis } from '../log/event.ts'
import { hasEnded } from '../organization/ended.ts'
import type { Organization } from '../organization/state.ts'
import { rulesOf, type RulesVersion } from '../policy/rules.ts'
import { asksTimeZones } from '../policy/time-clause.ts'
import type { Auditor, Where } from './audited-log.ts'
import { isCounter } from './check-read.ts'
import { isInstant } from './check-time.ts'
import { deciderIn } from './decider-in.ts'

/**
 * Checks the basis of a decision against the log.
 *
 * @param activity  the activity that was decided on; without it, the first one of a log
 * @returns the rules with which the audit can repeat the decision; undefined if it cannot repeat it
 */
export const checkBasis = (
  auditor: Auditor,
  where: Where,
  basis: Basis,
  activity?: Pick<Activity, 'type' | 'home'>,
): RulesVersion | undefined => {
  const { log, logged, complain } = where
  const rules = checkRules(auditor, where, basis)
  if (basis.at !== logged.event.at) complain('TIME_DIFFERS', 'the decision used another time than that of its event')
  checkClock(auditor, where, basis)
  const isErasureBelow = activity?.home !== undefined && activity.type === ERASE_USER_TYPE
  if (log.isStateKnown && hasEnded(log.draft) && !isErasureBelow)
    complain('STATUS_IMPOSSIBLE', 'expected no decision any more: the organization had ended')
  const isReadRight = checkRead(where, basis)
  const decider = deciderIn(where, activity?.home)
  if (isReadRight && decider !== undefined) checkTimeZones(auditor, where, basis, decider)
  if (rules !== undefined) log.rules = rules
  return isReadRight ? rules : undefined
}

const checkRules = (
  { rules: all, rulesMin }: Auditor,
  { log, complain }: Where,
  basis: Basis,
): RulesVersion | undefined => {
  const rules = rulesOf(basis.rules, all)
  if (rules === undefined) {
    const known = `this version knows those up to ${all.at(-1)?.version}`
    complain('BASIS_DIFFERS', `the decision was made by version ${basis.rules} of the rules; ${known}`)
    return undefined
  }
  if (log.rules !== undefined && rules.version < log.rules.version) {
    const before = `an earlier decision in this log was made by version ${log.rules.version}`
    complain('BASIS_DIFFERS', `the decision was made by version ${rules.version} of the rules; ${before}`)
  }
  if (rules.version < rulesMin)
    complain('BASIS_DIFFERS', `the decision was made by version ${rules.version} of the rules; expected ${rulesMin}`)
  return rules
}

/** Checks the clock reading of a decision. A basis names it only where the clock was behind the log. The age of a request is measured by it. */
const checkClock = (
  { counts, clockLagMaxMs }: Auditor,
  { logged, previousAt, complain }: Where,
  { clock, at }: Basis,
): void => {
  if (clock === undefined) return
  counts.clockBehind += 1
  if (!isInstant(clock) || millis(clock) >= millis(at))
    complain('TIME_DIFFERS', 'expected a clock that is behind the time of the decision')
  else if (logged.event.at !== previousAt)
    complain('TIME_DIFFERS', 'the clock was behind the log: expected the time of the event before')
  else if (millis(at) - millis(clock) > clockLagMaxMs)
    complain(
      'TIME_DIFFERS',
      `the clock was ${millis(at) - millis(clock)} ms behind the log; expected ${clockLagMaxMs} ms at most`,
    )
}

/** Checks that a decision names the data of time zones where policies ask for zones, and nowhere else. */
const checkTimeZones = (
  { catalogue }: Auditor,
  { complain }: Where,
  { timeZones }: Basis,
  decider: Organization,
): void => {
  if (asksTimeZones(decider, catalogue.language) === (timeZones !== undefined)) return
  complain(
    'BASIS_DIFFERS',
    timeZones === undefined
      ? 'policies ask for time zones: expected the version of their data'
      : 'no policy asks for time zones: expected no version of their data',
  )
}

/** The time by which the age of a request was measured. */
export const clockOf = ({ clock, at }: Basis): number => millis(clock ?? at)

const checkRead = ({ log, logged, complain }: Where, { read: [read] }: Basis): boolean => {
  const { organization, sequence } = logged.event
  if (read?.organization !== organization || !isCounter(read.sequence)) {
    complain('BASIS_DIFFERS', 'expected a decision on the state of its organization')
    return false
  }
  // Events between that state and the decision do not matter if they did not change the organization.
  const readTo = BigInt(read.sequence)
  if (readTo < sequence && (!log.isStateKnown || readTo >= log.changedAt)) return true
  complain(
    'BASIS_DIFFERS',
    `the decision was not made on the state right before it, but on that of sequence ${read.sequence}`,
  )
  return false
}
