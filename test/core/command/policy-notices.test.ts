import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Notice } from '../../../core/ports/notice.ts'
import type { Json } from '../../../core/failure.ts'
import { world } from '../world/world.ts'

const it = suite('notices of policies')

const policy = (policyName: string, condition: string, consensus = '', effect = 'EFFECT_ALLOW') => ({
  policyName,
  effect,
  condition,
  consensus,
  notes: '',
})

it('tell the operator what a new or changed policy names and the engine does not have', async () => {
  const notices: Notice[] = []
  const { root, done, organizationId, close } = await world({ onNotice: (notice) => void notices.push(notice) })
  const { result: tagged } = await done(root, 'create_user_tag', { userTagName: 'officers', userIds: [] })
  const { userTagId } = tagged['createUserTagResult'] as { readonly userTagId: string } // as it is defined
  const told = () => notices.splice(0).map(({ level, context }) => [level, context])
  const about = (policyId: Json | undefined, ...warnings: readonly string[]) => [
    'warn',
    { organizationId, policyId, warnings },
  ]

  await done(root, 'create_policy', policy('good', "activity.resource == 'USER'"))
  assert.equal(told(), [])
  const { result } = await done(root, 'create_policy', policy('bad', "activity.resource == 'USERS'"))
  const { policyId } = result['createPolicyResult'] as { readonly policyId: string } // as it is defined
  assert.equal(told(), [about(policyId, "condition: no operation has the resource 'USERS'")])
  await done(root, 'update_policy', { policyId, policyCondition: "activity.resource == 'USER'" })
  assert.equal(told(), [])
  const byName = "approvers.any(user, user.tags.contains('officers'))"
  const two = [policy('one', ''), policy('two', '', byName)]
  const { result: created } = await done(root, 'create_policies', { policies: two })
  const { policyIds } = created['createPoliciesResult'] as { readonly policyIds: readonly string[] } // as it is defined
  assert.equal(told(), [
    about(policyIds[1], `consensus: tags are named by id, and 'officers' is the name of the tag ${userTagId}`),
  ])
  await done(root, 'delete_policies', { policyIds })
  assert.equal(told(), [])
  await close()
})

it('tell the operator what a new or changed policy would not deny, and say nothing of one that allows', async () => {
  const notices: Notice[] = []
  const { root, done, organizationId, close } = await world({ onNotice: (notice) => void notices.push(notice) })
  const told = () => notices.splice(0).map(({ message, context }) => [message, context])
  const about = (policyId: Json | undefined, ...warnings: readonly string[]) => [
    'a policy may not do what it says',
    { organizationId, policyId, warnings },
  ]
  const reads = "activity.params.user_ids.contains('a')"
  const guarded = `activity.kind == 'DELETE_USERS' && ${reads}`
  const wide = `activity.kind in ['CREATE_USER_TAG', 'UPDATE_USER_TAG', 'DELETE_USER_TAGS'] && ${reads}`
  const without =
    'condition: an activity without activity.params.user_ids is not denied: create_user_tag, update_user_tag, delete_user_tags'

  await done(root, 'create_policy', policy('allows', wide))
  const { result } = await done(root, 'create_policy', policy('guarded', guarded, '', 'EFFECT_DENY'))
  assert.equal(told(), [])
  const { policyId } = result['createPolicyResult'] as { readonly policyId: string } // as it is defined
  await done(root, 'update_policy', { policyId, policyCondition: wide })
  assert.equal(told(), [about(policyId, without)])
  const two = [policy('one', guarded, '', 'EFFECT_DENY'), policy('two', wide, "approvers[1].id == 'a'", 'EFFECT_DENY')]
  const { result: created } = await done(root, 'create_policies', { policies: two })
  const { policyIds } = created['createPoliciesResult'] as { readonly policyIds: readonly string[] } // as it is defined
  const outOfRange = 'consensus: an activity where an index or a part is out of range is not denied'
  assert.equal(told(), [about(policyIds[1], without, outOfRange)])
  await done(root, 'update_policy', { policyId, policyEffect: 'EFFECT_ALLOW' })
  assert.equal(told(), [])
  await close()
})

it.run()
