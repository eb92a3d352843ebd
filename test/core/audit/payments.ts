import type { Json } from '../../../core/failure.ts'
import { right, type Person } from '../world/world.ts'
import type { Trio } from './logs.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Payments that two have to approve, work that is done before a decision, a policy that goes, a denial, approvals that lapse.
 *
 * @returns somebody whom no policy lets do anything in the end
 */
export const payments = async (world: Trio): Promise<Person> => {
  const { ada, approve, clock, done, enrol, grace, root, submit } = world
  const policy = { policyName: 'payments', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2', notes: '' }
  right(
    await approve(grace, await done(root, 'create_policy', { ...policy, condition: "activity.resource == 'PAYMENT'" })),
  )
  const alone = { ...policy, policyName: 'alone', consensus: 'true' }
  const condition = "activity.action == 'CREATE' && activity.resource != 'PAYMENT'"
  const created = right(await approve(grace, await done(root, 'create_policy', { ...alone, condition })))
  const outsider = await enrol('outsider')
  await done(outsider, 'quote', { item: 'paper' })
  const lapsed = await done(ada, 'pay', { payee: 'baker', cents: 500 })
  right(await approve(outsider, lapsed))
  clock.pass(2 * DAY_MS)
  const lapsing = await done(ada, 'pay', { payee: 'printer', cents: 100 })
  clock.pass(DAY_MS + 1)
  right(await approve(grace, lapsing))
  const { policyId } = created.result.createPolicyResult as { readonly policyId: string }
  clock.pass(1000)
  right(await approve(grace, await done(root, 'delete_policy', { policyId })))
  right(await approve(grace, await done(root, 'pay', { payee: 'paid first', cents: 300 })))
  clock.pass(1000)
  await submit(outsider, 'quote', { item: 'denied' })
  right(await approve(grace, await done(root, 'create_users', { users: [user('late')] })))
  right(await approve(grace, await done(root, 'quote', { item: 'ink' })))
  const first = await done(root, 'create_user_tag', { userTagName: 'of both', userIds: [] })
  await done(ada, 'create_user_tag', { userTagName: 'of both', userIds: [] })
  right(await approve(grace, first))
  right(await approve(grace, await done(root, 'pay', { payee: 'baker', cents: 700 })))
  return outsider
}

const user = (userName: string): Json => {
  const apiKeys: Json = [{ apiKeyName: 'key', publicKey: `02${'0'.repeat(63)}5`, curveType: 'API_KEY_CURVE_P256' }]
  return { userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
}
