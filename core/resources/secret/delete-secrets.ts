import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { destroysKeys } from '../wallet/destroys.ts'
import { factOf, secrets } from './secrets.ts'

const Deleted = t.fields({ secretIds: t.array(t.string) })

export const deleteSecrets = operation({
  type: 'ACTIVITY_TYPE_DELETE_SECRETS',
  path: 'delete_secrets',
  summary: 'Destroys secrets, for good.',
  resource: 'SECRET',
  action: 'DELETE',
  intent: t.fields({ secretIds: t.SomeUuids }),
  result: Deleted,
  change: Deleted,
  facts: ({ secretIds }, organization) => factOf(organization, secretIds),

  check: ({ secretIds }, { organization: { organizationId }, findAll, attempt }) => {
    if (attempt === 1) findAll('secret', secrets, secretIds)
    return { organizationId, keyIds: secretIds }
  },
  perform: destroysKeys,

  execute: ({ secretIds }) => ({ result: { secretIds }, change: { secretIds } }),

  evolve: (draft, { secretIds }) => {
    for (const id of secretIds) secrets.in(draft).delete(id)
  },
})
