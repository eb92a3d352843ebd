import { Uuid } from '../../codec.ts'
import { fields } from '../../operations/fields.ts'
import { find } from '../../operations/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../query.ts'
import { policyView } from './policy-view.ts'

export const getPolicy = query({
  path: 'get_policy',
  summary: 'Shows a policy.',
  request: fields({ organizationId: Uuid, policyId: Uuid }),
  answers: ['policy'],
  answer: ({ policyId }, { organization }) =>
    pipe(
      TE.fromEither(find('policy', organization.policies, policyId, organization)),
      TE.map((policy) => ({ policy: policyView(policy) })),
    ),
})
