import { createPolicies } from '../../../../core/resources/policy/create-policies.ts'
import { createPolicy } from '../../../../core/resources/policy/create-policy.ts'
import { deletePolicies } from '../../../../core/resources/policy/delete-policies.ts'
import { deletePolicy } from '../../../../core/resources/policy/delete-policy.ts'
import { getActivePolicies } from '../../../../core/resources/policy/get-active-policies.ts'
import { getPolicy } from '../../../../core/resources/policy/get-policy.ts'
import { listPolicies } from '../../../../core/resources/policy/list-policies.ts'
import { updatePolicy } from '../../../../core/resources/policy/update-policy.ts'
import { asking, example, NOBODY, ORGANIZATION, type Members, type Scene } from '../example.ts'

const policy = ({ text }: Scene) => ({
  policyName: text('policyName'),
  effect: 'EFFECT_ALLOW',
  condition: `activity.type == '${text('condition')}'`,
  consensus: `approvers.any(user, user.id == '${text('consensus')}')`,
  notes: text('notes'),
  time: undefined,
})

const changes = async ({ made, text }: Scene): Promise<Members> => ({
  policyId: (await made(createPolicy)).policyId,
  policyName: text('policyName'),
  policyEffect: 'EFFECT_ALLOW',
  policyCondition: `activity.type == '${text('policyCondition')}'`,
  policyConsensus: `approvers.any(user, user.id == '${text('policyConsensus')}')`,
  policyNotes: text('policyNotes'),
})

const wrong = { policyName: 'a', effect: 'EFFECT_ALLOW', condition: 'activity', notes: '' }

export const examples = [
  example(createPolicy, { valid: policy, refused: [wrong, 'REQUEST_INVALID'] }),
  example(createPolicies, {
    valid: (scene) => ({ policies: [policy(scene), policy(scene)] }),
    refused: [{ policies: [wrong] }, 'REQUEST_INVALID'],
  }),
  example(updatePolicy, {
    valid: async (scene) => ({ ...(await changes(scene)), time: undefined }),
    older: { ACTIVITY_TYPE_UPDATE_POLICY: changes },
    refused: [{ policyId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(deletePolicy, {
    valid: async ({ made }) => ({ policyId: (await made(createPolicy)).policyId }),
    refused: [{ policyId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(deletePolicies, {
    valid: async ({ made }) => ({ policyIds: (await made(createPolicies)).policyIds }),
    refused: [{ policyIds: [NOBODY] }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getPolicy,
    async ({ made }) => {
      const { policyId } = await made(createPolicy)
      return { request: { policyId }, shows: { policy: { policyId } } }
    },
    { refused: [{ policyId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(listPolicies, async ({ made }) => ({
    request: {},
    shows: { policies: [{ policyId: (await made(createPolicy)).policyId }] },
  })),
  asking(getActivePolicies, async ({ made }) => ({
    request: {},
    shows: { statuses: [{ policyId: (await made(createPolicy)).policyId, active: true }] },
  })),
]

export const texts = {
  policyName: ORGANIZATION,
  condition: ORGANIZATION,
  consensus: ORGANIZATION,
  time: ORGANIZATION,
  notes: ORGANIZATION,
  effect: ORGANIZATION,
}
