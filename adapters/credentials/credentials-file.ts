import * as t from 'io-ts'
import { closed, Uuid } from '../../core/codec/codec.ts'
import { fields } from '../../core/codec/fields.ts'
import { ApiKeyCurve } from '../../core/stamp/scheme.ts'

const BaseUrl = t.union([t.string, t.null], 'a URL, or null')

/** The file of a root user: the key, its organization and its server. Keys are hex. */
export const RootCredentials = closed({
  baseUrl: BaseUrl,
  organizationId: Uuid,
  userId: Uuid,
  apiPublicKey: t.string,
  apiPrivateKey: t.string,
})
export type RootCredentials = t.TypeOf<typeof RootCredentials>

/** Any credentials file: members that are missing can be given with the request. */
export const Credentials = fields(
  { apiPublicKey: t.string, apiPrivateKey: t.string },
  { baseUrl: BaseUrl, organizationId: Uuid, userId: Uuid, curveType: ApiKeyCurve },
)
export type Credentials = t.TypeOf<typeof Credentials>
