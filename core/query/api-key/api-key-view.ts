import type { Json } from '../../failure.ts'
import type { ApiKey } from '../../organization/organization.ts'
import { credentialTypeOf } from '../../stamp/scheme.ts'
import { timestamp } from '../timestamp.ts'

/** A key as the wire shows one. Keys never change. */
export const apiKeyView = (key: ApiKey): Json => ({
  credential: { publicKey: key.publicKey, type: credentialTypeOf(key.curve) },
  apiKeyId: key.apiKeyId,
  apiKeyName: key.apiKeyName,
  ...(key.expirationSeconds === undefined ? {} : { expirationSeconds: String(key.expirationSeconds) }),
  createdAt: timestamp(key.createdAtMs),
  updatedAt: timestamp(key.createdAtMs),
})
