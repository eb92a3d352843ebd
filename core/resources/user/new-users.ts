import { users } from '../../organization/users.ts'
import * as t from 'io-ts'
import { failure, type Failure } from '../../failure.ts'
import type { Draft } from '../../organization/state.ts'
import type { UserDraft } from '../../organization/users.ts'
import { E, pipe } from '../../prelude.ts'
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
import { fields } from '../../codec/fields.ts'
import { personal, subject } from '../../codec/personal.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { checkQuota, findAll } from '../../definition/refusals.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { userLimits } from './user-limits.ts'

/** A user in a change; its time is the time of the event. */
export const NewUser = fields(
  {
    userId: subject(t.string),
    userName: personal(t.string, ''),
    tagIds: t.array(t.string),
    apiKeys: t.array(NewApiKey),
  },
  { userEmail: personal(t.string), userPhoneNumber: personal(t.string) },
)
export type NewUser = t.TypeOf<typeof NewUser>

/** The members of a user in intents that create users. */
export type UserParams = {
  readonly userName: string
  readonly userEmail?: string | undefined
  readonly userPhoneNumber?: string | undefined
  readonly apiKeys: readonly ApiKeyParamsV2[]
  readonly userTags?: readonly string[] | undefined
}

/**
 * The users with their ids and keys, or the reason why they are refused.
 *
 * @param field  the member of the intent that has them
 */
export const newUsers = (
  field: string,
  added: readonly UserParams[],
  { organization, ids, limits }: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits'>,
): E.Either<Failure, readonly NewUser[]> => {
  const within = checkQuota(users.of(organization).size + added.length, userLimits.of({ limits }).users, 'users')
  if (E.isLeft(within)) return within
  const keys = added.flatMap(({ apiKeys }, user) => keyFields(apiKeys, `${field}.${user}.`))
  const unique = checkUniqueKeys(organization, keys)
  if (E.isLeft(unique)) return unique
  const created: NewUser[] = []
  for (const params of added) {
    const user = newUser(params, ids)
    const counted = checkKeyCounts([], user.apiKeys, limits)
    if (E.isLeft(counted)) return counted
    if (!user.apiKeys.some(isLongLived)) return E.left(missingCredential(user.userId))
    created.push(user)
  }
  return E.map(() => created)(checkCurves(keys))
}

/** As `newUsers`, with the tags looked up: result and change of an operation that creates users. */
export const createdUsers = (
  field: string,
  added: readonly UserParams[],
  context: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits'>,
): E.Either<Failure, { readonly result: { userIds: string[] }; readonly change: { users: NewUser[] } }> => {
  const { organization } = context
  const tagIds = added.flatMap((params) => params.userTags ?? [])
  return pipe(
    findAll('user tag', userTags.of(organization), tagIds, organization),
    E.flatMap(() => newUsers(field, added, context)),
    E.map((created) => ({
      result: { userIds: created.map(({ userId }) => userId) },
      change: { users: [...created] },
    })),
  )
}

type WithKeys = { readonly apiKeys: readonly unknown[] }

/** Refuses a request with more keys than can be checked while others wait. */
export const admitUsers = (users: readonly WithKeys[]): E.Either<Failure, void> =>
  admitKeys(users.reduce((count, { apiKeys }) => count + apiKeys.length, 0))

const newUser = (params: UserParams, ids: () => string): NewUser => ({
  userId: ids(),
  userName: params.userName,
  userEmail: params.userEmail || undefined, // the empty text means none
  userPhoneNumber: params.userPhoneNumber || undefined,
  tagIds: [...(params.userTags ?? [])],
  apiKeys: params.apiKeys.map((key) => newApiKey(key, ids())),
})

/** The ids of the users that an intent creates, drawn like those of `newUsers`. */
export const newUserIds = (added: readonly WithKeys[], ids: () => string): readonly string[] =>
  added.map(({ apiKeys }) => {
    const userId = ids()
    for (let key = 0; key < apiKeys.length; key += 1) ids()
    return userId
  })

/** A user must keep a credential that does not expire. */
export const missingCredential = (userId: string): Failure =>
  failure('REQUEST_INVALID', `user missing valid credential: ${userId}`)

export const addUser = (draft: Draft, created: NewUser, atMs: number): void => {
  const user: UserDraft = {
    ...created,
    tagIds: [...created.tagIds],
    credentials: new Map(),
    deletedCredentials: new Map(),
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
  users.in(draft).set(user.userId, user)
  for (const key of created.apiKeys) addApiKey(draft, user, key, atMs)
}
