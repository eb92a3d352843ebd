import * as t from '../codec/t.ts'
import { mapOf } from '../codec/map-of.ts'
import { state } from './state.ts'

/** The names of features on the wire. */
export const FeatureName = t.keyof({
  FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY: null,
  FEATURE_NAME_WEBAUTHN_ORIGINS: null,
  FEATURE_NAME_EMAIL_AUTH: null,
  FEATURE_NAME_EMAIL_RECOVERY: null,
  FEATURE_NAME_WEBHOOK: null,
  FEATURE_NAME_SMS_AUTH: null,
  FEATURE_NAME_OTP_EMAIL_AUTH: null,
  FEATURE_NAME_AUTH_PROXY: null,
  FEATURE_NAME_SOLANA_RENT_PREFUND_ENABLED: null,
  FEATURE_NAME_SWAP_CONFIG: null,
  FEATURE_NAME_EARN_CONFIG: null,
})
export type FeatureName = t.TypeOf<typeof FeatureName>

/** The values of the features that are set, by name, in the order in which they were set first. */
export const features = state({
  name: 'features',
  version: 1,
  codec: mapOf(t.string),
  initial: () => new Map<string, string>(),
})
