import { fieldViolations } from '../failure.ts'

const PAST_MS = 60 * 60 * 1000
const FUTURE_MS = 5 * 60 * 1000

/** Whether a request made at `timestampMs` may still be taken: less than an hour old, at most five minutes ahead. */
export const isInTime = (timestampMs: number, atMs: number): boolean =>
  timestampMs > atMs - PAST_MS && timestampMs <= atMs + FUTURE_MS

/** How far a clock may be behind its log, if nobody says otherwise: further, and requests of any age could be taken for new ones. */
export const CLOCK_LAG_MAX_MS = 5 * 60 * 1000

export const staleTimestamp = fieldViolations(
  'invalid timestampMs: expected a time less than 1 hour old and at most 5 minutes ahead',
  [{ field: 'timestampMs', description: 'expected a time less than 1 hour old and at most 5 minutes ahead' }],
)
