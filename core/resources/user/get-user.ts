import { users } from '../../organization/users.ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { find } from '../../definition/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'
import { userView, UserView } from './user-view.ts'

export const getUser = query({
  path: 'get_user',
  summary: 'Shows a user.',
  request: fields({ organizationId: Uuid, userId: Uuid }),
  answer: fields({ user: UserView }),
  run: ({ userId }, { organization }) =>
    pipe(
      TE.fromEither(find('user', users.of(organization), userId, organization)),
      TE.map((user) => ({ user: userView(user) })),
    ),
})
