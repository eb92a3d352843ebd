import * as t from '../../codec/t.ts'
import type { EvolveContext, ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { apiKeysOf, isApiKey, type ApiKey } from '../../organization/credential.ts'
import { credentialNamed, isTaken, removeCredential } from '../../organization/credentials.ts'
import type { Issued, KeyProfile } from '../../organization/issued-key.ts'
import type { Draft } from '../../organization/state.ts'
import type { User } from '../../organization/users.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import { apiKeyLimits } from '../api-key/api-key-limits.ts'
import { evicted } from '../api-key/evicted.ts'
import { addApiKey, deleteCredential, NewApiKey } from '../api-key/new-api-keys.ts'
import { changeUser } from '../user/change-user.ts'
import { sessionLimits } from './session-limits.ts'

/* What all activities have in common that issue a key: log-ins, sessions, and credentials that are mailed. */

/** The life of a session where neither the request nor a profile names one. */
const SECONDS = 900

/**
 * The life of a session, in seconds: the smaller one of request and profile.
 *
 * @param wanted  decimal digits, as `ofProfile`
 */
export const sessionSeconds = (
  wanted: string | undefined,
  ofProfile: string | undefined,
  context: Pick<ExecuteContext<unknown>, 'limits'>,
): number => {
  const { sessionSeconds: most } = sessionLimits.of(context)
  if (wanted !== undefined && Number(wanted) > most) throw refuse.field('expirationSeconds', `at most ${most} seconds`)
  if (wanted === undefined && ofProfile === undefined) return Math.min(SECONDS, most)
  return Math.min(most, Number(wanted ?? Infinity), Number(ofProfile ?? Infinity))
}

/** The change of an activity that issues a key. */
export const IssuedKey = t.fields({
  userId: t.subject(t.string),
  apiKey: NewApiKey,
  /** They make room for it, or it takes their place. */
  evictedApiKeyIds: t.array(t.string),
  /** The request says that they end. */
  deletedApiKeyIds: t.array(t.string),
})
export type IssuedKey = t.TypeOf<typeof IssuedKey>

/** How a key is called that nobody has given a name. */
export const nameAt = (what: string, atMs: number): string => `${what} - ${new Date(atMs).toISOString()}`

export type ToIssue = {
  readonly issued: Issued
  readonly name: string
  readonly publicKey: string
  readonly seconds: number
  readonly profile?: t.TypeOf<typeof KeyProfile> | undefined
  readonly invalidateExisting?: boolean | undefined
}

/** A new key of a user. It takes the place of expired ones, then of the oldest, so that there are never more than the user may have. */
export const issueKey = (
  user: User,
  { name, publicKey, seconds, issued, profile, invalidateExisting = false }: ToIssue,
  { ids, atMs, limits }: Pick<ExecuteContext<unknown>, 'ids' | 'atMs' | 'limits'>,
): IssuedKey => {
  const renewed = apiKeysOf(user).filter((key) => key.publicKey === publicKey)
  const deleted = invalidateExisting ? apiKeysOf(user).filter((key) => key.issued === issued) : []
  const leaving = new Set([...renewed, ...deleted])
  const apiKey: NewApiKey = {
    apiKeyId: ids(),
    apiKeyName: name,
    publicKey,
    curve: 'API_KEY_CURVE_P256',
    expirationSeconds: seconds,
    issued,
    profile,
  }
  const others = apiKeysOf(user).filter((key) => !leaving.has(key))
  const idsOf = (keys: readonly ApiKey[]): string[] => keys.map(({ credentialId }) => credentialId)
  return {
    userId: user.userId,
    apiKey,
    evictedApiKeyIds: [
      ...idsOf(renewed),
      ...evicted(others, [apiKey], apiKeyLimits.of({ limits }).expiringApiKeys, atMs),
    ],
    deletedApiKeyIds: idsOf(deleted.filter((key) => !renewed.includes(key))),
  }
}

/**
 * Refuses a public key of a client that cannot become a session of the user: it is off its curve, or has been somebody's already. A session of
 * the user themself is renewed.
 */
export const checkSessionKey = (
  { organization }: Pick<ExecuteContext<unknown>, 'organization'>,
  publicKey: string,
  userId: string,
): void => {
  const name = { kind: 'api-key', name: publicKey } as const
  const known = credentialNamed(organization, name)
  const isRenewed = known !== undefined && isApiKey(known) && known.userId === userId && known.issued === 'LOGIN'
  if (!isRenewed && isTaken(organization, name, userId)) throw refuse.notUnique('publicKey')
  if (!isPublicKey('CURVE_P256', publicKey)) throw refuse.field('publicKey', 'a compressed public key of P-256')
}

export const evolveIssued = (
  draft: Draft,
  { userId, apiKey, evictedApiKeyIds, deletedApiKeyIds }: IssuedKey,
  { atMs }: Pick<EvolveContext, 'atMs'>,
): void =>
  changeUser(draft, userId, atMs, (user) => {
    for (const apiKeyId of evictedApiKeyIds) removeCredential(draft, user, apiKeyId)
    for (const apiKeyId of deletedApiKeyIds) deleteCredential(draft, user, apiKeyId, atMs)
    addApiKey(draft, user, apiKey, atMs)
  })
