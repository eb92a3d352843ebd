import { generateKey } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { right, stamped, type Person } from '../../core/world/world.ts'
import { idIn, keyParams, type Office } from './office.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Policies of every kind, made, changed and taken away. */
export const policies = async ({ root, done, people, person, submit }: Office): Promise<void> => {
  const policy = (
    policyName: string,
    effect: string,
    condition: string,
    consensus: string,
  ): { [member: string]: Json } => ({
    policyName,
    effect,
    condition,
    consensus,
    notes: `notes of ${policyName}`,
  })
  const ids = [person('ada'), person('grace'), person('mary')].map(({ userId }) => `'${userId}'`).join(', ')
  const two = `approvers.filter(user, user.id in [${ids}]).count() >= 2`
  await done(
    root,
    'create_policy',
    policy('two for tags', 'EFFECT_ALLOW', "activity.resource == 'USER' && activity.action != 'DELETE'", two),
  )
  await done(root, 'create_policies', {
    policies: [
      policy('payments', 'EFFECT_ALLOW', "activity.resource == 'PAYMENT' && activity.params.cents < 100000", two),
      policy(
        'no large payments',
        'EFFECT_DENY',
        "activity.resource == 'PAYMENT' && activity.params.cents > 1000000",
        '',
      ),
      policy(
        'quotes',
        'EFFECT_ALLOW',
        "activity.action == 'CREATE' && activity.resource in ['QUOTE', 'LETTER']",
        'true',
      ),
      policy('errs', 'EFFECT_DENY', "activity.params.nothing == 'here'", 'approvers[7].id != approvers[0].alias'),
      policy(
        'with keys',
        'EFFECT_ALLOW',
        "activity.kind == 'DELETE_POLICY'",
        "credentials.any(key, key.type == 'CREDENTIAL_TYPE_API_KEY_ED25519')",
      ),
    ],
  })
  const spare = async (policyName: string): Promise<string> =>
    idIn(await done(root, 'create_policy', policy(policyName, 'EFFECT_DENY', "activity.type == ''", '')), 'policyId')
  const [one, another, third] = [await spare('one'), await spare('another'), await spare('third')]
  await done(root, 'update_policy', { policyId: one, policyName: 'one, renamed', policyNotes: '' })
  const older = {
    policyId: one,
    policyEffect: 'EFFECT_ALLOW',
    policyCondition: "activity.type == 'x'",
  }
  await done(root, 'update_policy', older, { type: 'ACTIVITY_TYPE_UPDATE_POLICY' })
  await submit(person('ed'), 'delete_policy', { policyId: one }) // allowed by the key that stamps it
  await done(root, 'delete_policies', { policyIds: [another, third] })
  await submit(people.get('joan') ?? root, 'pay', { payee: 'thief', cents: 2_000_000 }) // denied by policy
}

/** Activities that wait for the approval of others, and what becomes of them. */
export const approvals = async (office: Office): Promise<void> => {
  const { clock, engine, root, done, organizationId, person, vote } = office
  const [ada, grace, mary, joan] = [person('ada'), person('grace'), person('mary'), person('joan')]
  const tag = (userTagName: string): Promise<ActivityView> =>
    done(ada, 'create_user_tag', { userTagName, userIds: [ada.userId] })
  await vote('approve', grace, await tag('approved'))
  await vote('approve', root, await tag('approved by the root'))
  await vote('reject', grace, await tag('rejected'))
  await vote('reject', ada, await tag('taken back'))
  const [early, late] = [await tag('twice'), await tag('twice')]
  await vote('approve', grace, early)
  await vote('approve', mary, late) // fails: the name is taken by now
  const lapsing = await tag('lapsed')
  clock.pass(DAY_MS + HOUR_MS)
  await vote('approve', grace, lapsing)
  await vote('approve', mary, lapsing)
  const body = {
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: String(clock.now()),
    organizationId,
    parameters: { userTagName: 'same body', userIds: [] },
  }
  const bytes = encodeUtf8(JSON.stringify(body, undefined, 2).replace('same', String.raw`s\u0061me`))
  for (const person of [ada, grace]) right(await engine.submit('create_user_tag', stamped(person, bytes))())
  await vote('reject', joan, await tag('nobody asked joan')) // she may not vote: nothing of it is stored
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId, grace.userId] })
  await vote('approve', grace, await done(root, 'create_user_tag', { userTagName: 'of the quorum', userIds: [] }))
  await vote('approve', ada, await done(root, 'update_root_quorum', { threshold: 1, userIds: [root.userId] }))
  const deleted = await done(mary, 'create_user_tag', { userTagName: 'of a user who goes', userIds: [] })
  await done(root, 'delete_users', { userIds: [mary.userId] })
  await vote('approve', ada, deleted)
  await vote('approve', grace, deleted)
  await tag('left open')
}

/** Keys that were stolen, and keys of sessions: what the second version of the rules sees otherwise. */
export const stolenKeys = async ({ clock, root, done, person, submit, vote }: Office): Promise<void> => {
  const [ada, grace] = [person('ada'), person('grace')]
  const added = async (name: string, expirationSeconds?: string): Promise<Person> => {
    const key = generateKey('API_KEY_CURVE_P256')
    const apiKeys = [keyParams(name, key, expirationSeconds)]
    const apiKeyId = idIn(await done(root, 'create_api_keys', { userId: grace.userId, apiKeys }), 'apiKeyIds')
    return { ...grace, key, apiKeyId }
  }
  const stolen = await added('stolen')
  const members = [root, ada, grace].map(({ userId }) => userId)
  await done(root, 'update_root_quorum', { threshold: 3, userIds: members })
  const open = await done(root, 'create_user_tag', { userTagName: 'approved by a thief', userIds: [] })
  await vote('approve', stolen, open)
  const deletion = await done(root, 'delete_api_keys', { userId: grace.userId, apiKeyIds: [stolen.apiKeyId] })
  await vote('approve', ada, deletion)
  await vote('approve', grace, deletion)
  await vote('approve', ada, open) // two of three: the thief's does not count any more
  await vote('approve', grace, open)
  const back = await done(root, 'update_root_quorum', { threshold: 1, userIds: [root.userId] })
  await vote('approve', ada, back)
  await vote('approve', grace, back)
  const session = await added('session', '900')
  const lasting = [keyParams('lasting', generateKey('API_KEY_CURVE_P256'))]
  await submit(session, 'create_api_keys', { userId: grace.userId, apiKeys: lasting }) // it would live longer
  await done(session, 'create_api_keys', {
    userId: grace.userId,
    apiKeys: [keyParams('shorter', generateKey('API_KEY_CURVE_P256'), '600')],
  })
  clock.pass(HOUR_MS)
}
