import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import type { DeepReadonly } from './state.ts'

/** An account of a user at an identity provider. */
export const OauthProvider = fields({
  providerId: t.string,
  providerName: t.string,
  /** As the tokens of the provider name them. */
  issuer: t.string,
  audience: t.string,
  subject: t.string,
  createdAtMs: t.number,
})
export type OauthProvider = DeepReadonly<t.TypeOf<typeof OauthProvider>>
