import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { users } from '../../../../core/organization/users.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { getOrganization } from '../../../../core/resources/organization/get-organization.ts'
import { createPolicy } from '../../../../core/resources/policy/create-policy.ts'
import { listPolicies } from '../../../../core/resources/policy/list-policies.ts'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { listUserTags } from '../../../../core/resources/user-tag/list-user-tags.ts'
import { listUsers } from '../../../../core/resources/user/list-users.ts'
import { answer, refusal } from '../ask.ts'
import { ADA, anyOrganization, GRACE, ORGANIZATION, uuid } from '../execute.ts'

const it = suite('get organization')

const dataOf = async (tried: ReturnType<typeof anyOrganization>) =>
  (await answer(getOrganization, tried.state)).organizationData as { readonly [member: string]: Json }

it('shows what the organization has, as the other queries show it', async () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'ops', userIds: [ADA] })
  tried.execute(createPolicy, { policyName: 'all', effect: 'EFFECT_ALLOW', notes: '' })
  tried.execute(setOrganizationFeature, { name: 'FEATURE_NAME_WEBHOOK', value: 'https://a.example' })
  const { users, policies, tags, rootQuorum, features, organizationId, name } = await dataOf(tried)
  assert.equal({ users }, await answer(listUsers, tried.state))
  assert.equal({ policies }, await answer(listPolicies, tried.state))
  assert.equal({ userTags: tags }, await answer(listUserTags, tried.state))
  assert.equal([organizationId, name], [ORGANIZATION, 'Analytical Engines'])
  assert.equal(rootQuorum, { threshold: 1, userIds: [ADA, GRACE] })
  assert.equal(features, [{ name: 'FEATURE_NAME_WEBHOOK', value: 'https://a.example' }])
})

it('has empty lists of what does not exist yet', async () => {
  const { policies, privateKeys, invitations, tags, features, wallets, smartContractInterfaceReferences } =
    await dataOf(anyOrganization())
  for (const list of [policies, privateKeys, invitations, tags, features, wallets, smartContractInterfaceReferences])
    assert.equal(list, [])
})

it('is refused where writing a list of it would keep everybody waiting', async () => {
  const { state } = anyOrganization()
  const all = users.in(state)
  const [ada] = all.values()
  assert.ok(ada)
  for (let n = 0; n < 10_000; n += 1) all.set(uuid(0x10000 + n), { ...ada, userId: uuid(0x10000 + n) })
  assert.is((await refusal(getOrganization, state)).code, 'REQUEST_TOO_LARGE')
})

it.run()
