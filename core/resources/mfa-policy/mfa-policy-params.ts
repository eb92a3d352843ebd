import * as t from '../../codec/t.ts'
import { StepParams } from './authentication-steps.ts'

/** What a request says of an MFA policy, besides its notes. Many conditions may be read for one decision, so they are shorter than those of policies. */
export const given = {
  mfaPolicyName: t.Label,
  condition: t.textUpTo(2_048),
  requiredAuthenticationMethods: StepParams,
  order: t.Integer,
}
