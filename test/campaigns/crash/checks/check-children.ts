import { nodeDigest } from '../../../../adapters/digest/node-digest.ts'
import { activityIdOf } from '../../../../core/activity/identity.ts'
import { isBegunBelow } from '../../../../core/audit/check-begun.ts'
import { deleteSubOrganization } from '../../../../core/resources/sub-organization/delete-sub-organization.ts'
import { until } from '../../../until.ts'
import type { Child } from '../children.ts'
import type { Found } from '../found.ts'
import { httpClient } from '../http-client.ts'
import { activityIn, isUncertain, type Answered } from '../journal.ts'
import type { StorePlace } from '../store-place.ts'

const digest = nodeDigest()
const CREATION = 'create_sub_organization'

/**
 * An organization below another one is there once, under the id that was acknowledged, and exactly where the log of its parent says that the
 * activity is completed.
 */
export const checkChildren = (found: Found, answers: readonly Answered[]): readonly string[] => {
  const begun = new Map<string, string>()
  const violations: string[] = []
  for (const event of found.events) {
    if (event.type !== 'ActivityCreated' || !isBegunBelow(event)) continue
    const { organization, data } = event
    const [, parent] = data.decision.basis.read
    const activityId = activityIdOf(digest, parent?.organization ?? '', data.fingerprint)
    if (begun.has(activityId)) violations.push(`activity ${activityId} has begun two organizations`)
    begun.set(activityId, organization)
    const status = found.activities.get(activityId)?.activity.status ?? 'not there'
    if (status !== 'ACTIVITY_STATUS_COMPLETED')
      violations.push(`organization ${organization} has begun, and activity ${activityId} of its parent is ${status}`)
  }
  for (const answered of answers) {
    const shown = answered.path === CREATION ? activityIn(answered) : undefined
    if (shown?.status !== 'ACTIVITY_STATUS_COMPLETED') continue
    const organization = begun.get(shown.id)
    if (organization === undefined || !JSON.stringify(shown.result).includes(`"${organization}"`))
      violations.push(`activity ${shown.id} is completed, and has begun ${organization ?? 'nothing'}`)
  }
  return violations
}

/** The organizations that have ended. */
export const endedIn = ({ events }: Found): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ organization, type, data }) =>
      type === 'ActivityCompleted' && data.type === deleteSubOrganization.type ? [organization] : [],
    ),
  )

/**
 * The key of its root user works in each organization that has begun below another one, unless that has ended: then nobody finds it.
 *
 * @param triesMax  how often a server that cannot answer is asked
 */
export const checkKeys = async (
  place: StorePlace,
  found: Found,
  urls: readonly string[],
  triesMax: number,
): Promise<readonly string[]> => {
  const client = httpClient('keys')
  const ended = endedIn(found)
  const begun = place.towns.flatMap(({ known: { asked } }) =>
    [...asked].flatMap(([activityId, child]) =>
      found.activities.get(activityId)?.activity.status === 'ACTIVITY_STATUS_COMPLETED' ? [child] : [],
    ),
  )
  const asks = async ({ organizationId, root, query }: Child, url: string): Promise<readonly string[]> => {
    let tries = 0
    const answer = await until(async () => {
      if ((tries += 1) > triesMax) return { status: 0, json: null }
      const response = await client.send(url, query(root, 'whoami'))
      return response === undefined || isUncertain(response) ? undefined : response
    })
    const isEnded = ended.has(organizationId)
    const text = JSON.stringify(answer.json)
    const isRoot = answer.status === 200 && [organizationId, root.userId].every((id) => text.includes(`"${id}"`))
    if (isEnded ? answer.status === 404 : isRoot) return []
    return [`the root user of organization ${organizationId}${isEnded ? ', which ended,' : ''} was answered ${text}`]
  }
  const violations: string[] = []
  for (const [turn, child] of begun.entries()) violations.push(...(await asks(child, urls[turn % urls.length] ?? '')))
  client.close()
  return violations
}
