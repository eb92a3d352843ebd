import * as t from '../codec/t.ts'
import { fields } from '../codec/fields.ts'
import { failure } from '../failure.ts'
import type { Curve } from '../ports/signatures.ts'
import { credentialTypeOf } from '../stamp/scheme.ts'
import type { AuthenticationType } from './mfa-policies.ts'

/*
 * API keys that the engine gave to somebody who had proved something: by a stamp, a code or a token. They expire. And the two keys of an auth proxy,
 * which the organization has let in: they do not.
 */

/** How such a key came about. */
export const Issued = t.keyof({
  RECOVER_USER_KEY_P256: null,
  EMAIL_AUTH_KEY_P256: null,
  OTP_AUTH_KEY_P256: null,
  READ_WRITE_SESSION_KEY_P256: null,
  OAUTH_KEY_P256: null,
  LOGIN: null,
  /** The engine has made it for the proxy, which acts by it. */
  AUTH_PROXY: null,
  /** The proxy's own, of all organizations that have let it in: it reads how the organization has set it up. */
  AUTH_PROXY_CONFIG: null,
})
export type Issued = t.TypeOf<typeof Issued>

/** What an auth proxy may submit: in its own organization, and in those below. */
const PROXY_SUBMITS = [
  'init_otp',
  'verify_otp',
  'otp_login',
  'oauth_login',
  'oauth2_authenticate',
  'create_sub_organization',
]
/** And in those below alone. */
const PROXY_SUBMITS_BELOW = ['create_oauth_providers']
const PROXY_ASKS = [
  'list_suborgs',
  'list_verified_suborgs',
  'find_verified_user',
  'list_oauth2_credentials',
  'get_activity',
]

/** What policies call all that an auth proxy may submit: `activity.kind`. */
export const PROXY_KINDS: readonly string[] = [...PROXY_SUBMITS, ...PROXY_SUBMITS_BELOW].map((path) =>
  path.toUpperCase(),
)

type Paths = {
  readonly anywhere: readonly string[]
  /** Only in an organization below the one that has the key. */
  readonly below?: readonly string[]
}

/** The only paths to which such keys may send something, also where a policy allows more. All others may send everything. */
const ONLY_PATHS: { readonly [issued in Issued]?: Paths } = {
  RECOVER_USER_KEY_P256: { anywhere: ['recover_user', 'whoami'] },
  AUTH_PROXY: { anywhere: [...PROXY_SUBMITS, ...PROXY_ASKS], below: PROXY_SUBMITS_BELOW },
  AUTH_PROXY_CONFIG: { anywhere: ['get_auth_proxy_config'] },
}

type MaybeOf = { readonly issued?: Issued | undefined }

/** Whether a credential may send something to a path. @param isBelow  whether that is for an organization below the one that has it */
export const maySendTo = (path: string, { issued }: MaybeOf, isBelow: boolean): boolean => {
  const paths = issued && ONLY_PATHS[issued]
  return paths === undefined || paths.anywhere.includes(path) || (isBelow && paths.below?.includes(path) === true)
}

/** Whether the key is one of the two of an auth proxy. */
const isOfProxy = (issued: Issued | undefined): issued is 'AUTH_PROXY' | 'AUTH_PROXY_CONFIG' =>
  issued === 'AUTH_PROXY' || issued === 'AUTH_PROXY_CONFIG'

/** Whether the organization's lists of addresses count for the key. A proxy is wherever its operator runs it. */
export const isBoundToAddresses = ({ issued }: MaybeOf): boolean => !isOfProxy(issued)

/** Whether those who ask by the key are shown no activities but those of their own user. */
export const seesOwnActivities = (issued: Issued | undefined): boolean => issued === 'AUTH_PROXY'

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

/** The wire has no words for the keys of an auth proxy. */
export const keyTypeOf = ({ curve, issued }: Omit<MaybeIssued, 'credentialId'>): t.TypeOf<typeof KeyCredentialType> =>
  issued === undefined || isOfProxy(issued) ? credentialTypeOf(curve) : `CREDENTIAL_TYPE_${issued}`

/** In place of the id of a profile: that of sessions without one. */
export const NO_PROFILE = '00000000-0000-0000-0000-000000000000'

/**
 * The steps of second factors that a key meets. A session does not count as the key by which it was begun, and other issued keys that expire meet
 * none.
 */
export const keyMethodOf = ({
  credentialId,
  issued,
  profile,
}: MaybeIssued): { readonly type: AuthenticationType; readonly id: string } | undefined => {
  if (issued === undefined || isOfProxy(issued)) return { type: 'AUTHENTICATION_TYPE_API_KEY', id: credentialId }
  if (issued !== 'LOGIN') return undefined
  return { type: 'AUTHENTICATION_TYPE_SESSION', id: profile?.sessionProfileId ?? NO_PROFILE }
}
