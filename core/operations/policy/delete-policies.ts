import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, SomeIds } from '../fields.ts'
import { operation } from '../operation.ts'
import { findAll } from '../refusals.ts'

const Deleted = fields({ policyIds: t.array(t.string) })

export const deletePolicies = operation({
  type: 'ACTIVITY_TYPE_DELETE_POLICIES',
  path: 'delete_policies',
  summary: 'Deletes policies, all or none.',
  resource: 'POLICY',
  action: 'DELETE',
  intent: fields({ policyIds: SomeIds }),
  result: Deleted,
  change: Deleted,

  execute: (intent, { organization }) =>
    pipe(
      findAll('policy', organization.policies, intent.policyIds, organization),
      E.map(() => ({ result: intent, change: intent })),
    ),

  evolve: (draft, { policyIds }) => {
    for (const policyId of policyIds) draft.policies.delete(policyId)
  },
})
