import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { authProxy } from '../../organization/auth-proxy.ts'
import { features, type FeatureName } from '../../organization/features.ts'
import { PROXY_KINDS } from '../../organization/issued-key.ts'
import { policies } from '../../organization/policies.ts'
import type { Draft, Organization } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'
import { newPolicies, type NewPolicy, type PolicyParams } from '../policy/new-policies.ts'
import { removeUser } from '../user/remove-user.ts'

/* How an organization lets the auth proxy in, and puts it out again. */

export const PROXY_NAME = 'Auth Proxy'
export const FEATURE: FeatureName = 'FEATURE_NAME_AUTH_PROXY'

/** What is left to remove of a proxy that was let in: people may have deleted some of it. */
export const Leaving = t.fields({ userIds: t.array(t.string), policyIds: t.array(t.string) })
export type Leaving = t.TypeOf<typeof Leaving>

export const leavingOf = (organization: Organization): Leaving => {
  const { admitted } = authProxy.of(organization)
  const { userId = '', policyId = '' } = admitted ?? {}
  return {
    userIds: users.of(organization).has(userId) ? [userId] : [],
    policyIds: policies.of(organization).has(policyId) ? [policyId] : [],
  }
}

export const putOut = (draft: Draft, { userIds, policyIds }: Leaving, sequence: bigint): void => {
  for (const userId of userIds) removeUser(draft, userId, sequence)
  for (const policyId of policyIds) policies.in(draft).delete(policyId)
  delete authProxy.in(draft).admitted
  features.in(draft).delete(FEATURE)
}

/**
 * It names kinds, and nobody but its user meets its consensus, even if they agree, too: it must not make others wait who do the same in their own
 * name.
 */
export const policyFor = (userId: string, policyName = PROXY_NAME): PolicyParams => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition: `activity.kind in [${PROXY_KINDS.map((kind) => `'${kind}'`).join(', ')}]`,
  consensus: `approvers.any(user, user.id == '${userId}') && approvers.all(user, user.id == '${userId}')`,
  notes: 'Lets the auth proxy sign users up and in. Its keys can send nothing else, whatever policies say.',
})

/** The policy, under a name that no other has. */
export const newPolicy = (
  userId: string,
  context: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits' | 'language'>,
): NewPolicy => {
  const isTaken = [...policies.of(context.organization).values()].some(({ policyName }) => policyName === PROXY_NAME)
  const [made] = newPolicies([policyFor(userId, isTaken ? `${PROXY_NAME} ${userId}` : PROXY_NAME)], () => '', context)
  return made
}
