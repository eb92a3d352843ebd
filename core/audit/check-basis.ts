import type { Basis } from '../activity/decision.ts'
import { millis } from '../log/event.ts'
import { defaultLimits, type Limits } from '../operations/limits.ts'
import { rulesOf, RULES_VERSION, type RulesVersion } from '../policy/rules.ts'
import type { Auditor, Where } from './audited-log.ts'
import { isInstant } from './check-time.ts'
import type { LimitsInForce } from './report.ts'

/**
 * Checks what a decision says that it was made on, as far as the log can tell.
 *
 * @returns the rules by which it can be taken again; undefined where it cannot
 */
export const checkBasis = (auditor: Auditor, where: Where, basis: Basis): RulesVersion | undefined => {
  const { log, logged, complain } = where
  const rules = checkRules(auditor, where, basis)
  if (basis.at !== logged.event.at) complain('TIME_DIFFERS', 'the decision used another time than that of its event')
  checkClock(auditor, where, basis, rules)
  if (basis.factors.length > 0) complain('BASIS_DIFFERS', 'this version counts no second factors')
  checkLimits(auditor, where, basis)
  const isReadRight = checkRead(where, basis)
  if (rules !== undefined) log.rules = rules
  return isReadRight ? rules : undefined
}

const checkRules = ({ rulesMin }: Auditor, { log, complain }: Where, basis: Basis): RulesVersion | undefined => {
  const rules = rulesOf(basis.rules)
  if (rules === undefined) {
    const known = `this version knows those up to ${RULES_VERSION}`
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

/** A clock that is behind its log is told apart from the time of the log: the age of a request is measured by the clock. */
const checkClock = (
  { counts }: Auditor,
  { logged, previousAt, complain }: Where,
  { clock, at }: Basis,
  rules: RulesVersion | undefined,
): void => {
  if (clock === undefined) return
  counts.clockBehind += 1
  if (rules?.isTimeMonotonic !== true || !isInstant(clock) || millis(clock) >= millis(at))
    complain('TIME_DIFFERS', 'expected a clock that is behind the time of the decision')
  else if (logged.event.at !== previousAt)
    complain('TIME_DIFFERS', 'the clock was behind the log: expected the time of the event before')
}

/** The time by which the age of a request was measured. */
export const clockOf = ({ clock, at }: Basis): number => millis(clock ?? at)

const checkLimits = ({ limits: known }: Auditor, { complain }: Where, { at, limits = {} }: Basis): void => {
  const unknown = Object.keys(limits).find((name) => !Object.hasOwn(defaultLimits, name))
  if (unknown !== undefined)
    return complain('BASIS_DIFFERS', 'the decision names a limit that this version does not know')
  if (limitNames.filter((name) => Object.hasOwn(limits, name)).join() !== Object.keys(limits).join())
    complain('BASIS_DIFFERS', 'expected the limits in their one order')
  const atMs = millis(at)
  const inForce = known.filter(({ fromMs = -Infinity, untilMs = Infinity }) => atMs >= fromMs && atMs <= untilMs)
  const differences = inForce.map((one) => differenceOf(one, { ...defaultLimits, ...limits }))
  if (differences.includes('')) return
  complain(
    'BASIS_DIFFERS',
    `the decision was made under other limits than those that were in force: ${differences[0] ?? 'none is known for that time'}`,
  )
}

/** Which limits differ, and how; empty where none does. */
const differenceOf = ({ limits }: LimitsInForce, said: Limits): string => {
  const inForce = { ...defaultLimits, ...limits }
  return limitNames
    .filter((name) => said[name] !== inForce[name])
    .map((name) => `${name} ${said[name]} instead of ${inForce[name]}`)
    .join(', ')
}

const limitNames = Object.keys(defaultLimits) as (keyof Limits)[] // its own names

const checkRead = ({ log, logged, complain }: Where, { read: all }: Basis): boolean => {
  const { organization, sequence } = logged.event
  const [read] = all
  if (all.length !== 1 || read?.organization !== organization || !/^(?:0|[1-9][0-9]{0,18})$/.test(read.sequence)) {
    complain('BASIS_DIFFERS', 'expected a decision on the state of its organization alone')
    return false
  }
  // What others appended in between does not matter if it did not change the organization.
  const readTo = BigInt(read.sequence)
  if (readTo < sequence && (!log.isStateKnown || readTo >= log.changedAt)) return true
  complain(
    'BASIS_DIFFERS',
    `the decision was not made on the state right before it, but on that of sequence ${read.sequence}`,
  )
  return false
}
