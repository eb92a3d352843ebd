import type { Operation } from '../../definition/operation.ts'
import { completed, projection, type Source } from '../../definition/projection.ts'
import type { RowChange } from '../../ports/read-models.ts'
import { createApiKeys } from '../api-key/create-api-keys.ts'
import { deleteApiKeys } from '../api-key/delete-api-keys.ts'
import { createAuthenticators } from '../authenticator/create-authenticators.ts'
import { deleteAuthenticators } from '../authenticator/delete-authenticators.ts'
import { eraseUser } from '../erasure/erase-user.ts'
import { acceptInvitation } from '../invitation/accept-invitation.ts'
import { createOrganization } from '../organization/create-organization.ts'
import { updateOrganizationName } from '../organization/update-organization-name.ts'
import { emailAuth } from '../mailed-credential/email-auth.ts'
import { initUserEmailRecovery } from '../mailed-credential/init-user-email-recovery.ts'
import { recoverUser } from '../mailed-credential/recover-user.ts'
import { oauth } from '../oauth-login/oauth.ts'
import { oauthLogin } from '../oauth-login/oauth-login.ts'
import { createOauthProviders } from '../oauth-provider/create-oauth-providers.ts'
import { deleteOauthProviders } from '../oauth-provider/delete-oauth-providers.ts'
import { otpAuth } from '../otp/otp-auth.ts'
import { otpLogin } from '../otp/otp-login.ts'
import type { IssuedKey } from '../session/issued-keys.ts'
import { createReadWriteSession } from '../session/create-read-write-session.ts'
import { stampLogin } from '../session/stamp-login.ts'
import { createApiOnlyUsers } from '../user/create-api-only-users.ts'
import { createUsers } from '../user/create-users.ts'
import { deleteUsers } from '../user/delete-users.ts'
import type { NewUser } from '../user/new-users.ts'
import { updateUser } from '../user/update-user.ts'
import { updateUserEmail } from '../user/update-user-email.ts'
import { updateUserName } from '../user/update-user-name.ts'
import { updateUserPhoneNumber } from '../user/update-user-phone-number.ts'
import { createWallet } from '../wallet/create-wallet.ts'
import { createWalletAccounts } from '../wallet/create-wallet-accounts.ts'
import { deleteWalletAccounts } from '../wallet/delete-wallet-accounts.ts'
import { deleteSubOrganization } from './delete-sub-organization.ts'
import {
  begun,
  ended,
  found,
  foundByAccounts,
  foundByKeys,
  foundByPasskeys,
  foundByProviders,
  notFound,
  PROVIDERS,
  SubOrganizationRow,
  type Child,
  type Filter,
} from './sub-organization-rows.ts'

/** The operations that change by what an organization below another one is found, and how. */
const sources = (): readonly Source[] => [
  inChild(createOrganization, ({ organizationName, users, wallet }, child) => [
    begun(child),
    named(child, organizationName),
    ...foundByUsers(child, users),
    ...foundByAccounts(child, wallet?.accounts ?? []),
  ]),
  inChild(updateOrganizationName, ({ organizationName }, child) => [named(child, organizationName)]),
  inChild(deleteSubOrganization, (_, child) => ended(child)),
  inChild(createUsers, ({ users }, child) => foundByUsers(child, users)),
  inChild(createApiOnlyUsers, ({ users }, child) => foundByUsers(child, users)),
  inChild(acceptInvitation, ({ users }, child) => foundByUsers(child, users)),
  inChild(updateUser, (changed, child) => contacts(child, changed)),
  inChild(updateUserName, (changed, child) => contacts(child, changed)),
  inChild(updateUserEmail, ({ isVerified, ...changed }, child) =>
    contacts(child, { ...changed, isEmailVerified: isVerified }),
  ),
  inChild(updateUserPhoneNumber, ({ isVerified, ...changed }, child) =>
    contacts(child, { ...changed, isPhoneNumberVerified: isVerified }),
  ),
  inChild(deleteUsers, ({ userIds, providerIds = [] }, child) => [
    ...notFound(child, PERSONAL, userIds),
    ...notFound(child, PROVIDERS, providerIds),
  ]),
  inChild(eraseUser, ({ userId, subOrganizationId, providerIds = [] }, child) =>
    subOrganizationId === undefined
      ? [...notFound(child, PERSONAL, [userId]), ...notFound(child, PROVIDERS, providerIds)]
      : [],
  ),
  inChild(createApiKeys, ({ apiKeys, evictedApiKeyIds }, child) => [
    ...notFound(child, ['PUBLIC_KEY'], evictedApiKeyIds),
    ...foundByKeys(child, apiKeys),
  ]),
  inChild(deleteApiKeys, ({ apiKeyIds }, child) => notFound(child, ['PUBLIC_KEY'], apiKeyIds)),
  ...[stampLogin, createReadWriteSession, otpLogin, otpAuth, oauthLogin, oauth].map((issues) =>
    inChild(issues, foundByIssued),
  ),
  ...[emailAuth, initUserEmailRecovery].map((issues) =>
    inChild(issues, ({ issued }, child) => foundByIssued(issued, child)),
  ),
  inChild(recoverUser, ({ authenticator, deletedApiKeyIds }, child) => [
    ...notFound(child, ['PUBLIC_KEY'], deletedApiKeyIds),
    ...foundByPasskeys(child, [authenticator]),
  ]),
  inChild(createAuthenticators, ({ authenticators }, child) => foundByPasskeys(child, authenticators)),
  inChild(deleteAuthenticators, ({ authenticatorIds }, child) =>
    notFound(child, ['PUBLIC_KEY', 'CREDENTIAL_ID'], authenticatorIds),
  ),
  inChild(createOauthProviders, ({ oauthProviders }, child) => foundByProviders(child, oauthProviders)),
  inChild(deleteOauthProviders, ({ providerIds }, child) => notFound(child, PROVIDERS, providerIds)),
  inChild(createWallet, ({ accounts }, child) => foundByAccounts(child, accounts)),
  inChild(createWalletAccounts, ({ accounts }, child) => foundByAccounts(child, accounts)),
  inChild(deleteWalletAccounts, ({ walletAccountIds }, child) =>
    notFound(child, ['WALLET_ACCOUNT_ADDRESS'], walletAccountIds),
  ),
]

