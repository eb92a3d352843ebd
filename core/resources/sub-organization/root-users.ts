import * as t from '../../codec/t.ts'
import { ApiKeyParams, ApiKeyParamsV2, toV2 } from '../api-key/api-key-params.ts'
import { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'

/** A list whose entries this version refuses, so their members are not read. */
export const Unsupported = t.list(t.unknown)

const named = { userName: t.Label }
const contacts = { userEmail: t.EmailOrEmpty }
const older = { apiKeys: t.list(ApiKeyParams), authenticators: t.list(AuthenticatorParamsV2) }
const newer = {
  apiKeys: t.list(ApiKeyParamsV2),
  authenticators: t.list(AuthenticatorParamsV2),
  oauthProviders: Unsupported,
}

/** Root users as each version of the wire has them: with providers of OAuth from the fifth on, curves from the sixth, telephones from the seventh. */
export const RootUser = t.fields({ ...named, ...older }, contacts)
export const RootUserV5 = t.fields({ ...named, ...older, oauthProviders: Unsupported }, contacts)
export const RootUserV6 = t.fields({ ...named, ...newer }, contacts)
export const RootUserV7 = t.fields({ ...named, ...newer }, { ...contacts, userPhoneNumber: t.PhoneNumberOrEmpty })
export type RootUserV7 = t.TypeOf<typeof RootUserV7>

export const firstToV7 = (user: t.TypeOf<typeof RootUser>): RootUserV7 => fifthToV7({ ...user, oauthProviders: [] })

export const fifthToV7 = ({ apiKeys, ...user }: t.TypeOf<typeof RootUserV5>): RootUserV7 => ({
  ...user,
  apiKeys: apiKeys.map(toV2),
})
