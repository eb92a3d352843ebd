import * as t from '../../codec/t.ts'
import { profile } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import type { User } from '../../organization/users.ts'

/** The members of results that say whose session it is. */
export const sessionOwner = {
  organizationId: t.string,
  organizationName: t.string,
  userId: t.subject(t.string),
  username: t.personal(t.string, ''),
}

export const ownerIn = (organization: Organization, { userId, userName }: User) => ({
  organizationId: organization.organizationId,
  organizationName: profile.of(organization).name,
  userId,
  username: userName,
})
