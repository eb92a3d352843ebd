import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deletedUsers } from '../../../../core/organization/deleted-users.ts'
import { createInvitations } from '../../../../core/resources/invitation/create-invitations.ts'
import { deleteInvitation } from '../../../../core/resources/invitation/delete-invitation.ts'
import { ENDED_INVITATIONS_MAX, invitations } from '../../../../core/resources/invitation/invitations.ts'
import { getOrganization } from '../../../../core/resources/organization/get-organization.ts'
import { updateRootQuorum } from '../../../../core/resources/quorum/update-root-quorum.ts'
import { deleteUsers } from '../../../../core/resources/user/delete-users.ts'
import { answer } from '../ask.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, type Tried } from '../execute.ts'

const it = suite('invitations')

const mallory = {
  receiverUserName: 'Mallory',
  receiverUserEmail: 'mallory@example.com',
  receiverUserTags: [],
  accessType: 'ACCESS_TYPE_WEB',
  senderUserId: GRACE,
}

const invite = (tried: Tried, circumstances = {}): string => {
  const { result } = tried.execute(createInvitations, { invitations: [mallory] }, circumstances)
  return (result as { readonly invitationIds: readonly string[] }).invitationIds[0] ?? ''
}

const shownIn = async ({ state }: Tried): Promise<readonly { readonly [member: string]: unknown }[]> => {
  const { organizationData } = await answer(getOrganization, state)
  return (organizationData as { readonly invitations: readonly { readonly [member: string]: unknown }[] }).invitations
}

it('are shown by get_organization, with the address under its other name, also when they are revoked', async () => {
  const tried = anyOrganization()
  const invitationId = invite(tried)
  const { receiverUserEmail: receiverEmail, ...rest } = mallory
  const createdAt = { seconds: String(NOW / 1000), nanos: '0' }
  const open = {
    invitationId,
    ...rest,
    receiverEmail,
    status: 'INVITATION_STATUS_CREATED',
    createdAt,
    updatedAt: createdAt,
  }
  assert.equal(await shownIn(tried), [open])
  tried.execute(deleteInvitation, { invitationId }, { atMs: NOW + 1000 })
  const updatedAt = { ...createdAt, seconds: String(NOW / 1000 + 1) }
  assert.equal(await shownIn(tried), [{ ...open, status: 'INVITATION_STATUS_REVOKED', updatedAt }])
})

it('are revoked once, and the person can be erased from then on', () => {
  const tried = anyOrganization()
  const invitationId = invite(tried)
  assert.is(deletedUsers.of(tried.state).has(invitationId), false)
  tried.execute(deleteInvitation, { invitationId })
  assert.is(deletedUsers.of(tried.state).get(invitationId)?.isErased, false)
  assert.equal(fieldsOf(tried.refuse(deleteInvitation, { invitationId })), ['invitationId'])
  assert.is(
    tried.refuse(deleteInvitation, { invitationId: NOBODY }).message.includes('unable to find invitation'),
    true,
  )
})

it('name a sender and tags that are there', () => {
  const tried = anyOrganization()
  for (const wrong of [{ senderUserId: NOBODY }, { receiverUserTags: [NOBODY] }])
    assert.is(
      tried.refuse(createInvitations, { invitations: [mallory, { ...mallory, ...wrong }] }).code,
      'RESOURCE_NOT_FOUND',
    )
})

it('are bounded: so many open ones, and so many that have ended, of which the first are forgotten', () => {
  const tried = anyOrganization()
  const limits = { invitations: 1 }
  const first = invite(tried, { limits })
  const refusal = tried.refuse(createInvitations, { invitations: [mallory] }, { limits })
  assert.is(refusal.code, 'RESOURCE_EXHAUSTED')
  assert.match(refusal.message, 'over its allotted quota: at most 1 open invitations')
  const open = invite(tried)
  tried.execute(deleteInvitation, { invitationId: first })
  for (let n = 0; n < ENDED_INVITATIONS_MAX; n += 1) {
    assert.ok(invitations.of(tried.state).has(first))
    tried.execute(deleteInvitation, { invitationId: invite(tried) })
  }
  const { size } = invitations.of(tried.state)
  assert.equal([size, invitations.of(tried.state).has(first)], [ENDED_INVITATIONS_MAX + 1, false])
  assert.ok(deletedUsers.of(tried.state).has(first), 'who was forgotten can still be erased')
  tried.execute(deleteInvitation, { invitationId: open })
  assert.ok(invitations.of(tried.state).has(open), 'the one that ended last is remembered, however old it is')
  assert.equal([...invitations.of(tried.replayed()).keys()], [...invitations.of(tried.state).keys()])
})

it('stay open when their sender is deleted', () => {
  const tried = anyOrganization()
  const invitationId = invite(tried)
  tried.execute(updateRootQuorum, { threshold: 1, userIds: [ADA] })
  tried.execute(deleteUsers, { userIds: [GRACE] })
  const { status, senderUserId } = invitations.of(tried.state).get(invitationId) ?? {}
  assert.equal([status, senderUserId], ['INVITATION_STATUS_CREATED', GRACE])
})

it.run()
