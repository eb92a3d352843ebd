import * as t from '../../codec/t.ts'
import { addCredential, isTaken, removeCredential } from '../../organization/credentials.ts'
import { APPROVALS_LAPSE_AFTER_MS } from '../../activity/activity.ts'
import type { ApiKey } from '../../organization/credential.ts'
import { issuedMembers } from '../../organization/issued-key.ts'
import type { User, UserDraft } from '../../organization/users.ts'
import type { Draft, Organization } from '../../organization/state.ts'
import { isPublicKey } from '../../stamp/public-key.ts'
import type { Limits } from '../../definition/limits.ts'
import { refuse } from '../../definition/refuse.ts'
import { apiKeyLimits } from './api-key-limits.ts'
import { ApiKeyCurve, type ApiKeyParamsV2 } from './api-key-params.ts'

const Seconds = t.refined(t.number, 'a number of seconds', Number.isSafeInteger)

/** A key in a change; its time is the time of the event. */
export const NewApiKey = t.fields(
  { apiKeyId: t.string, apiKeyName: t.personal(t.string, ''), publicKey: t.string, curve: ApiKeyCurve },
  { expirationSeconds: Seconds, ...issuedMembers },
)
export type NewApiKey = t.TypeOf<typeof NewApiKey>

export const newApiKey = (params: ApiKeyParamsV2, apiKeyId: string): NewApiKey => ({
  apiKeyId,
  apiKeyName: params.apiKeyName,
  publicKey: params.publicKey,
  curve: params.curveType,
  expirationSeconds: params.expirationSeconds === undefined ? undefined : Number(params.expirationSeconds),
})

export const addApiKey = (draft: Draft, user: UserDraft, key: NewApiKey, createdAtMs: number): void => {
  const { apiKeyId, apiKeyName, ...members } = key
  const { userId } = user
  addCredential(draft, user, {
    kind: 'api-key',
    credentialId: apiKeyId,
    userId,
    label: apiKeyName,
    ...members,
    createdAtMs,
  })
}

/** Removes a credential by request, and remembers it, because approvals with it no longer count. */
export const deleteCredential = (draft: Draft, user: UserDraft, credentialId: string, atMs: number): void => {
  removeCredential(draft, user, credentialId)
  for (const [deleted, deletedAtMs] of user.deletedCredentials) {
    if (isRemembered(deletedAtMs, atMs)) break // the keys are in the order of their times; keeping one a little longer is harmless
    user.deletedCredentials.delete(deleted)
  }
  user.deletedCredentials.set(credentialId, atMs)
}

/** Whether an approval with the deleted key could still count. */
const isRemembered = (deletedAtMs: number, atMs: number): boolean => deletedAtMs + APPROVALS_LAPSE_AFTER_MS > atMs

/** Whether the key counts among the credentials that a user must not run out of. */
export const isLongLived = (key: Pick<ApiKey | NewApiKey, 'expirationSeconds'>): boolean =>
  key.expirationSeconds === undefined

/** A key of an intent, with the member that it comes from. */
export type KeyField = { readonly field: string; readonly key: ApiKeyParamsV2 }

/** Each key of a list, by its place in the intent. */
export const keyFields = (keys: readonly ApiKeyParamsV2[], prefix = ''): readonly KeyField[] =>
  keys.map((key, index) => ({ field: `${prefix}apiKeys.${index}.publicKey`, key }))

/**
 * Refuses a key that is registered already, was another user's, or stands twice in the intent, because a stamp must have one author.
 *
 * @param userId  the user who gets the keys; without it, somebody new
 */
export const checkUniqueKeys = (organization: Organization, keys: readonly KeyField[], userId?: string): void => {
  const seen = new Set<string>()
  for (const { field, key } of keys) {
    if (isTaken(organization, { kind: 'api-key', name: key.publicKey }, userId) || seen.has(key.publicKey))
      throw refuse.notUnique(field)
    seen.add(key.publicKey)
  }
}

/** Refuses a key that is no point on its curve. It costs as much as verifying a signature, so check everything else before. */
export const checkCurves = (keys: readonly KeyField[]): void => {
  const wrong = keys.find(({ key }) => !isPublicKey(key.curveType, key.publicKey))
  if (wrong !== undefined) throw refuse.field(wrong.field, 'a compressed public key on its curve')
}

/** The most keys that one request may register: checking a thousand would make others wait. */
export const NEW_KEYS_MAX = 100

/** Refuses a request with more keys than can be checked while others wait. */
export const admitKeys = (count: number): void => {
  if (count > NEW_KEYS_MAX)
    throw refuse('RESOURCE_EXHAUSTED', `expected at most ${NEW_KEYS_MAX} API keys in one request`)
}

/** How many deleted keys of a user may be remembered; beyond that, new keys are refused. Deleting is never refused. */
export const DELETED_KEYS_MAX = 1_000

/** Refuses new keys of a user who has deleted very many keys within a day, because all of them are remembered. */
export const admitAfterDeletions = (user: User | undefined, atMs: number): void => {
  let remembered = 0
  for (const deletedAtMs of user?.deletedCredentials.values() ?? [])
    if (isRemembered(deletedAtMs, atMs)) remembered += 1
  if (remembered >= DELETED_KEYS_MAX)
    throw refuse(
      'RESOURCE_EXHAUSTED',
      `user has deleted ${DELETED_KEYS_MAX} credentials within 24 hours; try again later`,
    )
}

/** Refuses keys beyond those that a user may have. Existing keys that expire make room; new ones do not. */
export const checkKeyCounts = (
  existing: readonly ApiKey[],
  added: readonly Pick<NewApiKey, 'expirationSeconds'>[],
  limits: Limits,
): void => {
  const { longLivedApiKeys, expiringApiKeys } = apiKeyLimits.of({ limits })
  const longLived = added.filter(isLongLived).length
  if (longLived > 0 && existing.filter(isLongLived).length + longLived > longLivedApiKeys)
    throw refuse('RESOURCE_EXHAUSTED', 'user has exceeded maximum long-lived api keys')
  if (added.length - longLived > expiringApiKeys)
    throw refuse('RESOURCE_EXHAUSTED', 'user has exceeded maximum short-lived api keys')
}
