import { refuse } from '../../definition/refuse.ts'
import type { MfaPolicy } from '../../organization/mfa-policies.ts'
import type { User } from '../../organization/users.ts'

/** The most characters of a user's MFA policies, as JSON. Each decision reads their conditions, and each list of users contains them all. */
const LENGTH_MAX = 16_384

/** Refuses a policy with which the policies of its user would take too much room; in place of the one that has its id. */
export const checkRoom = ({ mfaPolicies }: User, policy: Texts & Pick<MfaPolicy, 'mfaPolicyId'>): void => {
  const length = [...mfaPolicies.values()]
    .filter(({ mfaPolicyId }) => mfaPolicyId !== policy.mfaPolicyId)
    .reduce((sum, other) => sum + lengthOf(other), lengthOf(policy))
  if (length > LENGTH_MAX)
    throw refuse('RESOURCE_EXHAUSTED', `expected at most ${LENGTH_MAX} characters in the MFA policies of a user`)
}

type Texts = Pick<MfaPolicy, 'condition' | 'requiredAuthenticationMethods' | 'notes'>

const lengthOf = ({ condition, requiredAuthenticationMethods, notes = '' }: Texts): number =>
  JSON.stringify([condition, requiredAuthenticationMethods, notes]).length
