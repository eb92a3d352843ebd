import * as t from 'io-ts'
import { Label } from '../../codec.ts'
import { failure } from '../../failure.ts'
import { E, pipe } from '../../prelude.ts'
import { ApiKeyParamsV2 } from '../api-key/api-key-params.ts'
import { fields, list, some } from '../fields.ts'
import { operation } from '../operation.ts'
import { checkThreshold, Threshold } from '../quorum/quorum-rules.ts'
import { Email, PhoneNumber } from '../user/contact.ts'
import { addUser, admitUsers, NewUser, newUsers } from '../user/new-users.ts'

const RootUser = fields(
  { userName: Label, apiKeys: list(ApiKeyParamsV2) },
  { userEmail: Email, userPhoneNumber: PhoneNumber },
)

/** An organization's first activity, stamped by a key that it registers. It has no route: `init` submits it. */
export const createOrganization = operation({
  type: 'ACTIVITY_TYPE_CREATE_ORGANIZATION',
  path: 'create_organization',
  summary: 'Begins an organization with its root users and the quorum that they make.',
  intent: fields({ organizationName: Label, rootUsers: some(RootUser), rootQuorumThreshold: Threshold }),
  result: fields({ organizationId: t.string }),
  change: fields({ organizationName: t.string, users: t.array(NewUser), threshold: t.number }),

  admit: ({ rootUsers }) => admitUsers(rootUsers),
  execute: ({ organizationName, rootUsers, rootQuorumThreshold }, context) =>
    context.organization.users.size > 0
      ? E.left(failure('REQUEST_INVALID', 'this organization has begun already'))
      : pipe(
          checkThreshold('rootQuorumThreshold', rootQuorumThreshold, rootUsers.length),
          E.flatMap(() => newUsers('rootUsers', rootUsers, context)),
          E.map((users) => ({
            result: { organizationId: context.organization.organizationId },
            change: { organizationName, users: [...users], threshold: rootQuorumThreshold },
          })),
        ),

  evolve: (draft, { organizationName, users, threshold }, { atMs }) => {
    draft.name = organizationName
    draft.createdAtMs = atMs
    for (const user of users) addUser(draft, user, atMs)
    draft.quorum.threshold = threshold
    draft.quorum.userIds = users.map(({ userId }) => userId)
  },
})
