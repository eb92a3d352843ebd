import { getApiKeys } from '../../../../core/resources/api-key/get-api-keys.ts'
import { createMfaPolicy } from '../../../../core/resources/mfa-policy/create-mfa-policy.ts'
import { deleteMfaPolicy } from '../../../../core/resources/mfa-policy/delete-mfa-policy.ts'
import { getMfaPolicies } from '../../../../core/resources/mfa-policy/get-mfa-policies.ts'
import { getMfaPolicy } from '../../../../core/resources/mfa-policy/get-mfa-policy.ts'
import { getMfaStatus } from '../../../../core/resources/mfa-policy/get-mfa-status.ts'
import { updateMfaPolicy } from '../../../../core/resources/mfa-policy/update-mfa-policy.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

const members = ({ text }: Scene, apiKeyId: string | undefined) => ({
  mfaPolicyName: text('mfaPolicyName'),
  condition: `activity.type == '${text('condition')}'`,
  requiredAuthenticationMethods: [
    { any: [{ type: 'AUTHENTICATION_TYPE_API_KEY', id: apiKeyId }] },
    { any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }, { type: 'AUTHENTICATION_TYPE_API_KEY' }] },
  ],
  order: 1,
  notes: text('notes'),
})

const policy = async (scene: Scene) => {
  const { user: userId } = scene
  const { apiKeys } = await scene.asked(getApiKeys, { userId })
  return { userId, ...members(scene, apiKeys[0]?.apiKeyId) }
}

const made = async ({ made: make, user: userId }: Scene) => ({ userId, ...(await make(createMfaPolicy)) })

export const examples = [
  example(createMfaPolicy, {
    valid: policy,
    refused: [async (scene) => ({ ...(await policy(scene)), userId: NOBODY }), 'RESOURCE_NOT_FOUND'],
  }),
  example(updateMfaPolicy, {
    valid: async (scene) => ({ ...(await made(scene)), ...members(scene, undefined) }),
    refused: [{ userId: NOBODY, mfaPolicyId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(deleteMfaPolicy, {
    valid: made,
    refused: [({ user: userId }) => ({ userId, mfaPolicyId: NOBODY }), 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getMfaPolicy,
    async (scene) => {
      const { userId, mfaPolicyId } = await made(scene)
      return { request: { userId, mfaPolicyId }, shows: { mfaPolicy: { mfaPolicyId } } }
    },
    { refused: [({ user: userId }) => ({ userId, mfaPolicyId: NOBODY }), 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    getMfaPolicies,
    async (scene) => {
      const { userId, mfaPolicyId } = await made(scene)
      return { request: { userId }, shows: { mfaPolicies: [{ mfaPolicyId }] } }
    },
    { refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    getMfaStatus,
    async ({ activity }) => ({ request: { activityId: (await activity()).id }, shows: { mfaStatuses: [] } }),
    { refused: [{ activityId: NOBODY }, 'ACTIVITY_NOT_FOUND'] },
  ),
]

export const texts = {
  mfaPolicyName: ORGANIZATION,
  condition: ORGANIZATION,
  notes: ORGANIZATION,
  type: ORGANIZATION,
  id: ORGANIZATION,
}
