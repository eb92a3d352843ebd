import type { Attack } from './attack.ts'
import { withAttestations } from './with-attestations.ts'
import { withCredential } from './with-credential.ts'
import { withPolicies } from './with-policies.ts'
import { withVotes } from './with-votes.ts'
import { withWrongEntries } from './with-wrong-entries.ts'
import { withoutCredential } from './without-credential.ts'

/** The worst that we know. Who finds something worse adds it here. */
export const attacks: readonly Attack[] = [
  ...withoutCredential,
  ...withCredential,
  ...withWrongEntries,
  ...withAttestations,
  ...withPolicies,
  ...withVotes,
]
