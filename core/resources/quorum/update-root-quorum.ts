import { users } from '../../organization/users.ts'
import { quorum } from '../../organization/quorum.ts'
import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Uuids } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { checkThreshold, quorumUsersMissing, Threshold } from './quorum-rules.ts'

/** It has no resource and no action, so no policy can allow it: only the root quorum can change itself. */
export const updateRootQuorum = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
  path: 'update_root_quorum',
  summary: 'Changes who is a member of the root quorum, and how many of them must approve.',
  intent: fields({ threshold: Threshold, userIds: Uuids }),
  result: fields({}),
  change: fields({ threshold: t.number, userIds: t.array(t.string) }),

  execute: (intent, { organization }) =>
    pipe(
      checkThreshold('threshold', intent.threshold, intent.userIds.length),
      E.filterOrElse(
        () => intent.userIds.every((userId) => users.of(organization).has(userId)),
        () => quorumUsersMissing,
      ),
      E.map(() => ({ result: {}, change: intent })),
    ),

  evolve: (draft, { threshold, userIds }) => {
    quorum.in(draft).threshold = threshold
    quorum.in(draft).userIds = [...userIds]
  },
})
