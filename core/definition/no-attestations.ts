import { failure } from '../failure.ts'
import type { Attestations } from '../ports/attestations.ts'
import { E } from '../prelude.ts'

/** What stands where nothing that checks attestations was given: no passkey can be registered. */
export const noAttestations: Attestations = {
  verify: () =>
    Promise.resolve(
      E.left(failure('UNSUPPORTED', 'passkeys cannot be registered or checked here: give `attestations`')),
    ),
}
