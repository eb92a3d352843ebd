import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { failure } from '../failure.ts'
import { parsePasskeyStamp, verifyPasskeyStamp, type PasskeyStamp } from '../stamp/passkey-stamp.ts'
import type { CredentialKind } from './credential-kind.ts'
import { acceptsOrigin } from './passkey-origins.ts'

const Passkey = fields({
  kind: t.literal('passkey'),
  credentialId: t.string,
  userId: t.string,
  /** The name that the user gave it. */
  label: t.string,
  /** The id that the authenticator gave it, and by which stamps name it: base64url without padding. */
  webauthnId: t.string,
  /** The COSE key, in base64url without padding. */
  publicKey: t.string,
  /** SHA-256 of the id of the relying party that it was registered for, in lower-case hex. */
  rpIdHash: t.string,
  /** The model of the authenticator, in lower-case hex; zeros where it does not tell. */
  aaguid: t.string,
  /** The format of the attestation, such as `none` or `packed`. */
  format: t.string,
  transports: t.readonlyArray(t.string),
  createdAtMs: t.number,
})
export type Passkey = Readonly<t.TypeOf<typeof Passkey>>

const unknown = failure(
  'CREDENTIAL_NOT_FOUND',
  'credential ID could not be found in organization or its parent organization',
)

export const passkey: CredentialKind<Passkey, PasskeyStamp, Pick<Passkey, 'kind' | 'publicKey' | 'rpIdHash'>> = {
  kind: 'passkey',
  header: 'X-Stamp-WebAuthn',
  methodOf: ({ credentialId }) => ({ type: 'AUTHENTICATION_TYPE_PASSKEY', id: credentialId }),
  codec: Passkey,
  parse: parsePasskeyStamp,
  nameOf: ({ webauthnId }) => webauthnId,
  verify: verifyPasskeyStamp,
  accepts: acceptsOrigin,
  keyIn: () => undefined,
  // The signature can be verified only beside what it was made over, which its stamp has.
  signatureOf: (_stamp, text) => text,
  facts: ({ webauthnId }) => ({ type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', credential_id: webauthnId }),
  refusals: {
    unknown,
    unknownBelow: unknown,
    several: failure('CREDENTIAL_CONFLICT', 'more than one suborg associated with a credential ID'),
    invalid: failure('SIGNATURE_INVALID', 'could not verify WebAuthN signature'),
    nameIs: 'credentialId',
  },
}
