import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure, Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { erasure, eraseUser } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { audited, codesIn, exported } from '../../audit/logs.ts'
import { anyPasskey, paramsOf } from '../../world/software-passkey.ts'
import { codeOf, right, world, type Person, type World } from '../../world/world.ts'
import { askBy } from '../authenticator/passkey-world.ts'
import { fieldsOf } from '../execute.ts'
import { json } from '../scene.ts'
import { olderForm } from '../authenticator/new-passkey.ts'

const it = suite('accept invitation')

const NAME = 'Mallory Meier'
const EMAIL = 'mallory@example.com'
const resources = [...publicApi, ...erasure]

const inAWorld = async (play: (w: World) => Promise<void>): Promise<void> => {
  const w = await world({ resources })
  await play(w)
  assert.equal(codesIn(await audited(await exported(w.storage.store), {}, [eraseUser])), [])
  await w.close()
}

const resultOf = <A>(activity: ActivityView, name: string): A => activity.result[name] as A // of the operation asked for

const invite = async (w: World, receiverUserTags: readonly string[] = []): Promise<string> => {
  const invited = { receiverUserName: NAME, receiverUserEmail: EMAIL, receiverUserTags: [...receiverUserTags] }
  const invitation = { ...invited, accessType: 'ACCESS_TYPE_ALL', senderUserId: w.root.userId }
  const made = await w.done(w.root, 'create_invitations', { invitations: [invitation] })
  return resultOf<{ readonly invitationIds: readonly string[] }>(made, 'createInvitationsResult').invitationIds[0] ?? ''
}

const acceptance = (invitationId: string, userId: string = randomUUID(), passkey = anyPasskey()) => ({
  invitationId,
  userId,
  authenticator: paramsOf(passkey, 'a passkey'),
})
const accept = (w: World, person: Person, parameters: Json) => w.submit(person, 'accept_invitation', parameters)
const headOf = async ({ storage, organizationId }: World) => right(await storage.store.head(organizationId)())
const refusalOf = (outcome: E.Either<Failure, ActivityView>): Failure => {
  if (E.isRight(outcome)) throw new Error(`it is ${outcome.right.status}`)
  return outcome.left
}
const statusOf = async (w: World, invitationId: string): Promise<string | undefined> => {
  const { organizationData } = await w.answer(w.root, 'get_organization')
  const { invitations } = organizationData as {
    readonly invitations: readonly { readonly invitationId: string; readonly status: string }[]
  }
  return invitations.find((one) => one.invitationId === invitationId)?.status
}

const forms = {
  ACTIVITY_TYPE_ACCEPT_INVITATION_V2: acceptance,
  ACTIVITY_TYPE_ACCEPT_INVITATION: (...given: Parameters<typeof acceptance>) => {
    const accepted = acceptance(...given)
    return { ...accepted, authenticator: json(olderForm(accepted.authenticator, accepted.userId)) }
  },
}

for (const [type, form] of Object.entries(forms))
  it(`makes the invited user, who stamps with the passkey: ${type}`, () =>
    inAWorld(async (w) => {
      const tagOf = async (userTagName: string): Promise<string> =>
        resultOf<{ readonly userTagId: string }>(
          await w.done(w.root, 'create_user_tag', { userTagName, userIds: [] }),
          'createUserTagResult',
        ).userTagId
      const [kept, gone] = [await tagOf('kept'), await tagOf('gone')]
      const invitationId = await invite(w, [kept, gone])
      await w.done(w.root, 'delete_user_tags', { userTagIds: [gone] })
      const [passkey, userId] = [anyPasskey(), randomUUID()]
      const parameters = form(invitationId, userId, passkey)
      const body = w.body('accept_invitation', parameters, { type })
      const accepted = right(await w.send(w.root, 'accept_invitation', body))
      assert.equal(accepted.result['acceptInvitationResult'], { invitationId, userId })
      assert.is(right(await w.send(w.root, 'accept_invitation', body)).id, accepted.id, 'a repeated body')
      const asked = right(await askBy(w, passkey, 'whoami'))
      assert.equal([asked['userId'], asked['username']], [userId, NAME])
      const { user } = await w.answer(w.root, 'get_user', { userId })
      const { userEmail, userTags } = user as { readonly [member: string]: Json }
      assert.equal([userEmail, userTags], [EMAIL, [kept]], 'a tag that was deleted meanwhile is left out')
      assert.is(await statusOf(w, invitationId), 'INVITATION_STATUS_ACCEPTED')
      const again = refusalOf(await accept(w, w.root, acceptance(invitationId)))
      assert.equal([again.code, fieldsOf(again)], ['REQUEST_INVALID', ['invitationId']])
      const revoked = refusalOf(await w.submit(w.root, 'delete_invitation', { invitationId }))
      assert.equal([revoked.code, fieldsOf(revoked)], ['REQUEST_INVALID', ['invitationId']])
    }))

