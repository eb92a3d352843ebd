import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { policies } from '../../organization/policies.ts'
import { deletes } from '../deletes.ts'

const Deleted = t.fields({ policyIds: t.array(t.string) })

export const deletePolicies = operation({
  type: 'ACTIVITY_TYPE_DELETE_POLICIES',
  path: 'delete_policies',
  summary: 'Deletes policies, all or none.',
  resource: 'POLICY',
  action: 'DELETE',
  intent: t.fields({ policyIds: t.SomeUuids }),
  result: Deleted,
  change: Deleted,
  ...deletes('policy', policies, ({ policyIds }: t.TypeOf<typeof Deleted>) => policyIds),
})
