import type { Json } from '../../failure.ts'
import type { User } from '../../organization/organization.ts'
import { apiKeyView } from '../api-key/api-key-view.ts'
import { timestamp } from '../timestamp.ts'

/** A user as the wire shows one: every list is there, and what is not set is left out. */
export const userView = (user: User): Json => ({
  userId: user.userId,
  userName: user.userName,
  ...(user.userEmail === undefined ? {} : { userEmail: user.userEmail }),
  ...(user.userPhoneNumber === undefined ? {} : { userPhoneNumber: user.userPhoneNumber }),
  authenticators: [],
  apiKeys: [...user.apiKeys.values()].map(apiKeyView),
  userTags: user.tagIds,
  oauthProviders: [],
  mfaPolicies: [],
  createdAt: timestamp(user.createdAtMs),
  updatedAt: timestamp(user.updatedAtMs),
})