it('refuses the id of a user who is there, who was there, who was erased, of another invitation, and what the engine may derive', () =>
  inAWorld(async (w) => {
    const invitationId = await invite(w)
    const leaves = async (userId: string): Promise<string> => {
      right(await accept(w, w.root, acceptance(await invite(w), userId)))
      await w.done(w.root, 'delete_users', { userIds: [userId] })
      return userId
    }
    const [there, deleted, erased, own] = [
      randomUUID(),
      await leaves(randomUUID()),
      await leaves(randomUUID()),
      await invite(w),
    ]
    right(await accept(w, w.root, acceptance(await invite(w), there)))
    right(await accept(w, w.root, acceptance(own, own)))
    await w.done(w.root, 'erase_user', { userId: erased })
    const revoked = await invite(w)
    await w.done(w.root, 'delete_invitation', { invitationId: revoked })
    const derived = '00000000-0000-8000-8000-000000000000'
    for (const userId of [
      w.root.userId,
      there,
      there.toUpperCase(),
      deleted,
      erased,
      own,
      await invite(w),
      revoked,
      derived,
      'x',
      '',
    ]) {
      const before = await headOf(w)
      const refused = refusalOf(await accept(w, w.root, acceptance(invitationId, userId)))
      assert.equal([refused.code, fieldsOf(refused)], ['REQUEST_INVALID', ['userId']], userId)
      assert.not.match(JSON.stringify(refused), /mallory/i)
      assert.equal(await headOf(w), before)
    }
    right(await accept(w, w.root, acceptance(invitationId)))
  }))

it('refuses a passkey that is wrong or taken, by its place, and an older form that names two users', () =>
  inAWorld(async (w) => {
    const [passkey, invitationId] = [anyPasskey(), await invite(w)]
    const wrong = { ...acceptance(invitationId), authenticator: { ...paramsOf(anyPasskey()), challenge: 'another' } }
    assert.equal(fieldsOf(refusalOf(await accept(w, w.root, wrong))), ['authenticator'])
    right(await accept(w, w.root, acceptance(await invite(w), randomUUID(), passkey)))
    const taken = refusalOf(await accept(w, w.root, acceptance(invitationId, randomUUID(), passkey)))
    assert.equal(fieldsOf(taken), ['authenticator.attestation.credentialId'])
    const older = { ...acceptance(invitationId), authenticator: json(olderForm(paramsOf(anyPasskey()), randomUUID())) }
    const type = 'ACTIVITY_TYPE_ACCEPT_INVITATION'
    const refused = refusalOf(await w.submit(w.root, 'accept_invitation', older, { type }))
    assert.equal(fieldsOf(refused), ['authenticator.userId'])
  }))

it('lets one of two that come at once make a user', () =>
  inAWorld(async (w) => {
    const invitationId = await invite(w)
    const outcomes = await Promise.all([1, 2].map(() => accept(w, w.root, acceptance(invitationId))))
    assert.equal(outcomes.map(codeOf).toSorted(), ['REQUEST_INVALID', 'no failure'])
    const { users } = await w.answer(w.root, 'list_users')
    assert.is((users as readonly unknown[]).length, 2)
  }))

