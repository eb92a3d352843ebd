import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { audited, exported } from '../audit/logs.ts'
import { anyPasskey, register } from '../resources/authenticator/passkey-world.ts'
import { world, type Person, type Place, type World } from '../world/world.ts'
import { assertSound, eventsOf } from './history.ts'

/** Credentials of a person: each of these stamps with another one. */
export type Keyring = { readonly first: Person; readonly second: Person; readonly passkey: Person }

/** Gives somebody a second key and a passkey. */
export const keyringOf = async (place: Place, person: Person): Promise<Keyring> => {
  const { userId } = person
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'second', publicKey: key.publicKey, curveType: key.curve }]
  const keys = await place.done(place.root, 'create_api_keys', { userId, apiKeys })
  const { apiKeyIds } = keys.result['createApiKeysResult'] as { readonly apiKeyIds: readonly string[] }
  const passkey = anyPasskey()
  const [authenticatorId = ''] = await register(place, person, passkey)
  return {
    first: person,
    second: { userId, key, apiKeyId: apiKeyIds[0] ?? '' },
    passkey: { ...person, passkey, apiKeyId: authenticatorId },
  }
}

export const API_KEY = { type: 'AUTHENTICATION_TYPE_API_KEY' }
export const PASSKEY = { type: 'AUTHENTICATION_TYPE_PASSKEY' }

/** Steps of one method each. */
export const steps = (...methods: readonly { readonly type: string; readonly id?: string }[]): Json =>
  methods.map((method) => ({ any: [method] }))

export const TWO_KEYS = steps(API_KEY, API_KEY)
export const KEY_AND_PASSKEY = steps(API_KEY, PASSKEY)

/** Requires these steps of a user; gives the id of the MFA policy. */
export const requires = async (
  place: Place,
  { userId }: Pick<Person, 'userId'>,
  requiredAuthenticationMethods: Json,
  { condition = "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'", order = 1 } = {},
): Promise<string> => {
  const parameters = { userId, mfaPolicyName: 'factors', condition, requiredAuthenticationMethods, order }
  const { result } = await place.done(place.root, 'create_mfa_policy', parameters)
  return (result['createMfaPolicyResult'] as { readonly mfaPolicyId: string }).mfaPolicyId
}

export const FACTOR = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
export const WAITS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
export const DONE = 'ACTIVITY_STATUS_COMPLETED'

/** A world in which ada and grace may make tags, each alone. */
export const office = async (consensus = 'approvers.count() >= 1') => {
  const made = await world()
  const [ada, grace] = [await made.enrol('ada'), await made.enrol('grace')]
  const policy = { policyName: 'tags', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", consensus }
  await made.done(made.root, 'create_policy', { ...policy, notes: '' })
  let n = 0
  const propose = (person: Person): Promise<ActivityView> =>
    made.done(person, 'create_user_tag', { userTagName: `tag ${(n += 1)}`, userIds: [] })
  return { ...made, propose, ada: await keyringOf(made, ada), grace: await keyringOf(made, grace) }
}

/** What `get_mfa_status` answers. */
export const statusOf = async (made: Place, reader: Person, { id }: ActivityView, userId?: string) =>
  (await made.answer(reader, 'get_mfa_status', { activityId: id, ...(userId && { userId }) }))['mfaStatuses']

/** Looks at the whole log, and audits it. */
export const closed = async (made: World): Promise<void> => {
  assertSound(await eventsOf(made))
  assert.equal((await audited(await exported(made.storage.store))).findings, [])
  await made.close()
}
