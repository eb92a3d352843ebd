import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Failure } from '../../../core/failure.ts'
import { forged, type Draft } from '../../core/audit/forgery.ts'
import { linesOf } from '../../core/audit/logs.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'

/**
 * A storage in which all effects seem to be those of another installation: an engine on it takes none of them up unless it is told to. The
 * engines of a replay see the effects of each other, and each of them may be due at once.
 *
 * @param untilTold  stands for erasing parts and destroying keys: it does nothing, and ends when the log says so
 * @param readLog  of the store
 * @param lines  of the log that is replayed: an erasure names the hash of one, and the engine writes lines with other ids and salts
 */
export const asImported = (
  storage: Storage,
  untilTold: () => TE.TaskEither<Failure, void>,
  lines: ReadonlyMap<string, string>,
  readLog: Storage['store']['readLog'],
): Storage => ({
  ...storage,
  sealed: storage.sealed && { ...storage.sealed, deleteAll: untilTold },
  store: {
    ...storage.store,
    eraseParts: untilTold,
    importedTo: () => TE.right(2n ** 62n),
    readLog: (organization, after, limit, options) =>
      limit === 1 && options === undefined
        ? TE.map((found: readonly Recorded[]) => {
            const line = lines.get(`${organization} ${after + 1n}`)
            return found.map((one) => ({ ...one, line: line === undefined ? one.line : encodeUtf8(line) }))
          })(readLog(organization, after, limit))
        : readLog(organization, after, limit, options),
  },
})

/** The lines of a log, by organization and sequence. */
export const linesByPlace = (drafts: readonly Draft[]): ReadonlyMap<string, string> =>
  new Map(
    linesOf(forged(drafts)).flatMap((line) => {
      const { organization, sequence } = JSON.parse(line) as {
        readonly organization?: string
        readonly sequence?: string
      }
      return organization === undefined ? [] : [[`${organization} ${sequence}`, line] as const]
    }),
  )
