import * as t from 'io-ts'
import { refined } from '../../codec.ts'
import { failure, type Failure } from '../../failure.ts'
import type { ApiKey, Draft, Organization, UserDraft } from '../../organization/organization.ts'
import { E } from '../../prelude.ts'
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

/** Whether the key counts among the credentials that a user must not run out of. */
export const isLongLived = (key: Pick<ApiKey | NewApiKey, 'expirationSeconds'>): boolean =>
  key.expirationSeconds === undefined

/** Fails where a key has another owner already, or stands twice in the intent: a stamp must have one author. */
export const checkPublicKeys = (
  organization: Organization,
  keys: readonly { readonly field: string; readonly publicKey: string }[],
): E.Either<Failure, void> => {
  const seen = new Set<string>()
  for (const { field, publicKey } of keys) {
    if (organization.credentials.has(publicKey) || seen.has(publicKey)) return E.left(notUnique(field))
    seen.add(publicKey)
  }
  return E.right(undefined)
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
