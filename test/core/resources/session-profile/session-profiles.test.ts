import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { beginBelow, codeOf, world, type World } from '../../world/world.ts'

const it = suite('session profiles')

const profile = { sessionProfileName: 'tags', scope: "activity.resource == 'USER'", expirationSeconds: '900' }

const make = async (made: World): Promise<string> => {
  const { result } = await made.done(made.root, 'create_session_profile', profile)
  return (result['createSessionProfileResult'] as { readonly sessionProfileId: string }).sessionProfileId
}

it('of a sub-organization are those of its parent', async () => {
  const made = await world()
  const child = await beginBelow(made, made)
  assert.is(codeOf(await child.submit(child.root, 'create_session_profile', profile)), 'INVALID_ACTIVITY_CALLER')
  assert.equal((await child.answer(child.root, 'get_session_profiles'))['sessionProfiles'], [])
  const sessionProfileId = await make(made)
  for (const [place, asker] of [
    [made, made.root],
    [child, child.root],
    [child, made.root],
  ] as const) {
    const { sessionProfiles } = await place.answer(asker, 'get_session_profiles')
    const { sessionProfile } = await place.answer(asker, 'get_session_profile', { sessionProfileId })
    assert.equal(sessionProfiles, [sessionProfile])
    const { createdAt, updatedAt, ...members } = sessionProfile as { readonly [member: string]: Json }
    assert.equal([members, createdAt], [{ sessionProfileId, ...profile }, updatedAt])
  }
  await made.close()
})

it('are refused by the member that is wrong', async () => {
  const made = await world({ limits: { sessionProfiles: 1 } })
  const refused = async (members: { readonly [member: string]: Json }) =>
    codeOf(await made.submit(made.root, 'create_session_profile', { ...profile, ...members }))
  for (const wrong of [
    { sessionProfileName: '' },
    { scope: 'activity.' },
    { scope: 'approvers.count() > 1' },
    { expirationSeconds: '0' },
    { expirationSeconds: '1.5' },
    { expirationSeconds: 900 },
  ])
    assert.is(await refused(wrong), 'REQUEST_INVALID', JSON.stringify(wrong))
  await make(made)
  assert.is(await refused({}), 'RESOURCE_EXHAUSTED')
  await made.close()
})

it.run()
