import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { policies } from '../../organization/policies.ts'
import { deletes } from '../deletes.ts'

const Deleted = t.fields({ policyId: t.string })

export const deletePolicy = operation({
  type: 'ACTIVITY_TYPE_DELETE_POLICY',
  path: 'delete_policy',
  summary: 'Deletes a policy.',
  resource: 'POLICY',
  action: 'DELETE',
  intent: t.fields({ policyId: t.Uuid }),
  result: Deleted,
  change: Deleted,
  ...deletes('policy', policies, ({ policyId }: t.TypeOf<typeof Deleted>) => [policyId]),
})
