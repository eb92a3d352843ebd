import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { policies } from '../../organization/policies.ts'
import { deletes } from '../deletes.ts'

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
  ...deletes('policy', policies, ({ policyId }: t.TypeOf<typeof Deleted>) => [policyId]),
})
