import type { Identity } from '../identity/identity-token.ts'
import type { OauthProvider } from './oauth-provider.ts'
import type { Organization } from './state.ts'
import { users, type User } from './users.ts'

/**
 * The user who signs in with this identity, and by which of their providers: an organization has each identity once. An erased one has empty texts,
 * and is nobody's.
 */
export const identified = (
  organization: Organization,
  { issuer, audience, subject }: Identity,
): { readonly user: User; readonly provider: OauthProvider } | undefined => {
  for (const user of users.of(organization).values())
    for (const provider of user.oauthProviders.values())
      if (issuer !== '' && provider.issuer === issuer && provider.audience === audience && provider.subject === subject)
        return { user, provider }
  return undefined
}

/** Whether somebody signs in by this issuer. */
export const hasIssuer = (organization: Organization, issuer: string): boolean =>
  [...users.of(organization).values()].some(({ oauthProviders }) =>
    [...oauthProviders.values()].some((provider) => provider.issuer === issuer),
  )

/** The ids of the providers of these users; `undefined` if they have none. */
export const providerIdsOf = (organization: Organization, userIds: readonly string[]): string[] | undefined => {
  const providerIds = userIds.flatMap((userId) => [
    ...(users.of(organization).get(userId)?.oauthProviders.keys() ?? []),
  ])
  return providerIds.length === 0 ? undefined : providerIds
}
