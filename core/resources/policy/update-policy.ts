import * as t from '../../codec/t.ts'
import { policies } from '../../organization/policies.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { admitPolicies, checkPolicyName, checkRules, Effect } from './policy-rules.ts'

const members = {
  policyName: t.LabelOrEmpty,
  policyEffect: Effect,
  policyCondition: t.string,
  policyConsensus: t.string,
  policyNotes: t.string,
}

/** An empty time removes the time of the policy, as empty texts remove its other clauses. */
export const updatePolicy = operation({
  type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2',
  path: 'update_policy',
  summary: 'Changes those members of a policy that the intent has.',
  resource: 'POLICY',
  action: 'UPDATE',
  resultName: 'updatePolicyResultV2',
  intent: t.fields({ policyId: t.Uuid }, { ...members, time: t.string }),
  result: t.fields({ policyId: t.string }),
  change: t.fields(
    { policyId: t.string },
    { policyName: t.string, effect: Effect, condition: t.string, consensus: t.string, time: t.string, notes: t.string },
  ),
  versions: [
    {
      type: 'ACTIVITY_TYPE_UPDATE_POLICY',
      resultName: 'updatePolicyResult',
      ...decodes(t.fields({ policyId: t.Uuid }, members), (intent) => intent),
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
    admitPolicies([changed], context, policyId)
  },

  execute: (intent, { organization, language, find }) => {
    const { policyId, policyEffect: effect, policyCondition: condition, policyConsensus: consensus, time } = intent
    find('policy', policies, policyId)
    const policyName = intent.policyName || undefined
    checkPolicyName('policyName', policyName, organization, policyId)
    checkRules({ condition, consensus, time }, language)
    const change = { policyId, policyName, effect, condition, consensus, time, notes: intent.policyNotes }
    return { result: { policyId }, change }
  },

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
