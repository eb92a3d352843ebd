import * as t from '../../codec/t.ts'
import { timestamp } from '../../codec/timestamp.ts'
import { shownTimes } from '../records.ts'
import type { ApiKey } from '../../organization/credential.ts'
import { KeyCredentialType, keyTypeOf } from '../../organization/issued-key.ts'

/** A key as the wire shows it. Keys never change. */
export const ApiKeyView = t.named(
  'ApiKey',
  t.fields(
    {
      credential: t.fields({ publicKey: t.string, type: KeyCredentialType }, { sessionProfileId: t.Uuid }),
      apiKeyId: t.Uuid,
      apiKeyName: t.string,
      ...shownTimes,
    },
    {
      expirationSeconds: t.described(t.string, 'its life from createdAt, in seconds; a key without it does not expire'),
    },
  ),
)
export type ApiKeyView = t.TypeOf<typeof ApiKeyView>

export const apiKeyView = (key: ApiKey): ApiKeyView => ({
  credential: { publicKey: key.publicKey, type: keyTypeOf(key), sessionProfileId: key.profile?.sessionProfileId },
  apiKeyId: key.credentialId,
  apiKeyName: key.label,
  expirationSeconds: key.expirationSeconds?.toString(),
  createdAt: timestamp(key.createdAtMs),
  updatedAt: timestamp(key.createdAtMs),
})
