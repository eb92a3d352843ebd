import * as t from 'io-ts'
import { Label } from '../../codec.ts'
import { ApiKeyParams, ApiKeyParamsV2, toV2 } from '../api-key/api-key-params.ts'
import { fields, Ids, list } from '../fields.ts'
import { Email, PhoneNumber } from './contact.ts'

/** What this version refuses whenever there is one; its members are nobody's concern. */
const Unsupported = list(t.unknown)

const AccessType = t.keyof({ ACCESS_TYPE_WEB: null, ACCESS_TYPE_API: null, ACCESS_TYPE_ALL: null }, 'an access type')

export const UserParams = fields(
  {
    userName: Label,
    accessType: AccessType,
    apiKeys: list(ApiKeyParams),
    authenticators: Unsupported,
    userTags: Ids,
  },
  { userEmail: Email },
)
export type UserParams = t.TypeOf<typeof UserParams>

export const UserParamsV2 = fields(
  { userName: Label, apiKeys: list(ApiKeyParams), authenticators: Unsupported, userTags: Ids },
  { userEmail: Email },
)
export type UserParamsV2 = t.TypeOf<typeof UserParamsV2>

/** The third and the fourth form differ inside `oauthProviders` only. */
export const UserParamsV4 = fields(
  {
    userName: Label,
    apiKeys: list(ApiKeyParamsV2),
    authenticators: Unsupported,
    oauthProviders: Unsupported,
    userTags: Ids,
  },
  { userEmail: Email, userPhoneNumber: PhoneNumber },
)
export type UserParamsV4 = t.TypeOf<typeof UserParamsV4>

/** Access types decided who might sign in to a dashboard: they have no meaning left. */
export const toV4 = ({
  userName,
  userEmail,
  apiKeys,
  authenticators,
  userTags,
}: UserParams | UserParamsV2): UserParamsV4 => ({
  userName,
  ...(userEmail === undefined ? {} : { userEmail }),
  apiKeys: apiKeys.map(toV2),
  authenticators,
  oauthProviders: [],
  userTags,
})
