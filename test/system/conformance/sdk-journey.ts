import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { anyPasskey, paramsOf } from '../../core/resources/authenticator/passkey-world.ts'
import { NOBODY, refusal, type Stage } from './stage.ts'

type Input = { readonly [member: string]: Json }
type Answer = { readonly [member: string]: Json }
/** What the steps before have made. */
type Made = { readonly [name: string]: string }

/** One method of `@turnkey/sdk-server`: asked for something that is refused, then for something that is done. */
type Step = {
  readonly method: string
  readonly refused: Input | ((made: Made) => Input)
  readonly code: number
  readonly asked: (made: Made) => Input
  /** What the answer has, beside the activity. */
  readonly shows: (made: Made) => Input
  /** What later steps need of it. */
  readonly makes?: (answer: Answer) => { readonly [name: string]: Json | undefined }
}

const first = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) ? (list as readonly Json[])[0] : undefined
const newKey = (apiKeyName: string) => ({
  apiKeyName,
  publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
  curveType: 'API_KEY_CURVE_P256',
})
const policy = (policyName: string) => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition: "activity.resource == 'USER'",
  consensus: 'approvers.count() >= 2',
  notes: '',
})
const feature = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://app.example.com' }
const passkey = anyPasskey()
const nowhere = { organizationId: NOBODY }

const commands: readonly Step[] = [
  {
    method: 'createUserTag',
    refused: { userTagName: '', userIds: [] },
    code: 3,
    asked: () => ({ userTagName: 'approver', userIds: [] }),
    shows: () => ({ userIds: [] }),
    makes: ({ userTagId, activity }) => ({
      userTagId,
      activityId: (activity as Answer)['id'], // an activity
      fingerprint: (activity as Answer)['fingerprint'],
    }),
  },
  {
    method: 'createUsers',
    refused: { users: [] },
    code: 3,
    asked: ({ userTagId = '' }) => ({
      users: [
        {
          userName: 'ada',
          apiKeys: [newKey('laptop')],
          authenticators: [],
          oauthProviders: [],
          userTags: [userTagId],
        },
      ],
    }),
    shows: () => ({}),
    makes: ({ userIds }) => ({ userId: first(userIds) }),
  },
  {
    method: 'createApiKeys',
    refused: { userId: NOBODY, apiKeys: [newKey('phone')] },
    code: 5,
    asked: ({ userId = '' }) => ({ userId, apiKeys: [newKey('phone')] }),
    shows: () => ({}),
    makes: ({ apiKeyIds }) => ({ apiKeyId: first(apiKeyIds) }),
  },
  {
    method: 'createAuthenticators',
    refused: { userId: NOBODY, authenticators: [paramsOf(passkey)] },
    code: 5,
    asked: ({ userId = '' }) => ({ userId, authenticators: [paramsOf(passkey)] }),
    shows: () => ({}),
    makes: ({ authenticatorIds }) => ({ authenticatorId: first(authenticatorIds) }),
  },
  {
    method: 'updateUser',
    refused: { userId: NOBODY, userName: 'Ada' },
    code: 5,
    asked: ({ userId = '' }) => ({ userId, userName: 'Ada' }),
    shows: ({ userId = '' }) => ({ userId }),
  },
  ...[
    ['updateUserName', 'userName', 'Ada L.', ''],
    ['updateUserEmail', 'userEmail', 'ada@example.com', 'ada'],
    ['updateUserPhoneNumber', 'userPhoneNumber', '+441234567890', '44'],
  ].map(([method = '', member = '', right = '', wrong = '']) => ({
    method,
    refused: ({ userId = '' }: Made) => ({ userId, [member]: wrong }),
    code: 3,
    asked: ({ userId = '' }: Made) => ({ userId, [member]: right }),
    shows: ({ userId = '' }: Made) => ({ userId }),
  })),
  {
    method: 'updateUserTag',
    refused: { userTagId: NOBODY, addUserIds: [], removeUserIds: [] },
    code: 5,
    asked: ({ userTagId = '' }) => ({ userTagId, newUserTagName: 'signer', addUserIds: [], removeUserIds: [] }),
    shows: ({ userTagId = '' }) => ({ userTagId }),
  },
  {
    method: 'createPolicy',
    refused: { ...policy('a'), condition: 'activity' },
    code: 3,
    asked: () => policy('a'),
    shows: () => ({}),
    makes: ({ policyId }) => ({ policyId }),
  },
  {
    method: 'createPolicies',
    refused: { policies: [policy('a')] },
    code: 3,
    asked: () => ({ policies: [policy('b')] }),
    shows: () => ({}),
    makes: ({ policyIds }) => ({ otherPolicyId: first(policyIds) }),
  },
  {
    method: 'updatePolicy',
    refused: { policyId: NOBODY },
    code: 5,
    asked: ({ policyId = '' }) => ({ policyId, policyNotes: 'mended' }),
    shows: ({ policyId = '' }) => ({ policyId }),
  },
  {
    method: 'updateRootQuorum',
    refused: { threshold: 1, userIds: [NOBODY] },
    code: 3,
    asked: ({ root = '' }) => ({ threshold: 1, userIds: [root] }),
    shows: () => ({}),
  },
  {
    method: 'updateOrganizationName',
    refused: { organizationName: '' },
    code: 3,
    asked: () => ({ organizationName: 'Renamed' }),
    shows: () => ({ organizationName: 'Renamed' }),
  },
  {
    method: 'setOrganizationFeature',
    refused: { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: '*' },
    code: 3,
    asked: () => feature,
    shows: () => ({ features: [feature] }),
  },
  {
    method: 'removeOrganizationFeature',
    refused: { name: 'FEATURE_NAME_WEBHOOK' },
    code: 5,
    asked: () => ({ name: feature.name }),
    shows: () => ({ features: [] }),
  },
  ...['approveActivity', 'rejectActivity'].map((method) => ({
    method,
    refused: { fingerprint: `sha256:${'0'.repeat(64)}` },
    code: 5,
    asked: ({ fingerprint = '' }: Made) => ({ fingerprint }),
    shows: ({ userTagId = '' }: Made) => ({ createUserTagResult: { userTagId, userIds: [] } }),
  })),
]

