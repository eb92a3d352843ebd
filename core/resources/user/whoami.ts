import * as t from '../../codec/t.ts'
import { users } from '../../organization/users.ts'
import { profile } from '../../organization/profile.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../../definition/query.ts'

export const whoami = query({
  path: 'whoami',
  summary: 'Tells whose credential stamped the request.',
  searchesBelow: true,
  request: InOrganization,
  answer: t.fields({ organizationId: t.Uuid, organizationName: t.string, userId: t.Uuid, username: t.string }),
  run: (_, { home, caller, find }) => {
    const { userId, userName: username } = find('user', users.of(home), caller)
    return { organizationId: home.organizationId, organizationName: profile.of(home).name, userId, username }
  },
})
