import { policies } from '../../organization/policies.ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { find } from '../../definition/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'
import { policyView, PolicyView } from './policy-view.ts'

export const getPolicy = query({
  path: 'get_policy',
  summary: 'Shows a policy.',
  request: fields({ organizationId: Uuid, policyId: Uuid }),
  answer: fields({ policy: PolicyView }),
  run: ({ policyId }, { organization }) =>
    pipe(
      TE.fromEither(find('policy', policies.of(organization), policyId, organization)),
      TE.map((policy) => ({ policy: policyView(policy) })),
    ),
})
