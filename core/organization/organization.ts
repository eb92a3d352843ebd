import type { Json } from '../failure.ts'

/**
 * The state of an organization: the fold of the changes that its completed activities made. A fold owns a `Draft` and
 * works in place; everyone else sees it as `Organization`, read-only.
 *
 * All times are milliseconds since the epoch, as the clock of the deciding process read them.
 */
export type Draft = {
  readonly organizationId: string
  name: string
  createdAtMs: number
  updatedAtMs: number
  /** By user id, in order of creation. */
  readonly users: Map<string, UserDraft>
  /** By tag id, in order of creation. */
  readonly userTags: Map<string, TagDraft>
  /** By policy id, in order of creation. */
  readonly policies: Map<string, PolicyDraft>
  readonly quorum: { threshold: number; userIds: string[] }
  /** The directory: which user and key a public key belongs to. Keys are lower-case hex, compressed. */
  readonly credentials: Map<string, CredentialOwner>
  /** State that belongs to a host's operations, by a name that the host chose. JSON only: it is part of snapshots. */
  readonly host: Map<string, Json>
  /** How many activities wait for approvals. */
  waiting: number
}

export type UserDraft = {
  readonly userId: string
  userName: string
  userEmail?: string
  userPhoneNumber?: string
  /** Tag ids. */
  tagIds: string[]
  /** By API key id, in order of creation. */
  readonly apiKeys: Map<string, ApiKey>
  /** API keys that were deleted, with the time, for as long as an approval by one of them could still count. */
  readonly deletedApiKeys: Map<string, number>
  readonly createdAtMs: number
  updatedAtMs: number
}

export type ApiKeyCurve = 'API_KEY_CURVE_P256' | 'API_KEY_CURVE_SECP256K1' | 'API_KEY_CURVE_ED25519'

export type ApiKey = {
  readonly apiKeyId: string
  readonly apiKeyName: string
  /** Lower-case hex; compressed for the two Weierstraß curves, 32 bytes for ed25519. */
  readonly publicKey: string
  readonly curve: ApiKeyCurve
  /** Life in seconds from `createdAtMs`; without it the key does not expire. */
  readonly expirationSeconds?: number
  readonly createdAtMs: number
}

export type CredentialOwner = { readonly userId: string; readonly apiKeyId: string }

export type TagDraft = { readonly tagId: string; tagName: string; readonly createdAtMs: number; updatedAtMs: number }

export type Effect = 'EFFECT_ALLOW' | 'EFFECT_DENY'

export type PolicyDraft = {
  readonly policyId: string
  policyName: string
  effect: Effect
  /** Empty means: always true. */
  condition: string
  /** Empty means: always true. */
  consensus: string
  notes: string
  readonly createdAtMs: number
  updatedAtMs: number
}

export type User = Omit<Readonly<UserDraft>, 'apiKeys' | 'deletedApiKeys' | 'tagIds'> & {
  readonly tagIds: readonly string[]
  readonly apiKeys: ReadonlyMap<string, ApiKey>
  readonly deletedApiKeys: ReadonlyMap<string, number>
}
export type Tag = Readonly<TagDraft>
export type Policy = Readonly<PolicyDraft>
export type Quorum = { readonly threshold: number; readonly userIds: readonly string[] }

export type Organization = {
  readonly organizationId: string
  readonly name: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly users: ReadonlyMap<string, User>
  readonly userTags: ReadonlyMap<string, Tag>
  readonly policies: ReadonlyMap<string, Policy>
  readonly quorum: Quorum
  readonly credentials: ReadonlyMap<string, CredentialOwner>
  readonly host: ReadonlyMap<string, Json>
  readonly waiting: number
}

/** The state before the first event. */
export const initial = (organizationId: string): Draft => ({
  organizationId,
  name: '',
  createdAtMs: 0,
  updatedAtMs: 0,
  users: new Map(),
  userTags: new Map(),
  policies: new Map(),
  quorum: { threshold: 1, userIds: [] },
  credentials: new Map(),
  host: new Map(),
  waiting: 0,
})

/** Whether the key's lifetime is over at `atMs`. */
export const isExpired = (key: ApiKey, atMs: number): boolean =>
  key.expirationSeconds !== undefined && atMs >= key.createdAtMs + key.expirationSeconds * 1000

/** A user, and the one of their keys that is meant. */
export type KeyOwner = { readonly userId: string; readonly apiKey: ApiKey }

/** Whose key this is, expired or not. */
export const ownerOf = ({ credentials, users }: Organization, publicKey: string): KeyOwner | undefined => {
  const owner = credentials.get(publicKey)
  const apiKey = owner === undefined ? undefined : users.get(owner.userId)?.apiKeys.get(owner.apiKeyId)
  return owner === undefined || apiKey === undefined ? undefined : { userId: owner.userId, apiKey }
}
