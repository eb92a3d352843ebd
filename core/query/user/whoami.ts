import { InOrganization } from '../in-organization.ts'
import { find } from '../../operations/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../query.ts'

export const whoami = query({
  path: 'whoami',
  summary: 'Tells whose credential stamped the request.',
  request: InOrganization,
  answers: ['organizationId', 'organizationName', 'userId', 'username'],
  answer: (_, { organization, caller }) =>
    pipe(
      TE.fromEither(find('user', organization.users, caller, organization)),
      TE.map(({ userId, userName }) => ({
        organizationId: organization.organizationId,
        organizationName: organization.name,
        userId,
        username: userName,
      })),
    ),
})
