import * as t from '../../codec/t.ts'
import { isProxyUser } from '../../organization/auth-proxy.ts'
import { users } from '../../organization/users.ts'
import { quorum } from '../../organization/quorum.ts'
import { operation } from '../../definition/operation.ts'
import { checkThreshold, quorumUsersMissing, quorumWithProxy, Threshold } from './quorum-rules.ts'

/** It has no resource and no action, so no policy can allow it: only the root quorum can change itself. */
export const updateRootQuorum = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
  path: 'update_root_quorum',
  summary: 'Changes who is a member of the root quorum, and how many of them must approve.',
  intent: t.fields({ threshold: Threshold, userIds: t.Uuids }),
  result: t.fields({}),
  change: t.fields({ threshold: t.number, userIds: t.array(t.string) }),

  execute: (intent, { organization }) => {
    checkThreshold('threshold', intent.threshold, intent.userIds.length)
    if (!intent.userIds.every((userId) => users.of(organization).has(userId))) throw quorumUsersMissing()
    if (intent.userIds.some((userId) => isProxyUser(organization, userId))) throw quorumWithProxy()
    return { result: {}, change: intent }
  },

  evolve: (draft, { threshold, userIds }) => {
    quorum.in(draft).threshold = threshold
    quorum.in(draft).userIds = [...userIds]
  },
})
