import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { failure } from '../failure.ts'
import type { Curve } from '../ports/signatures.ts'
import { credentialTypeOf } from '../stamp/scheme.ts'
import type { AuthenticationType } from './mfa-policies.ts'

/* API keys that the engine gave to somebody who had proved something: by a stamp, a code or a token. They expire. */

/** How such a key came about. */
export const Issued = t.keyof({
  RECOVER_USER_KEY_P256: null,
  EMAIL_AUTH_KEY_P256: null,
  OTP_AUTH_KEY_P256: null,
  READ_WRITE_SESSION_KEY_P256: null,
  OAUTH_KEY_P256: null,
  LOGIN: null,
})
export type Issued = t.TypeOf<typeof Issued>

/** The only paths to which such keys may send something, also where a policy allows more. All others may send everything. */
const ONLY_PATHS: { readonly [issued in Issued]?: readonly string[] } = {
  RECOVER_USER_KEY_P256: ['recover_user', 'whoami'],
}

/** Whether a credential may send something to a path. */
export const maySendTo = (path: string, { issued }: { readonly issued?: Issued | undefined }): boolean =>
  issued === undefined || (ONLY_PATHS[issued]?.includes(path) ?? true)

/** Whether a credential is there to be replaced by one that lasts. */
export const isForRecovery = (credential: object): boolean =>
  'issued' in credential && credential.issued === 'RECOVER_USER_KEY_P256'

export const cannotSend = failure(
  'REQUEST_NOT_AUTHORIZED',
  'request not authorized: the key was issued for something else',
)

/** What a key has of the profile under which it was issued. Profiles never change, and may be those of another organization. */
export const KeyProfile = fields({ sessionProfileId: t.string, scope: t.string })

/** What an issued key has besides the members of others. */
export const issuedMembers = { issued: Issued, profile: KeyProfile }

type MaybeIssued = {
  readonly credentialId: string
  readonly curve: Curve
  readonly issued?: Issued | undefined
  readonly profile?: Readonly<t.TypeOf<typeof KeyProfile>> | undefined
}

/** The wire's type of an API key: an issued one shows how it came about in place of its curve. */
export const KeyCredentialType = t.keyof({
  CREDENTIAL_TYPE_API_KEY_P256: null,
  CREDENTIAL_TYPE_API_KEY_SECP256K1: null,
  CREDENTIAL_TYPE_API_KEY_ED25519: null,
  CREDENTIAL_TYPE_RECOVER_USER_KEY_P256: null,
  CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256: null,
  CREDENTIAL_TYPE_OTP_AUTH_KEY_P256: null,
  CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256: null,
  CREDENTIAL_TYPE_OAUTH_KEY_P256: null,
  CREDENTIAL_TYPE_LOGIN: null,
})

export const keyTypeOf = ({ curve, issued }: Omit<MaybeIssued, 'credentialId'>): t.TypeOf<typeof KeyCredentialType> =>
  issued === undefined ? credentialTypeOf(curve) : `CREDENTIAL_TYPE_${issued}`

/** In place of the id of a profile: that of sessions without one. */
export const NO_PROFILE = '00000000-0000-0000-0000-000000000000'

/** The steps of second factors that a key meets. A session does not count as the key by which it was begun, and other issued keys meet none. */
export const keyMethodOf = ({
  credentialId,
  issued,
  profile,
}: MaybeIssued): { readonly type: AuthenticationType; readonly id: string } | undefined => {
  if (issued === undefined) return { type: 'AUTHENTICATION_TYPE_API_KEY', id: credentialId }
  if (issued !== 'LOGIN') return undefined
  return { type: 'AUTHENTICATION_TYPE_SESSION', id: profile?.sessionProfileId ?? NO_PROFILE }
}
