import { fieldViolations } from '../failure.ts'

const PAST_MS = 60 * 60 * 1000
const FUTURE_MS = 5 * 60 * 1000

/** Whether a request made at `timestampMs` may still be taken: less than an hour old, at most five minutes ahead. */
export const isInTime = (timestampMs: number, atMs: number): boolean =>
  timestampMs > atMs - PAST_MS && timestampMs <= atMs + FUTURE_MS

export const staleTimestamp = fieldViolations(
  'invalid timestampMs: expected a time less than 1 hour old and at most 5 minutes ahead',
  [{ field: 'timestampMs', description: 'expected a time less than 1 hour old and at most 5 minutes ahead' }],
)
