import type { Failure } from '../../failure.ts'
import type { TE } from '../../prelude.ts'

/**
 * Destroys secrets for good. The engine itself has this service, also where it has no keyring; an operation with effects outside gets it by the
 * port `countersign.destroying`. Both methods may be repeated.
 */
export type Destroying = {
  /** The secrets with these ids. */
  readonly destroy: (organizationId: string, keyIds: readonly string[]) => TE.TaskEither<Failure, void>
  /** All secrets of an organization; it never gets another one. */
  readonly destroyAll: (organizationId: string) => TE.TaskEither<Failure, void>
}

/** The name of the port with the engine's own service. */
export const DESTROYING = 'countersign.destroying'
