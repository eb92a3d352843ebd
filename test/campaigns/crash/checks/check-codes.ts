import type { Found } from '../found.ts'
import type { Call, Sent } from '../journal.ts'

const TRIES_MAX = 3

/** What an attempt says: one code, or one token. */
type Attempt = {
  readonly activityId: string
  readonly uses: string
  readonly sentAt: number
  /** When it was refused, if it was. */
  refusedAt: number
}

/** A code counts once, and not after three refused tries; a token logs in once. Whatever died meanwhile. */
export const checkCodes = (found: Found, calls: readonly Call[]): readonly string[] => {
  const attempts = attemptsIn(calls)
  const spent = new Map<string, string>()
  const violations: string[] = []
  for (const { activityId, uses, sentAt } of attempts.values()) {
    if (found.activities.get(activityId)?.activity.status !== 'ACTIVITY_STATUS_COMPLETED') continue
    const other = spent.get(uses)
    if (other !== undefined) violations.push(`activities ${other} and ${activityId} have used the same code or token`)
    spent.set(uses, activityId)
    const before = [...attempts.values()].filter((one) => one.uses === uses && one.refusedAt < sentAt)
    if (before.length >= TRIES_MAX)
      violations.push(`activity ${activityId} has used a code that was refused ${before.length} times`)
  }
  return violations
}

/** By activity: each may have been sent several times. */
const attemptsIn = (calls: readonly Call[]): ReadonlyMap<string, Attempt> => {
  const attempts = new Map<string, Attempt>()
  for (const { sent, sentAt, heardAt = Infinity, answered } of calls) {
    const uses = usedBy(sent)
    if (uses === undefined) continue
    const attempt = attempts.get(sent.activityId) ?? { activityId: sent.activityId, uses, sentAt, refusedAt: Infinity }
    const isRefused = answered?.status === 400 && JSON.stringify(answered.json).includes('Invalid OTP code')
    if (isRefused) attempt.refusedAt = Math.min(attempt.refusedAt, heardAt)
    attempts.set(sent.activityId, attempt)
  }
  return attempts
}

const usedBy = ({ kind, path, body }: Sent): string | undefined => {
  if (kind !== 'submit' || (path !== 'verify_otp' && path !== 'otp_login')) return undefined
  const { parameters } = JSON.parse(new TextDecoder().decode(body)) as {
    readonly parameters: { readonly otpId?: string; readonly verificationToken?: string }
  } // our own
  return parameters.otpId ?? parameters.verificationToken
}
