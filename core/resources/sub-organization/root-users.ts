import * as t from '../../codec/t.ts'
import { ApiKeyParams, ApiKeyParamsV2, toV2 } from '../api-key/api-key-params.ts'
import { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'
import { OauthProviderParams, OauthProviderParamsV2 } from '../oauth-provider/oauth-provider-params.ts'

const named = { userName: t.Label }
const contacts = { userEmail: t.EmailOrEmpty }
const withPhone = { ...contacts, userPhoneNumber: t.PhoneNumberOrEmpty }
const older = { apiKeys: t.list(ApiKeyParams), authenticators: t.list(AuthenticatorParamsV2) }
const newer = { apiKeys: t.list(ApiKeyParamsV2), authenticators: t.list(AuthenticatorParamsV2) }
const providers = { oauthProviders: t.list(OauthProviderParams) }

/**
 * Root users as each version of the wire has them: with identity providers from the fifth on, curves from the sixth, telephones from the seventh, and
 * providers by claims from the eighth.
 */
export const RootUser = t.fields({ ...named, ...older }, contacts)
export const RootUserV5 = t.fields({ ...named, ...older, ...providers }, contacts)
export const RootUserV6 = t.fields({ ...named, ...newer, ...providers }, contacts)
export const RootUserV7 = t.fields({ ...named, ...newer, ...providers }, withPhone)
export const RootUserV8 = t.fields({ ...named, ...newer, oauthProviders: t.list(OauthProviderParamsV2) }, withPhone)
export type RootUserV8 = t.TypeOf<typeof RootUserV8>

export const firstToV8 = (user: t.TypeOf<typeof RootUser>): RootUserV8 => fifthToV8({ ...user, oauthProviders: [] })

export const fifthToV8 = ({ apiKeys, ...user }: t.TypeOf<typeof RootUserV5>): RootUserV8 => ({
  ...user,
  apiKeys: apiKeys.map(toV2),
})
