import { isObject } from '../codec/codec.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { Json } from '../failure.ts'
import type { Event } from '../log/event.ts'
import { policies } from '../organization/policies.ts'
import type { Organization } from '../organization/state.ts'
import type { TellNotice } from '../ports/notice.ts'
import { policyWarnings } from '../resources/policy/policy-warnings.ts'

/**
 * Tells the operator of each created or changed policy that names something which the engine does not have, or that would not deny because
 * of an error. The answer to the request cannot say so: the policy is valid, and may be meant for a resource that comes later.
 */
export const policyNotices = (catalogue: Catalogue, notice: TellNotice) => {
  const warnings = policyWarnings(catalogue)
  return (organization: Organization, events: readonly Event[]): void => {
    for (const event of events) {
      if (event.type !== 'ActivityCompleted') continue
      if (catalogue.byType(event.data.type)?.operation.resource !== 'POLICY') continue
      for (const policyId of policyIdsIn(event.data.change)) {
        const policy = policies.of(organization).get(policyId)
        const found = policy === undefined ? [] : warnings.of(policy, organization)
        const { organizationId } = organization
        if (found.length > 0)
          notice({ level: 'warn', message: MESSAGE, context: { organizationId, policyId, warnings: found } })
      }
    }
  }
}

const MESSAGE = 'a policy may not do what it says'

/** The ids of the policies of a change, which has one policy or a list of policies. The change of a host's operation may be anything. */
const policyIdsIn = (change: Json): readonly string[] => {
  const listed = memberOf(change, 'policies')
  return (Array.isArray(listed) ? (listed as readonly Json[]) : [change]).flatMap((one) => {
    const policyId = memberOf(one, 'policyId')
    return typeof policyId === 'string' ? [policyId] : []
  })
}

const memberOf = (value: Json, name: string): unknown => (isObject(value) ? value[name] : undefined)
