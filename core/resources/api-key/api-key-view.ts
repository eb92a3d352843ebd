import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { described, named } from '../../codec/described.ts'
import { fields } from '../../codec/fields.ts'
import { Timestamp, timestamp } from '../../codec/timestamp.ts'
import type { ApiKey } from '../../organization/credential.ts'
import { ApiKeyCredentialType, credentialTypeOf } from '../../stamp/scheme.ts'

/** A key as the wire shows it. Keys never change. */
export const ApiKeyView = named(
  'ApiKey',
  fields(
    {
      credential: fields({ publicKey: t.string, type: ApiKeyCredentialType }),
      apiKeyId: Uuid,
      apiKeyName: t.string,
      createdAt: Timestamp,
      updatedAt: Timestamp,
    },
    { expirationSeconds: described(t.string, 'its life from createdAt, in seconds; a key without it does not expire') },
  ),
)
export type ApiKeyView = t.TypeOf<typeof ApiKeyView>

export const apiKeyView = (key: ApiKey): ApiKeyView => ({
  credential: { publicKey: key.publicKey, type: credentialTypeOf(key.curve) },
  apiKeyId: key.credentialId,
  apiKeyName: key.label,
  expirationSeconds: key.expirationSeconds?.toString(),
  createdAt: timestamp(key.createdAtMs),
  updatedAt: timestamp(key.createdAtMs),
})