const foundByIssued = (
  { apiKey, evictedApiKeyIds, deletedApiKeyIds }: IssuedKey,
  child: Child,
): readonly RowChange[] => [
  ...notFound(child, ['PUBLIC_KEY'], [...evictedApiKeyIds, ...deletedApiKeyIds]),
  ...foundByKeys(child, [apiKey]),
]

/** What names a person: such rows go with the person. */
const PERSONAL: readonly Filter[] = ['USERNAME', 'EMAIL', 'PHONE_NUMBER', 'VERIFIED_EMAIL', 'VERIFIED_PHONE_NUMBER']

/** A source that takes the events of organizations below another one, and reads no others. */
const inChild = <C>(
  operation: Operation<string, unknown, unknown, C>,
  rows: (change: C, child: Child) => readonly RowChange[],
): Source => {
  const { types, project } = completed(operation, (change, { organization: organizationId, parent }) =>
    parent === undefined ? [] : rows(change, { organizationId, parent }),
  )
  return {
    types,
    project: (event, position, parts, parent) => (parent === undefined ? [] : project(event, position, parts, parent)),
  }
}

const named = (child: Child, name: string): RowChange => found(child, 'NAME', child.organizationId, name)

const foundByUsers = (child: Child, users: readonly NewUser[]): readonly RowChange[] =>
  users.flatMap((user) => [
    ...contacts(child, user),
    ...foundByKeys(child, user.apiKeys),
    ...foundByPasskeys(child, user.authenticators),
    ...foundByProviders(child, user.oauthProviders),
  ])

type Contacts = Pick<
  NewUser,
  'userId' | 'userEmail' | 'userPhoneNumber' | 'isEmailVerified' | 'isPhoneNumberVerified'
> & { readonly userName?: string | undefined }

/** The rows of what a change says of a user. It leaves out what stays as it was; a contact that it has is verified, or is not any more. */
const contacts = (child: Child, changed: Contacts): readonly RowChange[] => {
  const { userId, userName, userEmail, userPhoneNumber, isEmailVerified, isPhoneNumberVerified } = changed
  const rows: readonly (readonly [Filter, string | undefined])[] = [
    ['USERNAME', userName],
    ['EMAIL', userEmail],
    ['PHONE_NUMBER', userPhoneNumber],
    ['VERIFIED_EMAIL', userEmail && (isEmailVerified === true ? userEmail : '')],
    ['VERIFIED_PHONE_NUMBER', userPhoneNumber && (isPhoneNumberVerified === true ? userPhoneNumber : '')],
  ]
  return rows.flatMap(([filter, text]) => (text === undefined ? [] : [found(child, filter, userId, text)]))
}

/**
 * The organizations below each organization, in the order in which they began, and by what they can be found: their names, the names and
 * contacts of their users, and the credentials.
 *
 * Rows with something personal are exact, and go with the person. Rows of credentials and of addresses are not: an event does not tell which
 * credentials a deleted user had, or which accounts a deleted wallet, so such a row may be old. Whoever reads one asks the state of the
 * organization. The rows come from the built-in operations alone.
 */
export const subOrganizations = projection({
  name: 'sub-organizations',
  version: 1,
  parents: true,
  row: SubOrganizationRow,
  on: sources(),
})
