import type { Failure } from '../../core/failure.ts'
import { E, type TE } from '../../core/prelude.ts'
import { connectClient } from './client.ts'
import { examineLinks, type LinksFound } from './examine-links.ts'
import { examineParts, type PartsFound } from './examine-parts.ts'
import { failureOf } from './failures.ts'
import type { LogClient } from './log-client.ts'
import { logParts } from './log-parts.ts'
import type { Connecting } from './open.ts'
import { storeSettings, type EventStoreDbStoreOptions } from './options.ts'

/** What stands beside the events of a log, and what was done about it. */
export type Examined = {
  /** `none`: no links were ever written; `off`: the options turn them off. */
  readonly links: LinksFound | 'none' | 'off'
  readonly parts: PartsFound
}

export type ExamineOptions = {
  /** Whether to mend links, and to remove parts that no event names; otherwise nothing is written. */
  readonly repair: boolean
  /** Parts that are younger than this stay, because their commit may be under way. Default: an hour. */
  readonly partsOlderThanMs?: number
}

/** Far longer than any append may take. */
const HOUR_MS = 3_600_000

/**
 * Compares links and parts of an existing store with its log. It does not close the read models.
 *
 * @returns `CONFIGURATION_INVALID` or `STORE_UNREADABLE` as opening the store would; `UNAVAILABLE` if it is not to be reached, or if the index is
 *   being built
 */
export const examineEventStoreDb = (
  options: EventStoreDbStoreOptions,
  how: ExamineOptions,
): TE.TaskEither<Failure, Examined> => examineOver(connectClient, options, how)

/** The same, over a client that `connecting` makes. */
export const examineOver =
  (
    connecting: Connecting,
    options: EventStoreDbStoreOptions,
    { repair, partsOlderThanMs = HOUR_MS }: ExamineOptions,
  ): TE.TaskEither<Failure, Examined> =>
  async () => {
    const settings = storeSettings({ ...options, readOnly: !repair, linearizableReads: false })
    if (E.isLeft(settings)) return settings
    const { readModels, leases, links } = settings.right
    let client: LogClient | undefined
    try {
      client = await connecting(settings.right)
      const own = await logParts(client, settings.right)
      try {
        return E.right({
          links: links ? await examineLinks({ ...own, readModels, leases }, repair) : 'off',
          parts: await examineParts({ ...own, client }, { repair, olderThanMs: partsOlderThanMs }),
        })
      } finally {
        await own.indexer.close()
      }
    } catch (error) {
      return E.left(failureOf(error))
    } finally {
      await client?.close()
    }
  }
