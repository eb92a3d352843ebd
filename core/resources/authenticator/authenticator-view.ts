import * as t from '../../codec/t.ts'
import { decodeHex, encodeBase64Url } from '../../bytes.ts'
import { timestamp } from '../../codec/timestamp.ts'
import { shownTimes } from '../records.ts'
import type { Passkey } from '../../organization/credential.ts'

/** A passkey as the wire shows it. Passkeys never change. */
export const AuthenticatorView = t.named(
  'Authenticator',
  t.fields({
    transports: t.readonlyArray(t.string),
    attestationType: t.described(t.string, 'the format of its attestation, such as none or packed'),
    aaguid: t.described(t.string, 'the model, as the authenticator tells it: 16 bytes in base64url'),
    credentialId: t.described(t.string, 'by which stamps name it: base64url'),
    model: t.string,
    credential: t.fields({
      publicKey: t.described(t.string, 'its COSE key in base64url'),
      type: t.literal('CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'),
    }),
    authenticatorId: t.Uuid,
    authenticatorName: t.string,
    ...shownTimes,
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
