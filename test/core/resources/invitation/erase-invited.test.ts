import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import type { Engine } from '../../../../core/engine.ts'
import { erasure, eraseUser } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { audited, codesIn, exported } from '../../audit/logs.ts'
import { secondProcess } from '../../command/second-process.ts'
import { anyPasskey, paramsOf } from '../../world/software-passkey.ts'
import { keptOpen } from '../../world/test-store.ts'
import { codeOf, right, stamped, world, type World } from '../../world/world.ts'

const it = suite('the erasure of who was invited')

const resources = [...publicApi, ...erasure]
const [NAME, EMAIL, PASSKEY] = ['Mallory Meier', 'mallory@example.com', 'the key ring of Mallory']

type Invited = { readonly w: World; readonly invitationId: string }

const inAWorld = async (play: (invited: Invited) => Promise<void>): Promise<void> => {
  const w = await world({ resources, snapshotEvery: 1, store: keptOpen(memoryStore()) })
  const invited = { receiverUserName: NAME, receiverUserEmail: EMAIL, receiverUserTags: [] }
  const invitation = { ...invited, accessType: 'ACCESS_TYPE_ALL', senderUserId: w.root.userId }
  const made = await w.done(w.root, 'create_invitations', { invitations: [invitation] })
  const { invitationIds } = made.result['createInvitationsResult'] as { readonly invitationIds: readonly string[] }
  await play({ w, invitationId: invitationIds[0] ?? '' })
  assert.equal(codesIn(await audited(await exported(w.storage.store), {}, [eraseUser])), [])
  await w.close()
}

const accept = ({ w, invitationId }: Invited, userId: string) =>
  w.done(w.root, 'accept_invitation', { invitationId, userId, authenticator: paramsOf(anyPasskey(), PASSKEY) })
const remove = ({ w }: Invited, userId: string) => w.done(w.root, 'delete_users', { userIds: [userId] })
const erase = ({ w }: Invited, userId: string) => w.done(w.root, 'erase_user', { userId })

/** What is left of the person: in the log, and in what another process shows, which reads the log anew. */
const leftOf = async ({ w }: Invited): Promise<readonly string[]> => {
  const second = await secondProcess(w, { resources })
  const text = (await exported(w.storage.store)) + (await shownBy(w.engine, w)) + (await shownBy(second, w))
  await second.close()
  return [NAME, EMAIL, PASSKEY].filter((one) => spellingsOf(one).some((spelling) => text.includes(spelling)))
}
const spellingsOf = (text: string): readonly string[] => [
  text,
  ...[0, 1, 2].map((skipped) =>
    Buffer.from(' '.repeat(skipped) + text)
      .toString('base64')
      .slice(4, -4),
  ),
]
const shownBy = async (engine: Engine, w: World): Promise<string> => {
  const body = encodeUtf8(JSON.stringify({ organizationId: w.organizationId }))
  const asked = (path: string) => engine.query(path, stamped(w.root, body))()
  return JSON.stringify([right(await asked('get_organization')), right(await asked('list_activities'))])
}

const all = [NAME, EMAIL, PASSKEY]

it('is refused while the invitation is open', () =>
  inAWorld(async (invited) => {
    const { w, invitationId } = invited
    assert.is(codeOf(await w.submit(w.root, 'erase_user', { userId: invitationId })), 'REQUEST_INVALID')
    assert.equal(await leftOf(invited), [NAME, EMAIL])
  }))

it('follows when the invitation is revoked, and covers acceptances that were denied', () =>
  inAWorld(async (invited) => {
    const { w, invitationId } = invited
    const ada = await w.enrol('ada')
    const authenticator = paramsOf(anyPasskey(), PASSKEY)
    const denied = await w.submit(ada, 'accept_invitation', { invitationId, userId: randomUUID(), authenticator })
    assert.is(codeOf(denied), 'REQUEST_NOT_AUTHORIZED')
    assert.equal(await leftOf(invited), all)
    await w.done(w.root, 'delete_invitation', { invitationId })
    await erase(invited, invitationId)
    assert.equal(await leftOf(invited), [])
  }))

it('is one, where the user got the id of the invitation', () =>
  inAWorld(async (invited) => {
    const { w, invitationId } = invited
    await accept(invited, invitationId)
    assert.equal(await leftOf(invited), all)
    assert.is(codeOf(await w.submit(w.root, 'erase_user', { userId: invitationId })), 'REQUEST_INVALID')
    await remove(invited, invitationId)
    await erase(invited, invitationId)
    assert.equal(await leftOf(invited), [])
  }))

for (const isUserFirst of [true, false])
  it(`is that of both, where the user got another id: ${isUserFirst ? 'the user' : 'the invitation'} first`, () =>
    inAWorld(async (invited) => {
      const [{ w, invitationId }, userId] = [invited, randomUUID()]
      await accept(invited, userId)
      await remove(invited, userId)
      const ids = isUserFirst ? [userId, invitationId] : [invitationId, userId]
      assert.equal(await leftOf(invited), all)
      for (const id of ids) {
        assert.ok((await leftOf(invited)).length > 0)
        await erase(invited, id)
      }
      assert.equal(await leftOf(invited), [])
      assert.is(codeOf(await w.submit(w.root, 'erase_user', { userId: invitationId })), 'REQUEST_INVALID')
    }))

it('leaves a user who got another id, and the invitation without name and address', () =>
  inAWorld(async (invited) => {
    const [{ w, invitationId }, userId] = [invited, randomUUID()]
    await accept(invited, userId)
    await erase(invited, invitationId)
    assert.equal(await leftOf(invited), all)
    const second = await secondProcess(w, { resources })
    const body = encodeUtf8(JSON.stringify({ organizationId: w.organizationId }))
    const { organizationData } = right(await second.query('get_organization', stamped(w.root, body))())
    await second.close()
    const { users, invitations } = organizationData as {
      readonly users: readonly { readonly userId: string; readonly userName: string }[]
      readonly invitations: readonly { readonly receiverUserName: string; readonly receiverEmail: string }[]
    }
    assert.is(users.find((user) => user.userId === userId)?.userName, NAME)
    assert.equal([invitations[0]?.receiverUserName, invitations[0]?.receiverEmail], ['', ''])
  }))

it('is found from the user: the acceptance is among the places, and its result names the invitation', () =>
  inAWorld(async (invited) => {
    const [{ w, invitationId }, userId] = [invited, randomUUID()]
    const { id } = await accept(invited, userId)
    await remove(invited, userId)
    await erase(invited, userId)
    const { places } = await w.answer(w.root, 'list_personal_places', { userId })
    assert.ok((places as readonly { readonly activityId: string }[]).some((place) => place.activityId === id))
    const { activity } = await w.answer(w.root, 'get_activity', { activityId: id })
    assert.match(
      JSON.stringify(activity),
      `"acceptInvitationResult":{"invitationId":"${invitationId}","userId":"${userId}"}`,
    )
  }))

it.run()
