import { sha256 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../bytes.ts'
import type { Outcome } from '../ports/outgoing.ts'

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000]
const DAY_MS = 24 * HOUR_MS
/** The pauses between attempts; behind the last one, a day. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
  ...[HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS],
]
/** How long after its event a delivery is attempted. */
const TRIED_FOR_MS = 5 * DAY_MS
/** The share of a pause by which it gets longer, at most. It never gets shorter. */
const JITTER = 0.1

/** The statuses, besides 5xx, after which there is another attempt. */
const AGAIN: ReadonlySet<number> = new Set([408, 425, 429])

/** What an attempt has come to; `nobody` if nothing was sent. */
export const verdictOf = (outcome: Outcome): 'delivered' | 'again' | 'given-up' | 'nobody' => {
  if (outcome._tag === 'unanswered') return outcome.why === 'aborted' ? 'nobody' : 'again'
  const { status } = outcome
  if (status >= 200 && status < 300) return 'delivered'
  return status >= 500 || AGAIN.has(status) ? 'again' : 'given-up'
}

/** What came of it, for whoever lists it. Whether a name has no address, or a private one, it does not say: names of a network are its own. */
export const outcomeText = (outcome: Outcome): string => {
  if (outcome._tag === 'answered') return String(outcome.status)
  return outcome.why === 'refused' ? 'no-address' : outcome.why
}

type Tried = { readonly deliveryId: string; readonly sinceMs: number; readonly tries: number }

/** When the next attempt is due; `undefined` if there is none. @param tries  how many there were */
export const dueAfter = (
  { deliveryId, sinceMs, tries }: Tried,
  nowMs: number,
  retryAfter: string | undefined,
): number | undefined => {
  const pauseMs = (PAUSES_MS[tries - 1] ?? DAY_MS) * (1 + JITTER * shareOf(`${deliveryId} ${tries}`))
  const dueAtMs = Math.ceil(nowMs + Math.max(pauseMs, pauseAskedFor(retryAfter, nowMs)))
  return dueAtMs > sinceMs + TRIED_FOR_MS ? undefined : dueAtMs
}

/** A number from 0 to 1 that is the same for the same text. */
const shareOf = (text: string): number => {
  const [high = 0, low = 0] = sha256(encodeUtf8(text))
  return (256 * high + low) / 65_535
}

/** What `Retry-After` asks for: seconds, or a time; at most a day. */
const pauseAskedFor = (retryAfter: string | undefined, nowMs: number): number => {
  if (retryAfter === undefined) return 0
  const isTime = retryAfter.endsWith(' GMT') // what else is parsed as a time is no answer of HTTP
  const untilMs = isTime ? Date.parse(retryAfter) - nowMs : Number.NaN
  const pauseMs = /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : untilMs
  return Number.isNaN(pauseMs) ? 0 : Math.min(Math.max(pauseMs, 0), DAY_MS)
}
