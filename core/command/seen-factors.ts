import { decisionInputOf, approvalsOf } from '../deciding/decision-input.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import { isWaiting } from '../log/standing.ts'
import { factorsOfVoters } from '../policy/decide.ts'
import type { Factors } from '../policy/factors.ts'
import type { Sight } from './home.ts'

/**
 * The factors of those who have voted on an activity, of each with an MFA policy that counts, by the present policies. Of an activity that
 * waits no more, the approvals are those of its end. Nobody sees the policies of another organization's users.
 */
export const seenFactors = (
  { organization, home }: Sight,
  { byType, language }: Catalogue,
  { activity, decoded }: LiveActivity,
  nowMs: number,
): readonly Factors[] => {
  const decider = activity.home === undefined ? organization : home
  const found = byType(activity.type)
  if (found === undefined || decoded === undefined) return []
  if (decider.organizationId !== (activity.home ?? organization.organizationId)) return []
  const { type, requester, status, updatedAtMs } = activity
  const atMs = isWaiting(status) ? nowMs : updatedAtMs
  const input = decisionInputOf(found.operation, { organization, type, intent: decoded.intent, requester, atMs })
  return factorsOfVoters(decider, input, approvalsOf(activity, atMs), { language })
}
