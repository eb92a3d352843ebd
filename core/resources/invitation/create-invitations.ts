import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { checkQuota } from '../check-quota.ts'
import { AccessType } from '../user/user-params.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { invitationLimits } from './invitation-limits.ts'
import { invitations, openCount } from './invitations.ts'

const InvitationParams = t.fields({
  receiverUserName: t.Label,
  receiverUserEmail: t.Email,
  receiverUserTags: t.Uuids,
  accessType: AccessType,
  senderUserId: t.Uuid,
})

/** An invitation in a change; its time is the time of the event. */
const NewInvitation = t.fields({
  invitationId: t.subject(t.string),
  receiverUserName: t.personal(t.string, ''),
  receiverEmail: t.personal(t.string, ''),
  receiverUserTags: t.array(t.string),
  accessType: AccessType,
  senderUserId: t.string,
})

/** Nothing is sent: whoever invites tells the person. An invitation stays open when its sender is deleted. */
export const createInvitations = operation({
  type: 'ACTIVITY_TYPE_CREATE_INVITATIONS',
  path: 'create_invitations',
  summary: 'Invites persons who have no credential yet.',
  resource: 'INVITATION',
  action: 'CREATE',
  intent: t.fields({ invitations: t.some(InvitationParams) }),
  result: t.fields({ invitationIds: t.array(t.string) }),
  change: t.fields({ invitations: t.array(NewInvitation) }),
  subjects: ({ invitations: added }, ids) => added.map(() => ids()),

  execute: ({ invitations: added }, context) => {
    const { organization, ids, findAll } = context
    checkQuota(openCount(organization) + added.length, invitationLimits.of(context).invitations, 'open invitations')
    findAll(
      'user',
      users,
      added.map(({ senderUserId }) => senderUserId),
    )
    findAll(
      'user tag',
      userTags,
      added.flatMap(({ receiverUserTags }) => receiverUserTags),
    )
    const created = added.map(({ receiverUserEmail: receiverEmail, ...params }) => ({
      ...params,
      invitationId: ids(),
      receiverEmail,
    }))
    return {
      result: { invitationIds: created.map(({ invitationId }) => invitationId) },
      change: { invitations: created },
    }
  },

  evolve: (draft, { invitations: created }, { atMs }) => {
    for (const one of created)
      invitations
        .in(draft)
        .set(one.invitationId, { ...one, status: 'INVITATION_STATUS_CREATED', createdAtMs: atMs, updatedAtMs: atMs })
  },
})
