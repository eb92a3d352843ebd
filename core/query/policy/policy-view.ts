import type { Json } from '../../failure.ts'
import type { Policy } from '../../organization/organization.ts'
import { timestamp } from '../timestamp.ts'

/** A policy as the wire shows one: texts that are not set are empty, for there are clients that insist on text. */
export const policyView = (policy: Policy): Json => ({
  policyId: policy.policyId,
  policyName: policy.policyName,
  effect: policy.effect,
  condition: policy.condition,
  consensus: policy.consensus,
  notes: policy.notes,
  createdAt: timestamp(policy.createdAtMs),
  updatedAt: timestamp(policy.updatedAtMs),
})
