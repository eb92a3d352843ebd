import { decodeUtf8, encodeUtf8 } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import type { ApiKey, CredentialOwner, Draft, Organization, PolicyDraft, TagDraft } from './organization.ts'

/** The version of the reducers and of the form below: a snapshot of another version is thrown away. */
export const SNAPSHOT_VERSION = 2

type FlatUser = {
  readonly userId: string
  readonly userName: string
  readonly userEmail?: string
  readonly userPhoneNumber?: string
  readonly tagIds: readonly string[]
  readonly apiKeys: readonly ApiKey[]
  readonly deletedApiKeys: readonly (readonly [string, number])[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type Flat = {
  readonly organizationId: string
  readonly name: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly users: readonly FlatUser[]
  readonly userTags: readonly TagDraft[]
  readonly policies: readonly PolicyDraft[]
  readonly quorum: { readonly threshold: number; readonly userIds: readonly string[] }
  readonly credentials: readonly (readonly [string, CredentialOwner])[]
  readonly host: readonly (readonly [string, Json])[]
  readonly waiting: number
}

/** The state as JSON, in one order: equal states give equal texts. */
export const flatten = (organization: Organization): Flat => ({
  organizationId: organization.organizationId,
  name: organization.name,
  createdAtMs: organization.createdAtMs,
  updatedAtMs: organization.updatedAtMs,
  users: [...organization.users.values()].map((user) => ({
    userId: user.userId,
    userName: user.userName,
    ...(user.userEmail === undefined ? {} : { userEmail: user.userEmail }),
    ...(user.userPhoneNumber === undefined ? {} : { userPhoneNumber: user.userPhoneNumber }),
    tagIds: user.tagIds,
    apiKeys: [...user.apiKeys.values()],
    deletedApiKeys: [...user.deletedApiKeys],
    createdAtMs: user.createdAtMs,
    updatedAtMs: user.updatedAtMs,
  })),
  userTags: [...organization.userTags.values()],
  policies: [...organization.policies.values()],
  quorum: organization.quorum,
  credentials: [...organization.credentials],
  host: [...organization.host],
  waiting: organization.waiting,
})

export const encodeSnapshot = (organization: Organization): Uint8Array =>
  encodeUtf8(JSON.stringify(flatten(organization)))

/** The state as it is now, whatever becomes of the one that it was taken from. */
export const copyOf = (organization: Organization): Organization => thaw(flatten(organization))

/** Reads a snapshot of this version back; `undefined` where it is not one. */
export const decodeSnapshot = (bytes: Uint8Array): Draft | undefined => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  try {
    return thaw(parseJson(text) as Flat) // written by `encodeSnapshot` of this version; anything else fails to thaw and is thrown away
  } catch {
    return undefined
  }
}

const thaw = (flat: Flat): Draft => ({
  organizationId: flat.organizationId,
  name: flat.name,
  createdAtMs: flat.createdAtMs,
  updatedAtMs: flat.updatedAtMs,
  users: new Map(
    flat.users.map(({ apiKeys, deletedApiKeys, tagIds, ...user }) => [
      user.userId,
      {
        ...user,
        tagIds: [...tagIds],
        apiKeys: new Map(apiKeys.map((key) => [key.apiKeyId, key])),
        deletedApiKeys: new Map(deletedApiKeys),
      },
    ]),
  ),
  userTags: new Map(flat.userTags.map((tag) => [tag.tagId, { ...tag }])),
  policies: new Map(flat.policies.map((policy) => [policy.policyId, { ...policy }])),
  quorum: { threshold: flat.quorum.threshold, userIds: [...flat.quorum.userIds] },
  credentials: new Map(flat.credentials),
  host: new Map(flat.host),
  waiting: flat.waiting,
})
