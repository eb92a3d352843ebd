import type { Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'

/**
 * A storage in which all effects seem to be those of another installation: an engine on it takes none of them up unless it is told to. The
 * engines of a replay see the effects of each other, and each of them may be due at once.
 *
 * @param eraseParts  erases nothing, and ends when the log says so
 * @param lineAt  the line of the log that is replayed: an erasure names its hash, and the engine writes lines with other ids and salts
 */
export const asImported = (
  storage: Storage,
  eraseParts: Storage['store']['eraseParts'],
  lineAt: (organization: string, sequence: bigint) => Uint8Array | undefined,
): Storage => ({
  ...storage,
  store: {
    ...storage.store,
    eraseParts,
    importedTo: () => TE.right(2n ** 62n),
    readLog: (organization, after, limit, options) =>
      limit === 1 && options === undefined
        ? TE.map((found: readonly Recorded[]) => {
            const line = lineAt(organization, after + 1n)
            return found.map((one) => ({ ...one, line: line ?? one.line }))
          })(storage.store.readLog(organization, after, limit))
        : storage.store.readLog(organization, after, limit, options),
  },
})
