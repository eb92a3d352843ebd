import * as t from '../../../core/codec/t.ts'
import { ApiKeyParamsV2 } from '../../../core/resources/api-key/api-key-params.ts'
import { AuthenticatorParamsV2 } from '../../../core/resources/authenticator/authenticator-params.ts'
import {
  OauthProviderParams,
  OauthProviderParamsV2,
} from '../../../core/resources/oauth-provider/oauth-provider-params.ts'
import { RootUserV8 } from '../../../core/resources/sub-organization/root-users.ts'
import { VerificationToken } from '../../../core/resources/user/verified-contact.ts'
import { ClientSignature } from '../../../core/resources/verification/client-signature.ts'
import { WalletParams } from '../../../core/resources/wallet/new-wallet.ts'
import type { AuthMethod } from '../../../core/organization/auth-proxy.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { methodOfProvider, methodOfVerification, mustBeAllowed } from './auth-methods.ts'
import { encoded, present, readAnswer } from './wire.ts'

const credentials = { apiKeys: t.list(ApiKeyParamsV2), authenticators: t.list(AuthenticatorParamsV2) }
const maybe = {
  userEmail: t.EmailOrEmpty,
  userPhoneNumber: t.PhoneNumberOrEmpty,
  userTag: t.TextOrEmpty,
  userName: t.LabelOrEmpty,
  organizationName: t.LabelOrEmpty,
  verificationToken: VerificationToken,
  wallet: WalletParams,
  clientSignature: ClientSignature,
}
const First = t.fields({ ...credentials, oauthProviders: t.list(OauthProviderParams) }, maybe)
const Second = t.fields({ ...credentials, oauthProviders: t.list(OauthProviderParamsV2) }, maybe)
type SignUp = t.TypeOf<typeof Second>

const Created = t.fields(
  { subOrganizationId: t.string, rootUserIds: t.array(t.string) },
  { wallet: t.fields({ walletId: t.string, addresses: t.array(t.string) }), appProofs: t.array(t.AnyJson) },
)

/** Begins an organization with one root user. What proves the user's contact, and the keys of it, the engine judges. */
const signsUp = <A extends SignUp>(
  path: string,
  request: t.Type<A, unknown, unknown>,
  version: string,
): Endpoint<A> => ({
  path,
  request,
  methodOf: (given) => methodsOf(given)[0],
  needsCaptcha: ({ verificationToken }) => !verificationToken,
  answer: async (given, call) => {
    for (const method of methodsOf(given)) mustBeAllowed(method, call.config) // there may be more than the first
    const created = await call.submit({
      type: `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${version}`,
      path: 'create_sub_organization',
      organizationId: call.config.organizationId,
      parameters: organizationOf(given, call),
      resultName: `createSubOrganizationResult${version}`,
      withProofs: true,
    })
    const { subOrganizationId: organizationId, rootUserIds, wallet, appProofs = [] } = readAnswer(Created, created)
    const [userId = ''] = rootUserIds
    return present({ organizationId, userId, wallet, appProofs: appProofs.length > 0 ? appProofs : undefined })
  },
})

const Wanted = t.fields(
  { subOrganizationName: t.Label, rootQuorumThreshold: t.Integer, rootUsers: t.list(RootUserV8) },
  { wallet: WalletParams, verificationToken: VerificationToken, clientSignature: ClientSignature },
)

/** A tag of the user has no place in it: an organization begins without tags. */
const organizationOf = (given: SignUp, { atMs }: Call) => {
  const { userName, userEmail, userPhoneNumber, apiKeys, authenticators, oauthProviders, ...more } = given
  const { organizationName, wallet, verificationToken, clientSignature } = more
  return encoded(Wanted, {
    subOrganizationName: organizationName || `sub-org-${atMs}`,
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: userName || userEmail || userPhoneNumber || `user-${atMs}`,
        userEmail,
        userPhoneNumber,
        apiKeys,
        authenticators,
        oauthProviders,
      },
    ],
    wallet,
    verificationToken,
    clientSignature,
  })
}

/** How the user is going to sign in. API keys count as those of a wallet where nothing else is there: with a passkey comes a key for its first minute. */
const methodsOf = (given: SignUp): readonly AuthMethod[] => {
  const { authenticators, oauthProviders, verificationToken, apiKeys, userEmail, userPhoneNumber } = given
  const verified = verificationToken ? methodOfVerification(verificationToken) : undefined
  const methods: readonly AuthMethod[] = [
    ...(authenticators.length > 0 ? (['passkey'] as const) : []),
    ...oauthProviders.map(methodOfProvider),
    ...(verified === undefined ? [] : [verified]),
  ]
  if (methods.length > 0) return methods
  if (apiKeys.length > 0) return ['wallet']
  if (userEmail) return ['email']
  return userPhoneNumber ? ['sms'] : []
}

export const signup = signsUp('/v1/signup', First, 'V7')
export const signupV2 = signsUp('/v1/signup_v2', Second, 'V8')
