import * as t from 'io-ts'
import { failure } from '../../../core/failure.ts'
import { fields } from '../../../core/operations/fields.ts'
import { operation } from '../../../core/operations/operation.ts'
import { E } from '../../../core/prelude.ts'

/** Pays, as long as the organization has no more than so many tags when the payment is allowed. */
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
    check: (_, { organization }) =>
      organization.userTags.size > tagsMax ? E.left(failure('CONFLICT', 'too many tags')) : E.right(undefined),
    perform: {
      outside: true,
      resumeAfterMs: 1000,
      attemptsMax: 2,
      whenInterrupted: 'retry',
      performed: fields({ receipt: t.string }),
      run: () => run,
    },
    execute: (_, { performed: { receipt }, limits }) =>
      E.right({ result: { receipt }, change: { users: limits.users } }),
    evolve: (draft, { users }) => void draft.host.set('users', users),
  })
