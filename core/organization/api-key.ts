import * as t from 'io-ts'
import { encodeHex } from '../bytes.ts'
import { fields } from '../codec/fields.ts'
import { failure } from '../failure.ts'
import { parseApiKeyStamp, verifyApiKeyStamp, type ApiKeyStamp } from '../stamp/api-key-stamp.ts'
import { ApiKeyCurve, curveOf } from '../stamp/scheme.ts'
import type { CredentialKind } from './credential-kind.ts'
import { issuedMembers, keyMethodOf, keyTypeOf } from './issued-key.ts'

const ApiKey = fields(
  {
    kind: t.literal('api-key'),
    credentialId: t.string,
    userId: t.string,
    /** The name that the user gave it. */
    label: t.string,
    /** Lower-case hex; compressed for the two Weierstraß curves, 32 bytes for ed25519. */
    publicKey: t.string,
    curve: ApiKeyCurve,
    createdAtMs: t.number,
  },
  {
    /** Lifetime in seconds from `createdAtMs`; without it the key does not expire. */
    expirationSeconds: t.number,
    ...issuedMembers,
  },
)
export type ApiKey = Readonly<t.TypeOf<typeof ApiKey>>

export const apiKey: CredentialKind<ApiKey, ApiKeyStamp, Pick<ApiKey, 'kind' | 'publicKey' | 'curve'>> = {
  kind: 'api-key',
  header: 'X-Stamp',
  methodOf: keyMethodOf,
  codec: ApiKey,
  parse: parseApiKeyStamp,
  nameOf: ({ publicKey }) => publicKey,
  verify:
    (signatures) =>
    (stamp, body, { curve }) =>
      verifyApiKeyStamp(signatures)(stamp, body, curve),
  accepts: () => true,
  keyIn: ({ kind, publicKey, scheme }) => ({ kind, publicKey, curve: curveOf(scheme) }),
  signatureOf: ({ signature }) => encodeHex(signature),
  facts: (key) => ({ type: keyTypeOf(key), credential_id: '' }),
  refusals: {
    unknown: failure('PUBLIC_KEY_NOT_FOUND', 'could not find public key in organization'),
    unknownBelow: failure(
      'PUBLIC_KEY_NOT_FOUND',
      'could not find public key in organization or its parent organization',
    ),
    several: failure('CREDENTIAL_CONFLICT', 'more than one suborg associated with a public key'),
    invalid: failure('SIGNATURE_INVALID', 'could not verify api key signature'),
    nameIs: 'publicKey',
  },
}
