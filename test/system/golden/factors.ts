import type { Engine } from '../../../core/engine.ts'
import { right, type Person, type TestClock } from '../../core/world/world.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import { API_KEY, KEY_AND_PASSKEY, keyringOf, PASSKEY, requires, steps, TWO_KEYS } from '../../core/command/factors.ts'
import { beginOffice, idIn } from './office.ts'

const DAY_MS = 25 * 60 * 60_000

/**
 * An organization whose users have MFA policies: steps that are met in one vote, in several, never, and once more after the window; policies
 * that are changed and taken away; and a session profile.
 */
export const factors = async (
  engine: Engine,
  clock: TestClock,
): Promise<{ readonly organizationId: string; readonly key: SigningKey }> => {
  const office = await beginOffice(engine, clock)
  const { root, organizationId, done, enrol, submit, vote } = office
  const [ada, grace] = [await keyringOf(office, await enrol('ada')), await keyringOf(office, await enrol('grace'))]
  const boss = await keyringOf(office, root)
  const policy = { effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", notes: '' }
  await done(root, 'create_policy', { ...policy, policyName: 'two', consensus: 'approvers.count() >= 2' })
  const { userId } = ada.first
  const first = await requires(office, ada.first, KEY_AND_PASSKEY, { order: 2 })
  await requires(office, ada.first, TWO_KEYS, { condition: "activity.params.none == 'x'", order: 1 })
  await requires(office, grace.first, steps({ ...API_KEY, id: grace.second.apiKeyId }, API_KEY))
  const tag = (by: Person, userTagName: string) => done(by, 'create_user_tag', { userTagName, userIds: [] })
  const approve = async (open: Awaited<ReturnType<typeof tag>>, ...voters: readonly Person[]): Promise<void> => {
    for (const voter of voters) right(await vote('approve', voter, open))
  }
  await approve(await tag(ada.first, 'by all'), ada.first, ada.passkey, grace.first, grace.second)
  await approve(await tag(ada.passkey, 'in another order'), grace.second, grace.first, ada.first)
  right(await vote('reject', grace.first, await tag(ada.first, 'rejected while a factor is missing')))
  const lapsing = await tag(ada.first, 'lapsed')
  await approve(lapsing, ada.passkey)
  clock.pass(DAY_MS)
  await approve(lapsing, grace.first, grace.second, ada.first, ada.passkey)
  await tag(ada.first, 'left without a factor')

  const consensus = `approvers.any(user, user.id == '${grace.first.userId}')`
  const denying = { ...policy, policyName: 'not with grace', effect: 'EFFECT_DENY', consensus }
  const policyId = idIn(await done(root, 'create_policy', denying), 'policyId')
  await approve(await tag(ada.first, 'denied by one who lacks a factor'), grace.first)
  await done(root, 'delete_policy', { policyId })

  await done(root, 'update_mfa_policy', {
    userId,
    mfaPolicyId: first,
    requiredAuthenticationMethods: TWO_KEYS,
    notes: 'keys',
  })
  const open = await tag(ada.first, 'by two keys')
  await approve(open, ada.passkey, ada.second)
  await done(root, 'delete_api_keys', { userId, apiKeyIds: [ada.second.apiKeyId] })
  await approve(open, grace.first) // the second key of ada counts no more
  await done(root, 'delete_mfa_policy', { userId, mfaPolicyId: first })
  await approve(open, grace.second)

  const own = await requires(office, root, steps(API_KEY, PASSKEY), { condition: 'true' })
  const deletion = await done(root, 'delete_mfa_policy', { userId: root.userId, mfaPolicyId: own })
  await submit(root, 'update_organization_name', { organizationName: 'Waits for a passkey' })
  await approve(deletion, boss.passkey)
  await done(root, 'delete_users', { userIds: [grace.first.userId] })
  const profile = { sessionProfileName: 'tags alone', scope: "activity.resource == 'USER'", expirationSeconds: '900' }
  await done(root, 'create_session_profile', profile)
  return { organizationId, key: root.key }
}
