import { refuse } from '../../definition/refuse.ts'
import { features, type FeatureName } from '../../organization/features.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import type { OtpType } from '../verification/contact.ts'

/** What is on in an organization on top where nobody has set it. One below another has set what it has, at its beginning. */
const ON_ON_TOP: ReadonlySet<FeatureName> = new Set([
  'FEATURE_NAME_EMAIL_AUTH',
  'FEATURE_NAME_OTP_EMAIL_AUTH',
  'FEATURE_NAME_EMAIL_RECOVERY',
])

/** Whether a feature is on. The value `false` turns it off everywhere. */
export const hasFeature = (organization: Organization, name: FeatureName): boolean => {
  const value = features.of(organization).get(name)
  return value === undefined ? parentOf(organization) === undefined && ON_ON_TOP.has(name) : value !== 'false'
}

/** Refuses what is off. */
export const needsFeature = (organization: Organization, name: FeatureName): void => {
  if (!hasFeature(organization, name))
    throw refuse('EMAIL_SENDING_DISABLED', `the organization does not have the feature ${name}`)
}

export const featureOf = (otpType: OtpType): FeatureName =>
  otpType === 'OTP_TYPE_EMAIL' ? 'FEATURE_NAME_OTP_EMAIL_AUTH' : 'FEATURE_NAME_SMS_AUTH'
