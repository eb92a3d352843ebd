import { approvalsOf, decisionInputFor } from '../deciding/decision-input.ts'
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
  catalogue: Catalogue,
  live: LiveActivity,
  nowMs: number,
): readonly Factors[] => {
  const { activity } = live
  const decider = activity.home === undefined ? organization : home
  if (decider.organizationId !== (activity.home ?? organization.organizationId)) return []
  const atMs = isWaiting(activity.status) ? nowMs : activity.updatedAtMs
  const input = decisionInputFor(catalogue, organization, live, atMs)
  if (input === undefined) return []
  return factorsOfVoters(decider, input, approvalsOf(activity, atMs), { language: catalogue.language })
}
