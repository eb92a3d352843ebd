import * as t from '../../codec/t.ts'
import { isSameValue } from '../../definition/frozen.ts'
import type { InspectContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { VERIFICATION_KEYS } from '../../definition/verification-keys.ts'
import { E } from '../../prelude.ts'
import { ApiKeyParamsV2 } from '../api-key/api-key-params.ts'
import { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'
import { OauthProviderParamsV2 } from '../oauth-provider/oauth-provider-params.ts'
import { isAbout } from '../user/verified-contact.ts'
import { checkUsage, type ClientSignature, type Usage } from '../verification/client-signature.ts'
import { contactOf } from '../verification/contact.ts'
import { claimsOf, type needsVerificationKeys, type VerificationClaims } from '../verification/verification-token.ts'
import type { RootUserV8 } from './root-users.ts'

/* A token says that the contact of a root user was verified, and its key has signed what the user begins with. */

export type SignsUp = {
  readonly rootUsers: readonly RootUserV8[]
  readonly verificationToken?: string | undefined
  readonly clientSignature?: ClientSignature | undefined
  /** Whether a token counts whose code came in plain. */
  readonly takesPlain?: boolean
}

/** The claims of the token, if the request has one. */
export const signUpIn = (
  { rootUsers, verificationToken: token, clientSignature, takesPlain = false }: SignsUp,
  { ports }: Pick<InspectContext<typeof needsVerificationKeys>, 'ports'>,
): VerificationClaims | undefined => {
  if (!token) {
    if (clientSignature !== undefined) throw refuse.field('verificationToken', 'the token that clientSignature is for')
    return undefined
  }
  const claims = claimsOf(token, ports[VERIFICATION_KEYS])
  if (!takesPlain && claims.generation !== undefined)
    throw refuse.field('verificationToken', 'a token whose code came encrypted')
  const user = rootUsers.find((one) => isOf(claims, one))
  if (user === undefined) throw refuse.field('verificationToken', 'a token for the contact of a root user')
  checkUsage(claims, clientSignature, signUp(user))
  return claims
}

/** Whether the token is about a contact of the user. */
export const isOf = (claims: VerificationClaims, user: Pick<RootUserV8, 'userEmail' | 'userPhoneNumber'>): boolean => {
  const otpType = claims.verification_type
  const contact = contactOf(user, otpType)
  return Boolean(contact) && isAbout(claims, { otpType, contact: contact ?? '' })
}

const SignUp = t.fields(
  {},
  {
    apiKeys: t.list(ApiKeyParamsV2),
    authenticators: t.list(AuthenticatorParamsV2),
    oauthProviders: t.list(OauthProviderParamsV2),
    email: t.EmailOrEmpty,
    phoneNumber: t.PhoneNumberOrEmpty,
  },
)

/** A sign-up: as the user whom the request makes. Clients name it in one of two ways, and never in both. */
const signUp = (user: RootUserV8): Usage => ({
  type: 'USAGE_TYPE_SIGNUP',
  says: ({ signupV2, signup }) => {
    const said = SignUp.decode(signup ?? signupV2)
    if (E.isLeft(said) || (signup && signupV2)) return false
    const { apiKeys = [], authenticators = [], oauthProviders = [], email = '', phoneNumber = '' } = said.right
    return isSameValue(
      [apiKeys, authenticators, oauthProviders, email, phoneNumber],
      [user.apiKeys, user.authenticators, user.oauthProviders, user.userEmail ?? '', user.userPhoneNumber ?? ''],
    )
  },
})
