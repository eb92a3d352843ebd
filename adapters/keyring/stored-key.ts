import { failure, type Failure } from '../../core/failure.ts'
import type { KeyPlace } from '../../core/ports/keyring.ts'
import type { SealedPlace } from '../../core/ports/sealed-rows.ts'
import type { TE } from '../../core/prelude.ts'
import type { Results, Uses, UseTag } from './key-use.ts'

/** Does something with the secret that is stored at a place. */
export type UseKey = <Tag extends UseTag>(
  place: KeyPlace,
  tag: Tag,
  what: Uses[Tag],
) => TE.TaskEither<Failure, Results[Tag]>

/** Where the row of a secret is. */
export const sealedPlaceOf = ({ organizationId, keyId }: KeyPlace): SealedPlace => ({
  organization: organizationId,
  id: keyId,
})

export const missing = failure('KEY_MISSING', 'the secret of the wallet or private key is gone')
