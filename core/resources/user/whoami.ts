import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { users } from '../../organization/users.ts'
import { profile } from '../../organization/profile.ts'
import { InOrganization } from '../in-organization.ts'
import { find } from '../../definition/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'

export const whoami = query({
  path: 'whoami',
  summary: 'Tells whose credential stamped the request.',
  request: InOrganization,
  answer: fields({ organizationId: Uuid, organizationName: t.string, userId: Uuid, username: t.string }),
  run: (_, { organization, caller }) =>
    pipe(
      TE.fromEither(find('user', users.of(organization), caller, organization)),
      TE.map(({ userId, userName }) => ({
        organizationId: organization.organizationId,
        organizationName: profile.of(organization).name,
        userId,
        username: userName,
      })),
    ),
})
