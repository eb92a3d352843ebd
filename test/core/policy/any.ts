import { users } from '../../../core/organization/users.ts'
import { quorum } from '../../../core/organization/quorum.ts'
import { policies } from '../../../core/organization/policies.ts'
import { E } from '../../../core/prelude.ts'
import { initial, type Draft } from '../../../core/organization/state.ts'
import type { ApiKey, Credential } from '../../../core/organization/credential.ts'
import type { MfaPolicy } from '../../../core/organization/mfa-policies.ts'
import type { Effect } from '../../../core/organization/policies.ts'
import type { Approval, DecisionInput } from '../../../core/policy/consensus.ts'
import type { CredentialFact, Expression, Facts, UserFact } from '../../../core/policy/expression.ts'
import type { Failure } from '../../../core/failure.ts'

/** What does not matter to a test about policies. */

export const anyUserFact = (user: Partial<UserFact> = {}): UserFact => ({
  id: 'ada',
  tags: [],
  email: '',
  alias: '',
  ...user,
})

export const anyCredentialFact = (credential: Partial<CredentialFact> = {}): CredentialFact => ({
  id: 'ada-key-1',
  user_id: 'ada',
  type: 'CREDENTIAL_TYPE_API_KEY_P256',
  credential_id: '',
  public_key: '02aa',
  ...credential,
})

export const anyFacts = (
  facts: Partial<Omit<Facts, 'activity'>> & { activity?: Partial<Facts['activity']> } = {},
): Facts => ({
  approvers: facts.approvers ?? [],
  credentials: facts.credentials ?? [],
  activity: {
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    kind: 'CREATE_USER_TAG',
    resource: 'USER',
    action: 'CREATE',
    params: {},
    ...facts.activity,
  },
})

export const anyMatter = (input: Partial<DecisionInput> = {}): DecisionInput => ({
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  kind: 'CREATE_USER_TAG',
  resource: 'USER',
  action: 'CREATE',
  params: {},
  requester: 'ada',
  ownCredentials: false,
  credentialsLiveMs: 0,
  atMs: 0,
  ...input,
})

const P256: readonly ApiKey['curve'][] = ['API_KEY_CURVE_P256']

export type UserSketch = {
  readonly tags?: readonly string[]
  readonly keys?: readonly ApiKey['curve'][]
  /** How many passkeys: `<name>-passkey-1`, and so on. */
  readonly passkeys?: number
  /** The MFA policies: `<name>-mfa-1`, and so on. */
  readonly mfa?: readonly MfaSketch[]
}
export type MfaSketch = {
  readonly condition?: string
  readonly order?: number
  readonly steps: MfaPolicy['requiredAuthenticationMethods']
}
export type PolicySketch = {
  readonly effect?: Effect
  readonly condition?: string
  readonly consensus?: string
  readonly time?: string
}

const anyPasskeyOf = (userId: string, credentialId: string, publicKey = `public-${credentialId}`): Credential => ({
  kind: 'passkey',
  credentialId,
  userId,
  label: '',
  webauthnId: credentialId,
  publicKey,
  rpIdHash: '',
  aaguid: '',
  format: 'none',
  transports: [],
  createdAtMs: 0,
})

type MfaPolicyDraft =
  Parameters<ReturnType<typeof users.in>['set']>[1]['mfaPolicies'] extends Map<string, infer P> ? P : never

const mfaPolicyOf = (
  mfaPolicyId: string,
  { condition = 'true', order = 0, steps }: MfaSketch,
): [string, MfaPolicyDraft] => [
  mfaPolicyId,
  {
    mfaPolicyId,
    mfaPolicyName: mfaPolicyId,
    condition,
    order,
    requiredAuthenticationMethods: steps.map(({ any }) => ({ any: any.map((method) => ({ ...method })) })),
    createdAtMs: 0,
    updatedAtMs: 0,
  },
]

/**
 * An organization whose users have their name as id and the keys `<name>-key-1`, `<name>-key-2` …; its policies are
 * `policy-1`, `policy-2` …, and its root quorum is the user `root`, who is not among the users unless sketched.
 */
export const anyOrganization = (sketch: {
  readonly users?: Readonly<Record<string, UserSketch>>
  readonly policies?: readonly PolicySketch[]
  readonly quorum?: { readonly threshold: number; readonly userIds: readonly string[] }
}): Draft => {
  const organization = initial('organization')
  for (const [userId, { tags = [], keys = P256, passkeys = 0, mfa = [] }] of Object.entries(sketch.users ?? {})) {
    const credentials = new Map<string, Credential>()
    keys.forEach((curve, index) => {
      const apiKeyId = `${userId}-key-${index + 1}`
      credentials.set(apiKeyId, {
        kind: 'api-key',
        credentialId: apiKeyId,
        userId,
        label: '',
        publicKey: `public-${apiKeyId}`,
        curve,
        createdAtMs: 0,
      })
    })
    for (let index = 1; index <= passkeys; index += 1) {
      const credentialId = `${userId}-passkey-${index}`
      credentials.set(credentialId, anyPasskeyOf(userId, credentialId))
    }
    users.in(organization).set(userId, {
      userId,
      userName: userId,
      tagIds: [...tags],
      credentials,
      deletedCredentials: new Map(),
      mfaPolicies: new Map(mfa.map((one, index) => mfaPolicyOf(`${userId}-mfa-${index + 1}`, one))),
      oauthProviders: new Map(),
      createdAtMs: 0,
      updatedAtMs: 0,
    })
  }
  ;(sketch.policies ?? []).forEach(({ effect = 'EFFECT_ALLOW', condition = '', consensus = '', time = '' }, index) => {
    const policyId = `policy-${index + 1}`
    const written = { policyName: policyId, notes: '', createdAtMs: 0, updatedAtMs: 0 }
    policies.in(organization).set(policyId, { policyId, effect, condition, consensus, time, ...written })
  })
  const root = quorum.in(organization)
  root.threshold = sketch.quorum?.threshold ?? 1
  root.userIds = [...(sketch.quorum?.userIds ?? ['root'])]
  return organization
}

/** One approval by each user, with the first key. */
export const approvalsOf = (...userIds: readonly string[]): readonly Approval[] =>
  userIds.map((userId) => ({ userId, credentialId: `${userId}-key-1` }))

/** The expression, where the test is not about its refusal. */
export const compiled = (result: E.Either<Failure, Expression>): Expression => {
  if (E.isLeft(result)) throw new Error(result.left.message)
  return result.right
}
