import * as t from '../../codec/t.ts'
import {
  AuthenticatorParams,
  AuthenticatorParamsV2,
  toV2 as withAttestation,
} from '../authenticator/authenticator-params.ts'
import { ApiKeyParams, ApiKeyParamsV2, toV2 } from '../api-key/api-key-params.ts'
import { OauthProviderParams, OauthProviderParamsV2 } from '../oauth-provider/oauth-provider-params.ts'

/** Who may sign in to a dashboard: kept where a record shows it, and without a meaning. */
export const AccessType = t.keyof({ ACCESS_TYPE_WEB: null, ACCESS_TYPE_API: null, ACCESS_TYPE_ALL: null })

export const UserParams = t.fields(
  {
    userName: t.Label,
    accessType: AccessType,
    apiKeys: t.list(ApiKeyParams),
    authenticators: t.list(AuthenticatorParams),
    userTags: t.Uuids,
  },
  { userEmail: t.EmailOrEmpty },
)
export type UserParams = t.TypeOf<typeof UserParams>

export const UserParamsV2 = t.fields(
  {
    userName: t.Label,
    apiKeys: t.list(ApiKeyParams),
    authenticators: t.list(AuthenticatorParamsV2),
    userTags: t.Uuids,
  },
  { userEmail: t.EmailOrEmpty },
)
export type UserParamsV2 = t.TypeOf<typeof UserParamsV2>

const newer = {
  userName: t.Label,
  apiKeys: t.list(ApiKeyParamsV2),
  authenticators: t.list(AuthenticatorParamsV2),
  userTags: t.Uuids,
}
const contacts = { userEmail: t.EmailOrEmpty, userPhoneNumber: t.PhoneNumberOrEmpty }

/** The third and the fourth form differ inside `oauthProviders` only. */
export const UserParamsV3 = t.fields({ ...newer, oauthProviders: t.list(OauthProviderParams) }, contacts)
export const UserParamsV4 = t.fields({ ...newer, oauthProviders: t.list(OauthProviderParamsV2) }, contacts)
export type UserParamsV4 = t.TypeOf<typeof UserParamsV4>

/** A user who has no other credentials than keys, all of P-256. */
export const ApiOnlyUserParams = t.fields(
  { userName: t.Label, userTags: t.Uuids, apiKeys: t.list(ApiKeyParams) },
  { userEmail: t.EmailOrEmpty },
)

/** Drops access types: they said who may sign in to a dashboard, and have no meaning any more. */
export const toV4 = ({ userName, userEmail, apiKeys, authenticators, userTags }: UserParamsV2): UserParamsV4 => ({
  userName,
  userEmail,
  apiKeys: apiKeys.map(toV2),
  authenticators,
  oauthProviders: [],
  userTags,
})

export const firstToV4 = ({ authenticators, ...user }: UserParams): UserParamsV4 =>
  toV4({ ...user, authenticators: authenticators.map(withAttestation) })
