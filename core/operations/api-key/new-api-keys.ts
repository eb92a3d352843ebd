import * as t from 'io-ts'
import { refined } from '../../codec.ts'
import { APPROVALS_LAPSE_AFTER_MS } from '../../activity/activity.ts'
import { failure, fieldViolations, type Failure } from '../../failure.ts'
import type { ApiKey, Draft, Organization, User, UserDraft } from '../../organization/organization.ts'
import { E } from '../../prelude.ts'
import { isPublicKey } from '../../stamp/public-key.ts'
import { fields } from '../fields.ts'
import type { Limits } from '../limits.ts'
import { notUnique } from '../refusals.ts'
import { ApiKeyCurve, type ApiKeyParamsV2 } from './api-key-params.ts'

const Seconds = refined(t.number, 'a number of seconds', Number.isSafeInteger)

/** A key as a change carries it; the time comes from the event. */
export const NewApiKey = fields(
  { apiKeyId: t.string, apiKeyName: t.string, publicKey: t.string, curve: ApiKeyCurve },
  { expirationSeconds: Seconds },
)
export type NewApiKey = t.TypeOf<typeof NewApiKey>

export const newApiKey = (params: ApiKeyParamsV2, apiKeyId: string): NewApiKey => ({
  apiKeyId,
  apiKeyName: params.apiKeyName,
  publicKey: params.publicKey,
  curve: params.curveType,
  ...(params.expirationSeconds === undefined ? {} : { expirationSeconds: Number(params.expirationSeconds) }),
})

export const addApiKey = (draft: Draft, user: UserDraft, key: NewApiKey, createdAtMs: number): void => {
  user.apiKeys.set(key.apiKeyId, { ...key, createdAtMs })
  draft.credentials.set(key.publicKey, { userId: user.userId, apiKeyId: key.apiKeyId })
}

export const removeApiKey = (draft: Draft, user: UserDraft, apiKeyId: string): void => {
  const key = user.apiKeys.get(apiKeyId)
  if (key === undefined) return
  user.apiKeys.delete(apiKeyId)
  draft.credentials.delete(key.publicKey)
}

/** Removes a key because somebody asked for that, and remembers it: approvals that were given with it no longer count. */
export const deleteApiKey = (draft: Draft, user: UserDraft, apiKeyId: string, atMs: number): void => {
  removeApiKey(draft, user, apiKeyId)
  for (const [deleted, deletedAtMs] of user.deletedApiKeys) {
    if (isRemembered(deletedAtMs, atMs)) break // in the order of their times; one that stays a little longer does no harm
    user.deletedApiKeys.delete(deleted)
  }
  user.deletedApiKeys.set(apiKeyId, atMs)
}

/** For as long as an approval that was given with the key could count. */
const isRemembered = (deletedAtMs: number, atMs: number): boolean => deletedAtMs + APPROVALS_LAPSE_AFTER_MS > atMs

/** Whether the key counts among the credentials that a user must not run out of. */
export const isLongLived = (key: Pick<ApiKey | NewApiKey, 'expirationSeconds'>): boolean =>
  key.expirationSeconds === undefined

/** A key of an intent, with the member that it comes from. */
export type KeyField = { readonly field: string; readonly key: ApiKeyParamsV2 }

/** Each key of a list, by its place in the intent. */
export const keyFields = (keys: readonly ApiKeyParamsV2[], prefix = ''): readonly KeyField[] =>
  keys.map((key, index) => ({ field: `${prefix}apiKeys.${index}.publicKey`, key }))

/** Fails where a key has another owner already, or stands twice in the intent: a stamp must have one author. */
export const checkUniqueKeys = (organization: Organization, keys: readonly KeyField[]): E.Either<Failure, void> => {
  const seen = new Set<string>()
  for (const { field, key } of keys) {
    if (organization.credentials.has(key.publicKey) || seen.has(key.publicKey)) return E.left(notUnique(field))
    seen.add(key.publicKey)
  }
  return E.right(undefined)
}

/** Fails where a key is no point on its curve. It costs as much as verifying a signature: ask for everything else before. */
export const checkCurves = (keys: readonly KeyField[]): E.Either<Failure, void> => {
  const wrong = keys.find(({ key }) => !isPublicKey(key.curveType, key.publicKey))
  if (wrong === undefined) return E.right(undefined)
  const description = 'expected a compressed public key on its curve'
  const message = `invalid parameters at ${wrong.field}: ${description}`
  return E.left(fieldViolations(message, [{ field: wrong.field, description }]))
}

/** How many keys one request may register: checking a thousand would keep everybody waiting. */
export const NEW_KEYS_MAX = 100

/** Refuses a request with more keys than can be checked while others wait. */
export const admitKeys = (count: number): E.Either<Failure, void> =>
  count <= NEW_KEYS_MAX
    ? E.right(undefined)
    : E.left(failure('RESOURCE_EXHAUSTED', `expected at most ${NEW_KEYS_MAX} API keys in one request`))

/** How many deleted keys of a user are remembered before new ones are refused: deleting is never refused. */
export const DELETED_KEYS_MAX = 1_000

/** Refuses new keys of a user who has deleted very many within a day: all of them are remembered. */
export const admitAfterDeletions = (user: User | undefined, atMs: number): E.Either<Failure, void> => {
  let remembered = 0
  for (const deletedAtMs of user?.deletedApiKeys.values() ?? []) if (isRemembered(deletedAtMs, atMs)) remembered += 1
  return remembered < DELETED_KEYS_MAX
    ? E.right(undefined)
    : E.left(
        failure('RESOURCE_EXHAUSTED', `user has deleted ${DELETED_KEYS_MAX} API keys within 24 hours; try again later`),
      )
}

/** Fails where a user would have more keys than allowed. Expiring keys that are there already make room, new ones do not. */
export const checkKeyCounts = (
  existing: readonly ApiKey[],
  added: readonly Pick<NewApiKey, 'expirationSeconds'>[],
  limits: Limits,
): E.Either<Failure, void> => {
  const longLived = added.filter(isLongLived).length
  if (longLived > 0 && existing.filter(isLongLived).length + longLived > limits.longLivedApiKeys)
    return E.left(failure('RESOURCE_EXHAUSTED', 'user has exceeded maximum long-lived api keys'))
  if (added.length - longLived > limits.expiringApiKeys)
    return E.left(failure('RESOURCE_EXHAUSTED', 'user has exceeded maximum short-lived api keys'))
  return E.right(undefined)
}
