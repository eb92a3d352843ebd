import * as t from '../../codec/t.ts'
import { shownTimes, timesOf } from '../records.ts'
import type { Policy } from '../../organization/policies.ts'
import { Effect } from './policy-rules.ts'

/** A policy as the wire shows it. Texts that are not set are empty, because some clients require a text; a time that is
 * not set is left out. */
export const PolicyView = t.named(
  'Policy',
  t.fields(
    {
      policyId: t.Uuid,
      policyName: t.string,
      effect: Effect,
      condition: t.string,
      consensus: t.string,
      notes: t.string,
      ...shownTimes,
    },
    { time: t.string },
  ),
)
export type PolicyView = t.TypeOf<typeof PolicyView>

export const policyView = (policy: Policy): PolicyView => ({
  policyId: policy.policyId,
  policyName: policy.policyName,
  effect: policy.effect,
  condition: policy.condition,
  consensus: policy.consensus,
  notes: policy.notes,
  ...timesOf(policy),
  ...(policy.time === '' ? {} : { time: policy.time }),
})
