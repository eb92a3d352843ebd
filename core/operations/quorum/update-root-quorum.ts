import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Ids } from '../fields.ts'
import { operation } from '../operation.ts'
import { checkThreshold, quorumUsersMissing, Threshold } from './quorum-rules.ts'

/** Without resource and action: no policy can grant it, only the root quorum changes itself. */
export const updateRootQuorum = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
  path: 'update_root_quorum',
  summary: 'Changes who is a member of the root quorum, and how many of them must approve.',
  intent: fields({ threshold: Threshold, userIds: Ids }),
  result: fields({}),
  change: fields({ threshold: t.number, userIds: t.array(t.string) }),

  execute: (intent, { organization }) =>
    pipe(
      checkThreshold('threshold', intent.threshold, intent.userIds.length),
      E.filterOrElse(
        () => intent.userIds.every((userId) => organization.users.has(userId)),
        () => quorumUsersMissing,
      ),
      E.map(() => ({ result: {}, change: intent })),
    ),

  evolve: (draft, { threshold, userIds }) => {
    draft.quorum.threshold = threshold
    draft.quorum.userIds = [...userIds]
  },
})
