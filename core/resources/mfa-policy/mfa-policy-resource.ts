import { resource } from '../../definition/resource.ts'
import { createMfaPolicy } from './create-mfa-policy.ts'
import { deleteMfaPolicy } from './delete-mfa-policy.ts'
import { getMfaPolicies } from './get-mfa-policies.ts'
import { getMfaPolicy } from './get-mfa-policy.ts'
import { getMfaStatus } from './get-mfa-status.ts'
import { mfaPolicyLimits } from './mfa-policy-limits.ts'
import { updateMfaPolicy } from './update-mfa-policy.ts'

export { createMfaPolicy, updateMfaPolicy, deleteMfaPolicy, getMfaPolicy, getMfaPolicies, getMfaStatus }

/** The policies stand in their users. */
export const mfaPolicyResource = resource({
  name: 'mfa-policies',
  limits: mfaPolicyLimits,
  operations: [createMfaPolicy, updateMfaPolicy, deleteMfaPolicy],
  queries: [getMfaPolicy, getMfaPolicies, getMfaStatus],
})
