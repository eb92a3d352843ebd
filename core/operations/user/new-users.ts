import * as t from 'io-ts'
import { failure, type Failure } from '../../failure.ts'
import type { Draft, UserDraft } from '../../organization/organization.ts'
import { E } from '../../prelude.ts'
import type { ApiKeyParamsV2 } from '../api-key/api-key-params.ts'
import {
  addApiKey,
  admitKeys,
  checkCurves,
  checkKeyCounts,
  checkUniqueKeys,
  isLongLived,
  keyFields,
  NewApiKey,
  newApiKey,
} from '../api-key/new-api-keys.ts'
import { fields } from '../fields.ts'
import type { ExecuteContext } from '../operation.ts'
import { overQuota } from '../refusals.ts'

/** A user as a change carries it; the time comes from the event. */
export const NewUser = fields(
  { userId: t.string, userName: t.string, tagIds: t.array(t.string), apiKeys: t.array(NewApiKey) },
  { userEmail: t.string, userPhoneNumber: t.string },
)
export type NewUser = t.TypeOf<typeof NewUser>

/** What the intents that create users say of each of them. */
export type UserParams = {
  readonly userName: string
  readonly userEmail?: string
  readonly userPhoneNumber?: string
  readonly apiKeys: readonly ApiKeyParamsV2[]
  readonly userTags?: readonly string[]
}

/**
 * The users with their ids and keys, or why there cannot be these users.
 *
 * @param field  the member of the intent that they come from
 */
export const newUsers = (
  field: string,
  users: readonly UserParams[],
  { organization, ids, limits }: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits'>,
): E.Either<Failure, readonly NewUser[]> => {
  if (organization.users.size + users.length > limits.users) return E.left(overQuota(limits.users, 'users'))
  const keys = users.flatMap(({ apiKeys }, user) => keyFields(apiKeys, `${field}.${user}.`))
  const unique = checkUniqueKeys(organization, keys)
  if (E.isLeft(unique)) return unique
  const created: NewUser[] = []
  for (const params of users) {
    const user = newUser(params, ids)
    const counted = checkKeyCounts([], user.apiKeys, limits)
    if (E.isLeft(counted)) return counted
    if (!user.apiKeys.some(isLongLived)) return E.left(missingCredential(user.userId))
    created.push(user)
  }
  return E.map(() => created)(checkCurves(keys))
}

/** Refuses a request with more keys than can be checked while others wait. */
export const admitUsers = (users: readonly Pick<UserParams, 'apiKeys'>[]): E.Either<Failure, void> =>
  admitKeys(users.reduce((count, { apiKeys }) => count + apiKeys.length, 0))

const newUser = (params: UserParams, ids: () => string): NewUser => ({
  userId: ids(),
  userName: params.userName,
  ...(params.userEmail ? { userEmail: params.userEmail } : {}),
  ...(params.userPhoneNumber ? { userPhoneNumber: params.userPhoneNumber } : {}),
  tagIds: [...(params.userTags ?? [])],
  apiKeys: params.apiKeys.map((key) => newApiKey(key, ids())),
})

/** A user must keep a credential that does not expire. */
export const missingCredential = (userId: string): Failure =>
  failure('REQUEST_INVALID', `user missing valid credential: ${userId}`)

export const addUser = (draft: Draft, created: NewUser, atMs: number): void => {
  const user: UserDraft = {
    userId: created.userId,
    userName: created.userName,
    ...(created.userEmail === undefined ? {} : { userEmail: created.userEmail }),
    ...(created.userPhoneNumber === undefined ? {} : { userPhoneNumber: created.userPhoneNumber }),
    tagIds: [...created.tagIds],
    apiKeys: new Map(),
    deletedApiKeys: new Map(),
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
  draft.users.set(user.userId, user)
  for (const key of created.apiKeys) addApiKey(draft, user, key, atMs)
}
