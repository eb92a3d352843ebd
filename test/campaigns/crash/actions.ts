import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { apiKeyOf, userOf } from '../people.ts'
import { createChild, endChild, lookBelow, useChild } from './children.ts'
import { useCode } from './codes.ts'
import type { Sent } from './journal.ts'
import type { Random } from './random.ts'
import { anyPasskey, paramsOf } from '../../core/world/software-passkey.ts'
import type { Person } from './sending.ts'
import type { Town } from './town.ts'
import { bringWallet, createWallet, deleteWallets, signWithWallet, takeWallet } from './wallets.ts'

/** Something that a client may do; undefined where it cannot be done now. */
type Action = (town: Town, me: Person, random: Random) => Sent | undefined

/** What a client does next. */
export const nextAction = (town: Town, me: Person, random: Random): Sent => {
  const chosen = random.weighted(actions)?.(town, me, random)
  return chosen ?? createTag(town, me, random)
}

/** Beyond so many of a kind, one is deleted before another is made: there are limits. */
const KEPT_MAX = 25

const createTag = (town: Town, me: Person, random: Random): Sent => {
  if (town.known.tags.length > KEPT_MAX) return deleteTags(town, me)
  const parameters = { userTagName: name(random), userIds: [me.userId] }
  return town.submit(me, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters)
}

const deleteTags = ({ submit, known }: Town, me: Person): Sent => {
  const parameters = { userTagIds: known.tags.splice(0, 5) }
  return submit(me, 'delete_user_tags', 'ACTIVITY_TYPE_DELETE_USER_TAGS', parameters)
}

const updateTag: Action = ({ submit, known }, me, random) => {
  const userTagId = random.pick(known.tags)
  if (userTagId === undefined) return undefined
  const parameters = { userTagId, newUserTagName: name(random), addUserIds: [me.userId], removeUserIds: [] }
  return submit(me, 'update_user_tag', 'ACTIVITY_TYPE_UPDATE_USER_TAG', parameters)
}

const createUser: Action = (town, me, random) => {
  if (town.known.users.length > KEPT_MAX) return deleteUser(town, me, random)
  const user = userOf(name(random), [apiKeyOf(generateKey('API_KEY_CURVE_P256'))])
  return town.submit(me, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users: [user] })
}

const deleteUser: Action = ({ submit, known, members }, me) => {
  const userId = known.users.find((id) => members.every((member) => member.userId !== id))
  if (userId === undefined) return undefined
  known.users.splice(known.users.indexOf(userId), 1)
  return submit(me, 'delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] })
}

const updateUser: Action = ({ submit }, me, random) =>
  submit(me, 'update_user', 'ACTIVITY_TYPE_UPDATE_USER', { userId: me.userId, userName: name(random) })

const createKey: Action = ({ submit }, me, random) => {
  const { publicKey, curve } = generateKey(
    random.pick(['API_KEY_CURVE_P256', 'API_KEY_CURVE_ED25519'] as const) ?? 'API_KEY_CURVE_P256',
  )
  const key = { apiKeyName: name(random), publicKey, curveType: curve, expirationSeconds: '600' }
  return submit(me, 'create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: me.userId, apiKeys: [key] })
}

const deleteKey: Action = ({ submit, known }, me) => {
  const key = known.keys.shift()
  if (key === undefined) return undefined
  const parameters = { userId: key.userId, apiKeyIds: [key.apiKeyId] }
  return submit(me, 'delete_api_keys', 'ACTIVITY_TYPE_DELETE_API_KEYS', parameters)
}

/** A key that is made by work; one more takes the place of another. */
const signIn: Action = ({ submit }, me) => {
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  return submit(me, 'stamp_login', 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey, expirationSeconds: '600' })
}

const createPasskey: Action = (town, me, random) => {
  if (town.known.passkeys.length > 4) return deletePasskey(town, me, random)
  const parameters = { userId: me.userId, authenticators: [paramsOf(anyPasskey(), name(random))] }
  return town.submit(me, 'create_authenticators', 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters)
}

const deletePasskey: Action = ({ submit, known }, me) => {
  const passkey = known.passkeys.shift()
  if (passkey === undefined) return undefined
  const parameters = { userId: passkey.userId, authenticatorIds: [passkey.authenticatorId] }
  return submit(me, 'delete_authenticators', 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', parameters)
}

const createPolicy: Action = (town, me, random) => {
  if (town.known.policies.length > 4) return deletePolicy(town, me, random)
  const rule = random.pick(rules) ?? {}
  return town.submit(me, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', { policyName: name(random), ...rule })
}

const rules: readonly { readonly [member: string]: Json }[] = [
  { effect: 'EFFECT_DENY', condition: "activity.action == 'DELETE' && activity.resource == 'POLICY'" },
  { effect: 'EFFECT_ALLOW', condition: "activity.resource == 'CREDENTIAL'", consensus: 'approvers.count() >= 1' },
  { effect: 'EFFECT_ALLOW', condition: "activity.resource == 'WIRE_TRANSFER'", consensus: 'approvers.count() >= 3' },
]

const deletePolicy: Action = ({ submit, known }, me) => {
  const policyId = known.policies.pop()
  return policyId === undefined ? undefined : submit(me, 'delete_policy', 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
}

const changeQuorum: Action = ({ submit, roots }, me, random) => {
  const userIds = roots.map(({ userId }) => userId)
  const threshold = 1 + random.below(2)
  return submit(me, 'update_root_quorum', 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold, userIds })
}

const wire: Action = ({ submit }, me, random) => {
  const parameters = {
    beneficiary: name(random),
    iban: 'DE02120300000000202051',
    amountCents: String(1 + random.below(100_000)),
  }
  return submit(me, 'wire_transfer', 'ACTIVITY_TYPE_WIRE_TRANSFER', parameters)
}

const vote: Action = ({ vote, known }, me, random) => {
  const open = random.pick([...known.open.values()].slice(-20))
  return open === undefined ? undefined : vote(me, random.below(4) === 0 ? 'reject' : 'approve', open)
}

const repeat: Action = ({ known }, _, random) => random.pick(known.submitted.slice(-50))

const countersign: Action = ({ known, countersign }, me, random) => {
  const sent = random.pick(known.submitted.slice(-10))
  return sent === undefined ? undefined : countersign(me, sent)
}

const getActivity: Action = ({ query, known }, me, random) => {
  const activityId = random.pick(known.activities.slice(-50))
  return activityId === undefined ? undefined : query(me, 'get_activity', { activityId })
}

const ask =
  (path: string): Action =>
  ({ query }, me) =>
    query(me, path)

const actions: readonly (readonly [weight: number, action: Action])[] = [
  [4, createTag],
  [4, updateTag],
  [2, createUser],
  [1, deleteUser],
  [2, updateUser],
  [1, createKey],
  [1, deleteKey],
  [2, signIn],
  [1, createPasskey],
  [1, deletePasskey],
  [1, createPolicy],
  [1, deletePolicy],
  [1, changeQuorum],
  [5, wire],
  [8, vote],
  [2, repeat],
  [2, countersign],
  [2, getActivity],
  [1, ask('list_activities')],
  [8, ask('list_user_tags')],
  [1, ask('whoami')],
  [1, ask('list_wire_transfers')],
  [4, createWallet],
  [3, deleteWallets],
  [2, signWithWallet],
  [8, bringWallet],
  [1, takeWallet],
  [4, useCode],
  [4, createChild],
  [2, useChild],
  [1, lookBelow],
  [1, endChild],
]

const name = (random: Random): string => `n${random.below(1_000_000_000)}`