/** An acceptance that waits for the second member of the root quorum. */
const waiting = async (w: World, parameters: readonly Json[]) => {
  const ada = await w.enrol('ada')
  const quorum = (threshold: number) => ({ threshold, userIds: [w.root.userId, ada.userId] })
  await w.done(w.root, 'update_root_quorum', quorum(2))
  const open: ActivityView[] = []
  for (const one of parameters) open.push(right(await accept(w, w.root, one)))
  assert.ok(open.every(({ status }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED'))
  return { ada, open }
}
const approved = async (w: World, ada: Person, path: string, parameters: Json): Promise<ActivityView> =>
  right(await w.approve(ada, right(await w.submit(w.root, path, parameters))))

it('waits for a second user, who approves or rejects it', () =>
  inAWorld(async (w) => {
    const [first, second] = [await invite(w), await invite(w)]
    const { ada, open } = await waiting(w, [acceptance(first), acceptance(second)])
    const [one, other] = open
    if (one === undefined || other === undefined) throw new Error('two wait')
    assert.is(right(await w.approve(ada, one)).status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is(right(await w.reject(ada, other)).status, 'ACTIVITY_STATUS_REJECTED')
    assert.equal(
      [await statusOf(w, first), await statusOf(w, second)],
      ['INVITATION_STATUS_ACCEPTED', 'INVITATION_STATUS_CREATED'],
    )
    const revoked = await approved(w, ada, 'delete_invitation', { invitationId: second })
    assert.is(revoked.status, 'ACTIVITY_STATUS_COMPLETED')
  }))

it('fails where, while it waits, the invitation is revoked or accepted, or the id is taken', () =>
  inAWorld(async (w) => {
    const [revoked, accepted, another] = [await invite(w), await invite(w), await invite(w)]
    const userId = randomUUID()
    const late = [acceptance(revoked), acceptance(accepted), acceptance(another, userId)]
    const { ada, open } = await waiting(w, late)
    assert.is(
      (await approved(w, ada, 'delete_invitation', { invitationId: revoked })).status,
      'ACTIVITY_STATUS_COMPLETED',
    )
    const first = await approved(w, ada, 'accept_invitation', acceptance(accepted, userId))
    assert.is(first.status, 'ACTIVITY_STATUS_COMPLETED')
    for (const [index, activity] of open.entries()) {
      const { status, failure } = right(await w.approve(ada, activity))
      assert.equal([status, failure?.code], ['ACTIVITY_STATUS_FAILED', 'REQUEST_INVALID'])
      assert.match(failure?.message ?? '', index === 2 ? 'at userId' : 'at invitationId')
      assert.not.match(JSON.stringify(failure), /mallory/i)
    }
    assert.is(await statusOf(w, another), 'INVITATION_STATUS_CREATED')
  }))

it('is denied to whom no policy allows it, and where that would bring data of a deleted person back, nothing is stored', () =>
  inAWorld(async (w) => {
    const [ada, invitationId] = [await w.enrol('ada'), await invite(w)]
    assert.is(codeOf(await accept(w, ada, acceptance(invitationId))), 'REQUEST_NOT_AUTHORIZED')
    await w.done(w.root, 'delete_invitation', { invitationId })
    const head = await headOf(w)
    assert.is(refusalOf(await accept(w, ada, acceptance(invitationId))).code, 'RESOURCE_NOT_FOUND')
    assert.equal(await headOf(w), head)
    const condition = "activity.resource == 'USER' && activity.action == 'CREATE'"
    const consensus = `approvers.any(user, user.id == '${ada.userId}')`
    const policy = { policyName: 'ada creates users', effect: 'EFFECT_ALLOW', condition, consensus, notes: '' }
    await w.done(w.root, 'create_policy', policy)
    assert.is(right(await accept(w, ada, acceptance(await invite(w)))).status, 'ACTIVITY_STATUS_COMPLETED')
  }))

it.run()
