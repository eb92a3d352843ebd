import { policies } from '../../organization/policies.ts'
import * as t from 'io-ts'
import { LabelOrEmpty, Uuid } from '../../codec/codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields } from '../../codec/fields.ts'
import { decodes, operation, type ExecuteContext } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { admitPolicies, checkPolicyName, checkRules, Effect } from './policy-rules.ts'

const members = {
  policyName: LabelOrEmpty,
  policyEffect: Effect,
  policyCondition: t.string,
  policyConsensus: t.string,
  policyNotes: t.string,
}

const Intent = fields({ policyId: Uuid }, { ...members, time: t.string })
type Intent = t.TypeOf<typeof Intent>

/** An empty time removes the time of the policy, as empty texts remove its other clauses. */
const execute = (
  { policyId, policyName, policyEffect, policyCondition, policyConsensus, policyNotes, time }: Intent,
  { organization, language }: ExecuteContext<undefined>,
) =>
  pipe(
    find('policy', policies.of(organization), policyId, organization),
    E.flatMap(() => checkPolicyName('policyName', policyName || undefined, organization, policyId)),
    E.flatMap(() => checkRules({ condition: policyCondition, consensus: policyConsensus, time }, language)),
    E.map(() => ({
      result: { policyId },
      change: {
        policyId,
        policyName: policyName || undefined,
        effect: policyEffect,
        condition: policyCondition,
        consensus: policyConsensus,
        time,
        notes: policyNotes,
      },
    })),
  )

export const updatePolicy = operation({
  type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2',
  path: 'update_policy',
  summary: 'Changes those members of a policy that the intent has.',
  resource: 'POLICY',
  action: 'UPDATE',
  resultName: 'updatePolicyResultV2',
  intent: Intent,
  result: fields({ policyId: t.string }),
  change: fields(
    { policyId: t.string },
    { policyName: t.string, effect: Effect, condition: t.string, consensus: t.string, time: t.string, notes: t.string },
  ),
  versions: [
    {
      type: 'ACTIVITY_TYPE_UPDATE_POLICY',
      resultName: 'updatePolicyResult',
      ...decodes(fields({ policyId: Uuid }, members), E.right),
    },
  ],

  admit: ({ policyId, policyCondition, policyConsensus, policyNotes: notes, time }, context) => {
    const existing = policies.of(context.organization).get(policyId)
    const changed = {
      condition: policyCondition ?? existing?.condition,
      consensus: policyConsensus ?? existing?.consensus,
      time: time ?? existing?.time,
      notes,
    }
    return admitPolicies([changed], context, policyId)
  },
  execute,

  evolve: (draft, change, { atMs }) => {
    const policy = policies.in(draft).get(change.policyId)
    if (policy === undefined) return
    policy.policyName = change.policyName ?? policy.policyName
    policy.effect = change.effect ?? policy.effect
    policy.condition = change.condition ?? policy.condition
    policy.consensus = change.consensus ?? policy.consensus
    policy.time = change.time ?? policy.time
    policy.notes = change.notes ?? policy.notes
    policy.updatedAtMs = atMs
  },
})
