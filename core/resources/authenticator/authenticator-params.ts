import * as t from '../../codec/t.ts'

export const AuthenticatorTransport = t.keyof({
  AUTHENTICATOR_TRANSPORT_BLE: null,
  AUTHENTICATOR_TRANSPORT_INTERNAL: null,
  AUTHENTICATOR_TRANSPORT_NFC: null,
  AUTHENTICATOR_TRANSPORT_USB: null,
  AUTHENTICATOR_TRANSPORT_HYBRID: null,
})

/** A text that is there, of a length that no honest browser reaches. */
const text = (charactersMax: number) =>
  t.refined(
    t.string,
    `a text of 1 to ${charactersMax} characters`,
    ({ length }) => length > 0 && length <= charactersMax,
  )

const Short = text(256)
const Long = text(65_536)
const Transports = t.refined(
  t.array(AuthenticatorTransport),
  'transports, each once',
  (listed) => new Set(listed).size === listed.length,
)

const Attestation = t.fields({
  credentialId: Short,
  clientDataJson: Long,
  attestationObject: Long,
  transports: Transports,
})

/** The form of today. */
export const AuthenticatorParamsV2 = t.fields({
  authenticatorName: t.Label,
  challenge: Short,
  attestation: Attestation,
})
export type AuthenticatorParamsV2 = t.TypeOf<typeof AuthenticatorParamsV2>

const Attachment = t.keyof({ 'cross-platform': null, platform: null })
const CredentialWithAttestation = t.fields(
  {
    id: Short,
    type: t.literal('public-key'),
    rawId: Short,
    response: t.fields(
      { clientDataJson: Long, attestationObject: Long },
      { transports: Transports, authenticatorAttachment: Attachment },
    ),
    clientExtensionResults: t.fields(
      {},
      { appid: t.boolean, appidExclude: t.boolean, credProps: t.fields({}, { rk: t.boolean }) },
    ),
  },
  { authenticatorAttachment: Attachment },
)

/** The older form: the credential as a browser gives it. */
export const AuthenticatorParams = t.fields({
  authenticatorName: t.Label,
  userId: t.Uuid,
  attestation: CredentialWithAttestation,
  challenge: Short,
})
export type AuthenticatorParams = t.TypeOf<typeof AuthenticatorParams>

export const toV2 = ({ authenticatorName, challenge, attestation }: AuthenticatorParams): AuthenticatorParamsV2 => {
  const { rawId, response } = attestation
  const { clientDataJson, attestationObject, transports = [] } = response
  return {
    authenticatorName,
    challenge,
    attestation: { credentialId: rawId, clientDataJson, attestationObject, transports },
  }
}
