import { policies } from '../../organization/policies.ts'
import * as t from 'io-ts'
import { LabelOrEmpty, Uuid } from '../../codec/codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields } from '../../codec/fields.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { admitTexts, checkPolicyName, checkRules, Effect } from './policy-rules.ts'

const members = {
  policyName: LabelOrEmpty,
  policyEffect: Effect,
  policyCondition: t.string,
  policyConsensus: t.string,
  policyNotes: t.string,
}

export const updatePolicy = operation({
  type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2',
  path: 'update_policy',
  summary: 'Changes those members of a policy that the intent has.',
  resource: 'POLICY',
  action: 'UPDATE',
  resultName: 'updatePolicyResultV2',
  intent: fields({ policyId: Uuid }, { ...members, time: t.string }),
  result: fields({ policyId: t.string }),
  change: fields(
    { policyId: t.string },
    { policyName: t.string, effect: Effect, condition: t.string, consensus: t.string, notes: t.string },
  ),
  versions: [
    {
      type: 'ACTIVITY_TYPE_UPDATE_POLICY',
      resultName: 'updatePolicyResult',
      ...decodes(fields({ policyId: Uuid }, members), E.right),
    },
  ],

  admit: ({ policyId, policyCondition, policyConsensus, policyNotes: notes }, { organization }) => {
    const existing = policies.of(organization).get(policyId)
    const condition = policyCondition ?? existing?.condition
    const consensus = policyConsensus ?? existing?.consensus
    return admitTexts([{ condition, consensus, notes }], organization, policyId)
  },
  execute: (
    { policyId, policyName, policyEffect, policyCondition, policyConsensus, policyNotes, time },
    { organization, language },
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
          notes: policyNotes,
        },
      })),
    ),

  evolve: (draft, change, { atMs }) => {
    const policy = policies.in(draft).get(change.policyId)
    if (policy === undefined) return
    policy.policyName = change.policyName ?? policy.policyName
    policy.effect = change.effect ?? policy.effect
    policy.condition = change.condition ?? policy.condition
    policy.consensus = change.consensus ?? policy.consensus
    policy.notes = change.notes ?? policy.notes
    policy.updatedAtMs = atMs
  },
})
