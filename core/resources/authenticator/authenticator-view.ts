import * as t from 'io-ts'
import { decodeHex, encodeBase64Url } from '../../bytes.ts'
import { Uuid } from '../../codec/codec.ts'
import { described, named } from '../../codec/described.ts'
import { fields } from '../../codec/fields.ts'
import { Timestamp, timestamp } from '../../codec/timestamp.ts'
import type { Passkey } from '../../organization/credential.ts'

/** A passkey as the wire shows it. Passkeys never change. */
export const AuthenticatorView = named(
  'Authenticator',
  fields({
    transports: t.readonlyArray(t.string),
    attestationType: described(t.string, 'the format of its attestation, such as none or packed'),
    aaguid: described(t.string, 'the model, as the authenticator tells it: 16 bytes in base64url'),
    credentialId: described(t.string, 'by which stamps name it: base64url'),
    model: t.string,
    credential: fields({
      publicKey: described(t.string, 'its COSE key in base64url'),
      type: t.literal('CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'),
    }),
    authenticatorId: Uuid,
    authenticatorName: t.string,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type AuthenticatorView = t.TypeOf<typeof AuthenticatorView>

export const authenticatorView = (passkey: Passkey): AuthenticatorView => ({
  transports: [...passkey.transports],
  attestationType: passkey.format,
  aaguid: encodeBase64Url(decodeHex(passkey.aaguid) ?? new Uint8Array()),
  credentialId: passkey.webauthnId,
  model: passkey.transports.some((transport) => OF_A_DEVICE.includes(transport)) ? 'Passkey' : 'Security key',
  credential: { publicKey: passkey.publicKey, type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR' },
  authenticatorId: passkey.credentialId,
  authenticatorName: passkey.label,
  createdAt: timestamp(passkey.createdAtMs),
  updatedAt: timestamp(passkey.createdAtMs),
})

/** The transports of phones and computers; keys that are plugged in or held close have others. */
const OF_A_DEVICE = ['AUTHENTICATOR_TRANSPORT_INTERNAL', 'AUTHENTICATOR_TRANSPORT_HYBRID']
