/** Organizations to measure with, made by an engine. Runs on what was built. */
import type { Engine } from 'countersign/fp'
import { stamper, type SigningKey } from 'countersign/signatures'

/** An organization with one root user and one tag, which can be renamed for ever: nothing grows but the log. */
export type Seed = { readonly organizationId: string; readonly userTagId: string; readonly key: SigningKey }

type Json = Readonly<Record<string, unknown>>

export const encode = (json: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(json))

export const stampedBy = (stamp: (body: Uint8Array) => string, body: Uint8Array) => ({
  headers: { 'x-stamp': stamp(body) },
  body,
  address: null,
})

/** Begins an organization and makes its tag. */
export const seedOf = async (engine: Engine, organizationId: string, key: SigningKey): Promise<Seed> => {
  const stamp = stamper(key)
  const begun = await engine.createOrganization(stampedBy(stamp, beginning(organizationId, key)))()
  if (begun._tag === 'Left') throw new Error(begun.left.message)
  const parameters = { userTagName: 'tag', userIds: [] }
  const body = encode(envelope(organizationId, 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters, 0))
  const created = await engine.submit('create_user_tag', stampedBy(stamp, body))()
  if (created._tag === 'Left') throw new Error(created.left.message)
  const result = Object.values(created.right.result)[0] as { readonly userTagId: string } // of this operation
  return { organizationId, key, userTagId: result.userTagId }
}

export const ORGANIZATION_NAME = 'bench'

/** The request by which an organization begins. */
export const beginning = (organizationId: string, { publicKey }: SigningKey): Uint8Array => {
  const apiKeys = [{ apiKeyName: 'root', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const parameters = {
    organizationName: ORGANIZATION_NAME,
    rootUsers: [{ userName: 'root', apiKeys }],
    rootQuorumThreshold: 1,
  }
  return encode(envelope(organizationId, 'ACTIVITY_TYPE_CREATE_ORGANIZATION', parameters, 0))
}

/** The name that the `n`th renaming gives. */
export const tagName = (n: string): string => `tag ${n}`

/** The `n`th renaming of the tag: as cheap as the first, however many there were. */
export const renaming = ({ organizationId, userTagId }: Seed, n: string): Uint8Array => {
  const parameters = { userTagId, newUserTagName: tagName(n), addUserIds: [], removeUserIds: [] }
  return encode(envelope(organizationId, 'ACTIVITY_TYPE_UPDATE_USER_TAG', parameters, n))
}

const envelope = (organizationId: string, type: string, parameters: Json, nonce: unknown): Json => ({
  type,
  timestampMs: String(Date.now()),
  organizationId,
  parameters,
  nonce,
})
