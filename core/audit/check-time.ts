import { instant, millis } from '../log/event.ts'
import type { Where } from './audited-log.ts'

/** Whether the text is an instant as events carry it. */
export const isInstant = (at: string): boolean => {
  const atMs = millis(at)
  return Number.isFinite(atMs) && instant(atMs) === at
}

/** Checks that the event is not earlier than the one before it in its log. */
export const checkTime = ({ log, logged, previousAt, complain }: Where): void => {
  const { at } = logged.event
  log.lastAt = at
  if (!isInstant(at)) return complain('TIME_DIFFERS', 'expected a time in UTC with milliseconds')
  if (previousAt !== '' && millis(at) < millis(previousAt))
    complain('TIME_DIFFERS', 'the event is earlier than the one before it')
}
