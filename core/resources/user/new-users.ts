import * as t from '../../codec/t.ts'
import { users, type UserDraft } from '../../organization/users.ts'
import { refuse, type Refusal } from '../../definition/refuse.ts'
import type { IdentityToken } from '../../identity/identity-token.ts'
import type { Draft } from '../../organization/state.ts'
import type { Attestations } from '../../ports/attestations.ts'
import type { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'
import {
  addAuthenticator,
  admitAuthenticators,
  attestedIn,
  authenticatorFields,
  checkAttested,
  checkAuthenticatorCount,
  NewAuthenticator,
  newAuthenticator,
  type CheckedAuthenticator,
} from '../authenticator/new-authenticators.ts'
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
import {
  addOauthProvider,
  admitProviders,
  checkProviderCount,
  checkUniqueProviders,
  NewOauthProvider,
  newOauthProvider,
  readProviders,
  vouchesForEmail,
  type ReadProvider,
} from '../oauth-provider/new-oauth-providers.ts'
import type { OauthProviderParamsV2 } from '../oauth-provider/oauth-provider-params.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { checkQuota } from '../check-quota.ts'
import { userLimits } from './user-limits.ts'

/** A user in a change; its time is the time of the event. */
export const NewUser = t.fields(
  {
    userId: t.subject(t.string),
    userName: t.personal(t.string, ''),
    tagIds: t.array(t.string),
    apiKeys: t.array(NewApiKey),
  },
  {
    userEmail: t.personal(t.string),
    userPhoneNumber: t.personal(t.string),
    authenticators: t.array(NewAuthenticator),
    oauthProviders: t.array(NewOauthProvider),
    isEmailVerified: t.boolean,
    isPhoneNumberVerified: t.boolean,
  },
)
export type NewUser = t.TypeOf<typeof NewUser>

/** The members of a user in intents that create users. */
export type UserParams = {
  /** The id that the user gets. Default: the next id of the activity. */
  readonly userId?: string
  readonly userName: string
  readonly userEmail?: string | undefined
  readonly userPhoneNumber?: string | undefined
  readonly apiKeys: readonly ApiKeyParamsV2[]
  readonly authenticators?: readonly AuthenticatorParamsV2[] | undefined
  readonly oauthProviders?: readonly OauthProviderParamsV2[] | undefined
  readonly userTags?: readonly string[] | undefined
}

/** The passkeys of each user of an intent, in order, with what their attestations say. */
export type Registrations = readonly (readonly CheckedAuthenticator[])[]

/** What there is to inspect in users without passkeys; `undefined` where one has any. */
export const nothingRegistered = (added: readonly Pick<UserParams, 'authenticators'>[]): Registrations | undefined =>
  added.every(({ authenticators = [] }) => authenticators.length === 0) ? [] : undefined

/** Checks the passkeys of users. @param field  the member of the intent that has the users */
export const registrationsOf = async (
  field: string,
  added: readonly Pick<UserParams, 'authenticators'>[],
  attestations: Attestations,
): Promise<Registrations> => {
  const found: (readonly CheckedAuthenticator[])[] = []
  for (const [index, { authenticators = [] }] of added.entries())
    found.push(await attestedIn(attestations, authenticatorFields(authenticators, `${field}.${index}.`)))
  return found
}

/** The providers of each user of an intent, in order, with what their tokens say. @param read  reads a token, or refuses it */
export const providersOf = (
  field: string,
  added: readonly Pick<UserParams, 'oauthProviders'>[],
  read: (token: string) => IdentityToken,
): Providers => added.map(({ oauthProviders = [] }, user) => readProviders(oauthProviders, read, `${field}.${user}.`))

type Providers = readonly (readonly ReadProvider[])[]

/** What was read of users, in their order. */
export type ReadOfUsers = {
  readonly registrations?: Registrations | undefined
  readonly providers?: Providers | undefined
}

/**
 * The users with their ids and keys, if nothing is against them.
 *
 * @param field  the member of the intent that has them
 * @param mayLackCredentials  whether a user needs no credential that lasts. Default: everybody does
 */
export const newUsers = <U extends UserParams>(
  field: string,
  added: readonly U[],
  { organization, ids, limits }: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits'>,
  { registrations = [], providers = [] }: ReadOfUsers = {},
  mayLackCredentials: (user: U) => boolean = () => false,
): readonly NewUser[] => {
  checkQuota(users.of(organization).size + added.length, userLimits.of({ limits }).users, 'users')
  const keys = added.flatMap(({ apiKeys }, user) => keyFields(apiKeys, `${field}.${user}.`))
  checkUniqueKeys(organization, keys)
  checkAttested(organization, registrations.flat())
  checkUniqueProviders(organization, providers.flat())
  const created = added.map((params, index) => {
    const [registered, accounts] = [registrations[index] ?? [], providers[index] ?? []]
    const user = newUser(params, registered, accounts, ids)
    checkKeyCounts([], user.apiKeys, limits)
    if (registered.length > 0) checkAuthenticatorCount(undefined, registered.length, limits)
    if (accounts.length > 0) checkProviderCount(undefined, accounts.length, limits)
    const isLasting = registered.length > 0 || accounts.length > 0 || user.apiKeys.some(isLongLived)
    if (!isLasting && !mayLackCredentials(params)) throw missingCredential(user.userId)
    return user
  })
  checkCurves(keys)
  return created
}

/** As `newUsers`, with the tags looked up: result and change of an operation that creates users. */
export const createdUsers = (
  field: string,
  added: readonly UserParams[],
  context: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits' | 'findAll'>,
  read?: ReadOfUsers,
) => {
  context.findAll(
    'user tag',
    userTags,
    added.flatMap((params) => params.userTags ?? []),
  )
  const created = newUsers(field, added, context, read)
  return { result: { userIds: created.map(({ userId }) => userId) }, change: { users: created } }
}

type WithCredentials = {
  readonly apiKeys: readonly unknown[]
  readonly authenticators?: readonly unknown[] | undefined
  readonly oauthProviders?: readonly unknown[] | undefined
}

/**
 * Refuses a request with more credentials than can be checked while others wait, and passkeys that are for a public suffix.
 *
 * @param field  the member of the intent that has the users
 */
export const admitUsers = (
  field: string,
  added: readonly (Pick<UserParams, 'authenticators'> & WithCredentials)[],
): void => {
  admitAuthenticators(
    added.flatMap(({ authenticators = [] }, user) => authenticatorFields(authenticators, `${field}.${user}.`)),
  )
  admitKeys(added.reduce((count, { apiKeys }) => count + apiKeys.length, 0))
  admitProviders(added.reduce((count, { oauthProviders = [] }) => count + oauthProviders.length, 0))
}

const newUser = (
  params: UserParams,
  registered: readonly CheckedAuthenticator[],
  accounts: readonly ReadProvider[],
  ids: () => string,
): NewUser => ({
  userId: params.userId ?? ids(),
  userName: params.userName,
  userEmail: params.userEmail || undefined, // the empty text means none
  userPhoneNumber: params.userPhoneNumber || undefined,
  tagIds: [...(params.userTags ?? [])],
  apiKeys: params.apiKeys.map((key) => newApiKey(key, ids())),
  authenticators: registered.length === 0 ? undefined : registered.map((checked) => newAuthenticator(checked, ids())),
  oauthProviders: accounts.length === 0 ? undefined : accounts.map((account) => newOauthProvider(account, ids())),
  isEmailVerified: accounts.some(({ token }) => vouchesForEmail(token, params)) ? true : undefined,
})

/** The ids of the users that an intent creates, drawn like those of `newUsers`. */
export const newUserIds = (added: readonly WithCredentials[], ids: () => string): readonly string[] =>
  added.map(({ apiKeys, authenticators, oauthProviders }) => {
    const userId = ids()
    const credentials = apiKeys.length + (authenticators?.length ?? 0) + (oauthProviders?.length ?? 0)
    for (let drawn = 0; drawn < credentials; drawn += 1) ids()
    return userId
  })

/** A user must keep a credential that does not expire. */
export const missingCredential = (userId: string): Refusal =>
  refuse('REQUEST_INVALID', `user missing valid credential: ${userId}`)

export const addUser = (
  draft: Draft,
  { authenticators = [], oauthProviders = [], ...created }: NewUser,
  atMs: number,
): void => {
  const user: UserDraft = {
    ...created,
    tagIds: [...created.tagIds],
    credentials: new Map(),
    deletedCredentials: new Map(),
    mfaPolicies: new Map(),
    oauthProviders: new Map(),
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
  users.in(draft).set(user.userId, user)
  for (const key of created.apiKeys) addApiKey(draft, user, key, atMs)
  for (const passkey of authenticators) addAuthenticator(draft, user, passkey, atMs)
  for (const account of oauthProviders) addOauthProvider(user, account, atMs)
}
