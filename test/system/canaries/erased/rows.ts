import type { Json } from '../../../../core/failure.ts'
import { anyPasskey, paramsOf } from '../../../core/resources/authenticator/passkey-world.ts'
import type { Given } from './filled.ts'

/** What earlier answers have told. */
export type Told = {
  readonly root: string
  /** A second member of the root quorum. */
  readonly second: string
  /** The ids of the persons who will be erased. */
  readonly persons: readonly string[]
  readonly tags: readonly string[]
  readonly policies: readonly string[]
  readonly apiKeys: readonly string[]
  readonly authenticators: readonly string[]
  /** The end of the log when the persons had been deleted. */
  readonly head: Json
}

/** What a row gives: the members that cannot be any text. One activity for each entry. */
export type OperationRow = (told: Told, type: string) => readonly Given[]

const noExpiration = { expirationSeconds: undefined }
const once =
  (given: (told: Told) => Given): OperationRow =>
  (told) => [given(told)]

/** A passkey in the older or the newer form: only its name can be any text. */
const attested = (isFirstForm: boolean): Given => {
  const { challenge, attestation } = paramsOf(anyPasskey())
  if (!isFirstForm) return { challenge, attestation }
  const { credentialId, ...response } = attestation
  return {
    challenge,
    attestation: { id: credentialId, rawId: credentialId, type: 'public-key', response, clientExtensionResults: {} },
  }
}

/** One row for each operation: a new one needs a row, in the order in which they can run. */
export const operationRows: { readonly [path: string]: OperationRow } = {
  // Its root users are given by the test: the first one stamps it.
  create_organization: once(() => ({ rootQuorumThreshold: 1, ...noExpiration, ...attested(false) })),
  create_users: ({ root }, type) => {
    const isFirst = type === 'ACTIVITY_TYPE_CREATE_USERS'
    // In the first version a passkey names a user, who is not there yet: nobody reads it.
    return [{ userTags: [], ...noExpiration, ...attested(isFirst), ...(isFirst ? { userId: root } : {}) }]
  },
  create_api_only_users: once(() => ({ userTags: [], ...noExpiration })),
  create_user_tag: (told) => [{ userIds: [...told.persons] }, { userIds: [...told.persons] }],
  update_user: (told) => told.persons.map((userId) => ({ userId, userTagIds: told.tags.slice(0, 1) })),
  update_user_name: (told) => told.persons.map((userId) => ({ userId })),
  update_user_email: (told) => told.persons.map((userId) => ({ userId, verificationToken: undefined })),
  update_user_phone_number: (told) => told.persons.map((userId) => ({ userId, verificationToken: undefined })),
  create_api_keys: once(({ persons }) => ({ userId: persons[1] ?? '', ...noExpiration })),
  delete_api_keys: once(({ persons, apiKeys }) => ({ userId: persons[1] ?? '', apiKeyIds: apiKeys.slice(0, 1) })),
  create_authenticators: ({ persons }, type) => [{ userId: persons[1] ?? '', ...attested(!type.endsWith('_V2')) }],
  delete_authenticators: once(({ persons, authenticators }) => ({
    userId: persons[1] ?? '',
    authenticatorIds: authenticators.slice(0, 1),
  })),
  update_user_tag: once(({ persons, tags }) => ({
    userTagId: tags[0] ?? '',
    addUserIds: [],
    removeUserIds: persons.slice(0, 1),
  })),
  delete_user_tags: once(({ tags }) => ({ userTagIds: tags.slice(1, 2) })),
  create_policy: once(() => ({ time: undefined })),
  create_policies: once(() => ({ time: undefined })),
  update_policy: once(({ policies }) => ({ policyId: policies[0] ?? '', time: undefined })),
  delete_policy: once(({ policies }) => ({ policyId: policies[0] ?? '' })),
  delete_policies: once(({ policies }) => ({ policyIds: policies.slice(1, 2) })),
  update_root_quorum: once(({ root, second }) => ({ threshold: 1, userIds: [root, second] })),
  update_organization_name: once(() => ({})),
  update_allowed_origins: once(() => ({})),
  set_organization_feature: once(() => ({ name: 'FEATURE_NAME_WEBHOOK' })),
  remove_organization_feature: once(() => ({ name: 'FEATURE_NAME_WEBHOOK' })),
  delete_users: once(({ persons }) => ({ userIds: [...persons] })),
  erase_user: ({ persons, head }) =>
    persons.map((userId, index) => ({ userId, requests: index === 0 ? 'MADE' : 'NAMING', head })),
}

/** Which of them end the history. */
export const LAST = ['delete_users', 'erase_user']

/** One row for each query: all bodies that are asked, without the organization. */
export const queryRows: {
  readonly [path: string]: (told: Told, activities: readonly string[]) => readonly { readonly [name: string]: Json }[]
} = {
  whoami: () => [{}],
  get_user: ({ root, second, persons }) => [root, second, ...persons].map((userId) => ({ userId })),
  list_users: () => [{}],
  get_api_key: ({ apiKeys }) => apiKeys.map((apiKeyId) => ({ apiKeyId })),
  get_api_keys: ({ persons }) => [{}, ...persons.map((userId) => ({ userId }))],
  get_authenticator: ({ authenticators }) => authenticators.map((authenticatorId) => ({ authenticatorId })),
  get_authenticators: ({ persons }) => persons.map((userId) => ({ userId })),
  get_organization: () => [{}],
  get_organization_configs: () => [{}],
  get_policy: ({ policies }) => policies.map((policyId) => ({ policyId })),
  list_policies: () => [{}],
  get_active_policies: () => [{}],
  list_user_tags: () => [{}],
  get_activity: (_, activities) => activities.map((activityId) => ({ activityId })),
  get_policy_evaluations: (_, activities) => activities.map((activityId) => ({ activityId })),
  list_activities: () => [{ paginationOptions: { limit: '100' } }],
  list_personal_places: ({ persons }) => persons.map((userId) => ({ userId, requests: 'MADE' })),
}
