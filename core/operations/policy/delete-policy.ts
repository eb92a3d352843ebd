import * as t from 'io-ts'
import { Uuid } from '../../codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields } from '../fields.ts'
import { operation } from '../operation.ts'
import { find } from '../refusals.ts'

const Deleted = fields({ policyId: t.string })

export const deletePolicy = operation({
  type: 'ACTIVITY_TYPE_DELETE_POLICY',
  path: 'delete_policy',
  summary: 'Deletes a policy.',
  resource: 'POLICY',
  action: 'DELETE',
  intent: fields({ policyId: Uuid }),
  result: Deleted,
  change: Deleted,

  execute: (intent, { organization }) =>
    pipe(
      find('policy', organization.policies, intent.policyId, organization),
      E.map(() => ({ result: intent, change: intent })),
    ),

  evolve: (draft, { policyId }) => {
    draft.policies.delete(policyId)
  },
})
