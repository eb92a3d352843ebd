import * as t from '../../../core/codec/t.ts'
import { users } from '../../../core/organization/users.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { hostState } from '../world/with-host.ts'
import { operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'

/** Pays, as long as the organization has no more than so many tags, and users, when the payment is allowed. */
export const pay = (tagsMax: number, run = async (): Promise<{ receipt: string }> => ({ receipt: 'one' })) =>
  operation({
    type: 'ACTIVITY_TYPE_PAY',
    path: 'pay',
    summary: 'Pays.',
    intent: t.fields({}),
    result: t.fields({ receipt: t.string }),
    change: t.fields({ users: t.number }),
    check: (_, { organization, limits }) => {
      if (userTags.of(organization).size > tagsMax || users.of(organization).size > (limits.users ?? 0))
        throw refuse('CONFLICT', 'too many tags or users')
    },
    perform: {
      outside: true,
      resumeAfterMs: 1000,
      attemptsMax: 2,
      whenInterrupted: 'retry',
      performed: t.fields({ receipt: t.string }),
      run,
    },
    execute: (_, { performed: { receipt }, limits }) => ({
      result: { receipt },
      change: { users: limits.users ?? 0 },
    }),
    evolve: (draft, { users }) => void hostState.in(draft).set('users', users),
  })
