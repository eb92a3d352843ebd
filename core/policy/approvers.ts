import type { ApiKey, ApiKeyCurve, Organization, User } from '../organization/organization.ts'
import type { CredentialFact, Expression, Facts, UserFact } from './expression.ts'
import type { RulesVersion } from './rules.ts'

/** An approval that counts. */
export type Approval = {
  readonly userId: string
  /** The API key that stamped it. */
  readonly credentialId: string
}

/** A user who approves or could, with the credentials that speak for them, as policies see both. */
export type Approver = { readonly user: UserFact; readonly credentials: readonly CredentialFact[] }

/**
 * The approvals that count: of each user who still exists the first. One whose credential was deleted since does not count,
 * because it may have been deleted for being stolen; one whose credential expired or made room for another does.
 */
export const countedApprovals = (
  { countsDeletedCredentials }: RulesVersion,
  { users }: Organization,
  approvals: readonly Approval[],
): readonly Approval[] => {
  const counted = new Map<string, Approval>()
  for (const approval of approvals) {
    const user = users.get(approval.userId)
    if (user === undefined || counted.has(approval.userId)) continue
    if (countsDeletedCredentials || !user.deletedApiKeys.has(approval.credentialId))
      counted.set(approval.userId, approval)
  }
  return [...counted.values()]
}

/** Who approves: an approver for each approval that counts, in order. */
export const approversOf = (
  rules: RulesVersion,
  organization: Organization,
  approvals: readonly Approval[],
): readonly Approver[] =>
  countedApprovals(rules, organization, approvals).flatMap(({ userId, credentialId }) => {
    const user = organization.users.get(userId)
    const key = user?.apiKeys.get(credentialId)
    if (user === undefined) return []
    return [{ user: userFact(user), credentials: key === undefined ? [] : [credentialFact(user, key)] }]
  })

/** A user as an approver, with all keys. */
export const approverOf = (user: User): Approver => ({
  user: userFact(user),
  credentials: [...user.apiKeys.values()].map((key) => credentialFact(user, key)),
})

/** The ways in which an approver may come to approve: with all keys, and with each of several alone. */
export const waysOf = ({ user, credentials }: Approver): readonly Approver[] => {
  const alone = credentials.length < 2 ? [] : credentials.map((credential) => ({ user, credentials: [credential] }))
  return [{ user, credentials }, ...alone]
}

/** What an expression speaks of when these are the approvers. */
export const factsOf = (activity: Facts['activity'], approvers: readonly Approver[]): Facts => {
  const users: UserFact[] = []
  const credentials: CredentialFact[] = []
  for (const approver of approvers) {
    users.push(approver.user)
    for (const credential of approver.credentials) credentials.push(credential)
  }
  return { activity, approvers: users, credentials }
}

/** The same for one expression: without credentials where it does not ask for them. There can be twenty for each user. */
export const factsFor = (
  { keywords }: Pick<Expression, 'keywords'>,
  activity: Facts['activity'],
  approvers: readonly Approver[],
): Facts =>
  keywords.has('credentials')
    ? factsOf(activity, approvers)
    : { activity, approvers: approvers.map(({ user }) => user), credentials: [] }

const userFact = (user: User): UserFact => ({
  id: user.userId,
  tags: user.tagIds,
  email: user.userEmail ?? '',
  alias: user.userName,
})

const credentialFact = (user: User, key: ApiKey): CredentialFact => ({
  id: key.apiKeyId,
  user_id: user.userId,
  type: credentialTypes[key.curve],
  credential_id: '',
  public_key: key.publicKey,
})

const credentialTypes: Readonly<Record<ApiKeyCurve, string>> = {
  API_KEY_CURVE_P256: 'CREDENTIAL_TYPE_API_KEY_P256',
  API_KEY_CURVE_SECP256K1: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  API_KEY_CURVE_ED25519: 'CREDENTIAL_TYPE_API_KEY_ED25519',
}
