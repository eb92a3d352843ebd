import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, right, world, type Place } from '../../world/world.ts'
import { keysOf, signIn } from './scene.ts'

const it = suite('the scope of a session')

const office = async (scope: string) => {
  const made = await world()
  const { result } = await made.done(made.root, 'create_session_profile', { sessionProfileName: 'narrow', scope })
  const { sessionProfileId } = Object.values(result)[0] as { readonly sessionProfileId: string } // as the wire says
  return { ...made, sessionProfileId, session: await signIn(made, made.root, { sessionProfileId }) }
}

const tag = (place: Place, signer: Parameters<Place['submit']>[0], userTagName = 'tag') =>
  place.submit(signer, 'create_user_tag', { userTagName, userIds: [] })

const count = async (place: Place): Promise<number> =>
  ((await place.answer(place.root, 'list_activities')) as { readonly activities: readonly unknown[] }).activities.length

it('refuses an activity outside of it, also where the quorum is met, and stores nothing', async () => {
  const made = await office("activity.kind == 'CREATE_USER_TAG'")
  const before = await count(made)
  const { userId } = made.root
  const wrong = await made.submit(made.session, 'update_user_name', { userId, userName: 'other' })
  assert.is(codeOf(wrong), 'REQUEST_NOT_AUTHORIZED')
  assert.is(await count(made), before)
  right(await tag(made, made.session))
  right(await made.ask(made.session, 'list_users'))
  await made.close()
})

it('refuses all activities where it is false or has an error', async () => {
  for (const scope of ['1 == 2', "activity.params.none == 'x'"]) {
    const made = await office(scope)
    assert.is(codeOf(await tag(made, made.session)), 'REQUEST_NOT_AUTHORIZED', scope.slice(0, 40))
    right(await tag(made, made.root))
    await made.close()
  }
})

it('lets everything pass where it is empty', async () => {
  const made = await office('')
  right(await tag(made, made.session))
  await made.close()
})

it('holds for votes, also for rejections, by what the activity is that they are on', async () => {
  const made = await office("activity.kind == 'CREATE_USER_TAG'")
  const ada = await made.enrol('ada')
  await made.done(made.root, 'update_root_quorum', { threshold: 2, userIds: [made.root.userId, ada.userId] })
  const outside = right(await made.submit(ada, 'update_user_name', { userId: ada.userId, userName: 'adam' }))
  for (const vote of [made.approve, made.reject])
    assert.is(codeOf(await vote(made.session, outside)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(right(await made.approve(made.session, right(await tag(made, ada)))).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(
    right(await made.reject(made.session, right(await tag(made, ada, 'two')))).status,
    'ACTIVITY_STATUS_REJECTED',
  )
  await made.close()
})

it('stays with the key that is renewed under it, and a session without one is made outside of it only', async () => {
  const made = await office("activity.kind == 'CREATE_USER_TAG'")
  const { session, sessionProfileId } = made
  const renewal = { publicKey: session.key.publicKey, sessionProfileId }
  assert.is(codeOf(await made.submit(session, 'stamp_login', renewal)), 'REQUEST_NOT_AUTHORIZED')
  await signIn(made, made.root, { sessionProfileId }, session.key)
  assert.is(codeOf(await made.submit(session, 'stamp_login', renewal)), 'REQUEST_NOT_AUTHORIZED')
  await made.close()
})

it('lets its session renew itself where it says so by the profile', async () => {
  const made = await world()
  const profile = { sessionProfileName: 'narrow', scope: "activity.kind == 'STAMP_LOGIN'" }
  const { result } = await made.done(made.root, 'create_session_profile', profile)
  const { sessionProfileId } = Object.values(result)[0] as { readonly sessionProfileId: string } // as the wire says
  const session = await signIn(made, made.root, { sessionProfileId })
  await signIn(made, session, { sessionProfileId }, session.key)
  assert.is((await keysOf(made, made.root)).length, 2)
  await made.close()
})

it('is the step of a second factor, by the profile', async () => {
  const made = await office('')
  const { session, sessionProfileId } = made
  const plain = await signIn(made, made.root)
  const NO_PROFILE = '00000000-0000-0000-0000-000000000000'
  const requires = (id: string | undefined, order: number) => ({
    userId: made.root.userId,
    mfaPolicyName: `policy ${order}`,
    condition: "activity.kind == 'CREATE_USER_TAG'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_SESSION', ...(id && { id }) }] }],
    order,
  })
  const statusBy = async (signer: typeof plain, n: string) => right(await tag(made, signer, n)).status
  for (const [id, satisfied] of [
    [sessionProfileId, [session]],
    [NO_PROFILE, [plain]],
    [undefined, [session, plain]],
  ] as const) {
    const made1 = await made.done(made.root, 'create_mfa_policy', requires(id, 1))
    for (const signer of [session, plain]) {
      const expected = satisfied.some((one) => one === signer) ? 'COMPLETED' : 'AUTHENTICATORS_NEEDED'
      assert.is(await statusBy(signer, `${String(id)} ${signer.apiKeyId}`), `ACTIVITY_STATUS_${expected}`)
    }
    const { mfaPolicyId } = Object.values(made1.result)[0] as { readonly mfaPolicyId: string } // as the wire says
    await made.done(made.root, 'delete_mfa_policy', { userId: made.root.userId, mfaPolicyId })
  }
  await made.close()
})

it('is not named as the wire names types of sessions', async () => {
  const made = await world()
  const profile = { sessionProfileName: 'SESSION_TYPE_READ_WRITE', scope: '' }
  assert.is(codeOf(await made.submit(made.root, 'create_session_profile', profile)), 'REQUEST_INVALID')
  await made.close()
})

it.run()
