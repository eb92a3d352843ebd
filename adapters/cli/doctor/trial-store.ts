import type { Failure } from '../../../core/failure.ts'
import type { TE } from '../../../core/prelude.ts'
import type { Storage } from '../../../core/ports/storage.ts'

/** A store that a trial has made, in a form that another process can be told. */
export type TrialStore =
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }
  | { readonly kind: 'sqlite'; readonly path: string }

/** The largest commit that stores of trials take: some cases of the contract go beyond it. */
export const TRIAL_COMMIT_BYTES_MAX = 1024 * 1024

/** Opens the store of a trial; more options are those of its adapter. */
export const openTrialStore = (store: TrialStore, more: object = {}): TE.TaskEither<Failure, Storage> => {
  const commitBytesMax = TRIAL_COMMIT_BYTES_MAX
  if (store.kind === 'sqlite')
    return async () => {
      const { openSqliteStore } = await import('../../store-sqlite/open.ts')
      return openSqliteStore({ path: store.path, commitBytesMax, ...more })()
    }
  return async () => {
    const { openPostgresStore } = await import('../../store-postgres/open.ts')
    return openPostgresStore({ url: store.url, schema: store.schema, commitBytesMax, ...more })()
  }
}
