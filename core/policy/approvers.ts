import type { AttestedKind } from '../log/decision.ts'
import { hasErasedMembers } from '../organization/erased-members.ts'
import { users, type User } from '../organization/users.ts'
import { kindOf, type Credential } from '../organization/credential.ts'
import type { Organization } from '../organization/state.ts'
import type { CredentialFact, Expression, Facts, UserFact } from './expression.ts'
import { readable, type ResourceFacts } from './fact.ts'

/** An approval within its window. */
export type Approval = {
  readonly userId: string
  /** The credential that stamped it. */
  readonly credentialId: string
  /** What its stamp proved, if that brought a token. */
  readonly attested?: AttestedKind | undefined
}

/** A user who approves or could approve, with credentials, as policies see both. */
export type Approver = { readonly user: UserFact; readonly credentials: readonly CredentialFact[] }

/**
 * The approvals that count, by their users: those of users who still exist. If the credential of an approval was deleted by request, the
 * approval does not count, because the credential may have been stolen. If the credential expired, or was removed to make room for
 * another, the approval counts.
 */
export const stampsByUser = (
  organization: Organization,
  approvals: readonly Approval[],
): ReadonlyMap<string, Stamps> => {
  const stamps = new Map<string, [Approval, ...Approval[]]>()
  for (const approval of approvals) {
    const user = users.of(organization).get(approval.userId)
    if (user === undefined || user.deletedCredentials.has(approval.credentialId)) continue
    const own = stamps.get(approval.userId)
    if (own === undefined) stamps.set(approval.userId, [approval])
    else own.push(approval)
  }
  return stamps
}

/** What a user has stamped for an activity, in order. The first stamp makes the user an approver. */
export type Stamps = readonly [Approval, ...(readonly Approval[])]

/** One approver for each user whose approvals count, in order. */
export const approversOf = (organization: Organization, approvals: readonly Approval[]): readonly Approver[] =>
  [...stampsByUser(organization, approvals).values()].flatMap(([{ userId, credentialId }]) => {
    const user = users.of(organization).get(userId)
    const key = user?.credentials.get(credentialId)
    if (user === undefined) return []
    return [{ user: userFact(user), credentials: key === undefined ? [] : [credentialFact(user, key)] }]
  })

/** A user as an approver, with all keys. */
export const approverOf = (user: User): Approver => ({
  user: userFact(user),
  credentials: [...user.credentials.values()].map((key) => credentialFact(user, key)),
})

/** The ways in which a user may approve: with all keys, and with each key alone if there are several. */
export const waysOf = ({ user, credentials }: Approver): readonly Approver[] => {
  const alone = credentials.length < 2 ? [] : credentials.map((credential) => ({ user, credentials: [credential] }))
  return [{ user, credentials }, ...alone]
}

/** The facts of an expression, with these approvers. */
export const factsOf = (
  activity: Facts['activity'],
  approvers: readonly Approver[],
  more: ResourceFacts = {},
): Facts => {
  const users: UserFact[] = []
  const credentials: CredentialFact[] = []
  for (const approver of approvers) {
    users.push(approver.user)
    for (const credential of approver.credentials) credentials.push(credential)
  }
  return readable(more, { activity, approvers: users, credentials })
}

/** Like `factsOf`, but without credentials if the expression does not use them: there can be twenty for each user. */
export const factsFor = (
  { keywords }: Pick<Expression, 'keywords'>,
  activity: Facts['activity'],
  approvers: readonly Approver[],
): Facts =>
  keywords.has('credentials')
    ? factsOf(activity, approvers)
    : { activity, approvers: approvers.map(({ user }) => user), credentials: [] }

const userFact = (user: User): UserFact =>
  hasErasedMembers(user)
    ? erasedUserFact(user)
    : { id: user.userId, tags: user.tagIds, email: user.userEmail ?? '', alias: user.userName }

/** An audit counts the decisions that read what was erased: so a member is read only if a policy reads it. */
const erasedUserFact = (user: User): UserFact => ({
  id: user.userId,
  tags: user.tagIds,
  get email() {
    return user.userEmail ?? ''
  },
  get alias() {
    return user.userName
  },
})

const credentialFact = (user: User, credential: Credential): CredentialFact => ({
  id: credential.credentialId,
  user_id: user.userId,
  public_key: credential.publicKey,
  ...kindOf(credential).facts(credential),
})
