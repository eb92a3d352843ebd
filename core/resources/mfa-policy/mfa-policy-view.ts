import * as t from '../../codec/t.ts'
import type { MfaPolicy } from '../../organization/mfa-policies.ts'
import type { User } from '../../organization/users.ts'
import { shownTimes, withTimes } from '../records.ts'
import { StepViews } from './authentication-steps.ts'

/** An MFA policy as the wire shows it. */
export const MfaPolicyView = t.named(
  'MfaPolicy',
  t.fields(
    {
      mfaPolicyId: t.Uuid,
      mfaPolicyName: t.string,
      condition: t.string,
      requiredAuthenticationMethods: StepViews,
      order: t.number,
      ...shownTimes,
    },
    { notes: t.string },
  ),
)
type MfaPolicyView = t.TypeOf<typeof MfaPolicyView>

export const mfaPolicyView = (policy: MfaPolicy): MfaPolicyView => withTimes(policy)

/** In the order of their creation. */
export const mfaPoliciesOf = ({ mfaPolicies }: User): readonly MfaPolicyView[] =>
  [...mfaPolicies.values()].map(mfaPolicyView)
