import { Uuid } from '../../codec.ts'
import { fields } from '../../operations/fields.ts'
import { find } from '../../operations/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../query.ts'
import { userView } from './user-view.ts'

export const getUser = query({
  path: 'get_user',
  summary: 'Shows a user.',
  request: fields({ organizationId: Uuid, userId: Uuid }),
  answers: ['user'],
  answer: ({ userId }, { organization }) =>
    pipe(
      TE.fromEither(find('user', organization.users, userId, organization)),
      TE.map((user) => ({ user: userView(user) })),
    ),
})
