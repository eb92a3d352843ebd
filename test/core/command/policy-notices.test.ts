import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Notice } from '../../../core/ports/notice.ts'
import type { Json } from '../../../core/failure.ts'
import { world } from '../world/world.ts'

const it = suite('notices of policies')

const policy = (policyName: string, condition: string, consensus = '') => ({
  policyName,
  effect: 'EFFECT_ALLOW',
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

it.run()
