import { users } from '../../../core/organization/users.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { hostState } from '../world/with-host.ts'
import * as t from 'io-ts'
import { failure } from '../../../core/failure.ts'
import { fields } from '../../../core/codec/fields.ts'
import { operation } from '../../../core/definition/operation.ts'
import { E } from '../../../core/prelude.ts'

/** Pays, as long as the organization has no more than so many tags, and users, when the payment is allowed. */
export const pay = (
  tagsMax: number,
  run = async (): Promise<E.Either<never, { receipt: string }>> => E.right({ receipt: 'one' }),
) =>
  operation({
    type: 'ACTIVITY_TYPE_PAY',
    path: 'pay',
    summary: 'Pays.',
    intent: fields({}),
    result: fields({ receipt: t.string }),
    change: fields({ users: t.number }),
    check: (_, { organization, limits }) =>
      userTags.of(organization).size > tagsMax || users.of(organization).size > (limits.users ?? 0)
        ? E.left(failure('CONFLICT', 'too many tags or users'))
        : E.right(undefined),
    perform: {
      outside: true,
      resumeAfterMs: 1000,
      attemptsMax: 2,
      whenInterrupted: 'retry',
      performed: fields({ receipt: t.string }),
      run: () => run,
    },
    execute: (_, { performed: { receipt }, limits }) =>
      E.right({ result: { receipt }, change: { users: limits.users ?? 0 } }),
    evolve: (draft, { users }) => void hostState.in(draft).set('users', users),
  })
