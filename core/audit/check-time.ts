import { instant, millis } from '../log/event.ts'
import { rulesOf } from '../policy/rules.ts'
import type { Auditor, Where } from './audited-log.ts'

/** Whether the text is an instant as events carry it. */
export const isInstant = (at: string): boolean => {
  const atMs = millis(at)
  return Number.isFinite(atMs) && instant(atMs) === at
}

/**
 * Checks that the event is not earlier than the one before it in its log. Under the first rules, the engine wrote what its clock said:
 * there, an earlier event is reported as a setback, and is no finding.
 */
export const checkTime = ({ onSetback }: Auditor, { log, logged, previousAt, complain }: Where): void => {
  const { at, organization, sequence, data } = logged.event
  log.lastAt = at
  if (!isInstant(at)) return complain('TIME_DIFFERS', 'expected a time in UTC with milliseconds')
  const backMs = previousAt === '' ? 0 : millis(previousAt) - millis(at)
  if (!(backMs > 0)) return
  const rules = 'decision' in data ? rulesOf(data.decision.basis.rules) : log.rules
  if (rules?.isTimeMonotonic === false) onSetback({ organization, sequence, line: logged.line, backMs })
  else complain('TIME_DIFFERS', 'the event is earlier than the one before it')
}