const queries: readonly Step[] = [
  {
    method: 'getWhoami',
    refused: nowhere,
    code: 5,
    asked: () => ({}),
    shows: ({ organizationId = '', root = '' }) => ({
      organizationId,
      organizationName: 'Renamed',
      userId: root,
      username: 'root',
    }),
  },
  ...['getUsers', 'getPolicies', 'listUserTags', 'getOrganizationConfigs'].map((method) => ({
    method,
    refused: nowhere,
    code: 5,
    asked: () => ({}),
    shows: () => ({}),
  })),
  ...[
    ['getUser', 'userId'],
    ['getApiKeys', 'userId'],
    ['getApiKey', 'apiKeyId'],
    ['getAuthenticators', 'userId'],
    ['getAuthenticator', 'authenticatorId'],
    ['getPolicy', 'policyId'],
    ['getActivity', 'activityId'],
    ['getPolicyEvaluations', 'activityId'],
  ].map(([method = '', id = '']) => ({
    method,
    refused: { [id]: NOBODY },
    code: 5,
    asked: (made: Made) => ({ [id]: made[id] ?? '' }),
    shows: () => ({}),
  })),
  {
    method: 'getActivities',
    refused: { paginationOptions: { limit: '0' } },
    code: 3,
    asked: () => ({ paginationOptions: { limit: '3' }, filterByStatus: ['ACTIVITY_STATUS_COMPLETED'] }),
    shows: () => ({}),
  },
]

const removals: readonly Step[] = (
  [
    ['deletePolicies', 'policyIds', ({ otherPolicyId = '' }) => [otherPolicyId], {}],
    ['deletePolicy', 'policyId', ({ policyId = '' }) => policyId, {}],
    ['deleteAuthenticators', 'authenticatorIds', ({ authenticatorId = '' }) => [authenticatorId], { userId: 'userId' }],
    ['deleteApiKeys', 'apiKeyIds', ({ apiKeyId = '' }) => [apiKeyId], { userId: 'userId' }],
    ['deleteUserTags', 'userTagIds', ({ userTagId = '' }) => [userTagId], {}],
    ['deleteUsers', 'userIds', ({ userId = '' }) => [userId], {}],
  ] satisfies [string, string, (made: Made) => Json, { readonly [member: string]: string }][]
).map(([method, member, value, more]) => {
  const also = (made: Made) => Object.fromEntries(Object.entries(more).map(([name, of]) => [name, made[of] ?? '']))
  return {
    method,
    refused: (made) => ({ [member]: Array.isArray(value(made)) ? [NOBODY] : NOBODY, ...also(made) }),
    code: 5,
    asked: (made) => ({ [member]: value(made), ...also(made) }),
    shows: (made) => ({ [member]: value(made) }),
  }
})

export const steps: readonly Step[] = [...commands, ...queries, ...removals]

/** Goes through every method of the slice, in an order in which each finds what it needs. */
export const journey = async ({ sdk, root, organizationId }: Stage): Promise<Made> => {
  const client = sdk(root)
  const made: { [name: string]: string } = { root: root.userId, organizationId }
  for (const { method, refused, code, asked, shows, makes } of steps) {
    const call = client[method] as (input: Input) => Promise<Answer> // as all methods of this client are
    const refusedInput = typeof refused === 'function' ? refused(made) : refused
    assert.is((await refusal(call(refusedInput))).code, code, method)
    const answer = await call(asked(made))
    for (const [member, value] of Object.entries(shows(made)))
      assert.equal(answer[member], value, `${method} ${member}`)
    const { activity } = answer
    if (activity !== undefined) assert.is((activity as Answer)['status'], 'ACTIVITY_STATUS_COMPLETED', method)
    for (const [name, value] of Object.entries(makes?.(answer) ?? {})) {
      assert.type(value, 'string', `${method} ${name}`)
      made[name] = value as string // just looked at
    }
  }
  return made
}
