import type { LogClient, StoredEvent } from './log-client.ts'
import type { StreamNames } from './names.ts'

/** The first page of the search. Most often the last event of the log is one of ours, or not far from one. */
const FIRST_PAGE = 16
const PAGE = 500
/** How many events of others are passed one by one: then the server leaves them out. */
const FOREIGN_MAX = 1000

/** What the end of the log was like: its last event, and the position of the last event of an organization up to there. */
type Seen = { readonly end: Pick<StoredEvent, 'position' | 'id'>; readonly found: bigint }

/**
 * Finds the position of the last event of an organization; 0 if there is none. Behind it there may be any number of events of other applications,
 * of parts and of links, so what was looked through once is not looked through again.
 *
 * @param lastFollowed  finds it by a subscription, which passes others' events at the server
 */
export const lastPositionOf = (
  client: Pick<LogClient, 'readAll'>,
  names: StreamNames,
  lastFollowed: () => Promise<bigint>,
): (() => Promise<bigint>) => {
  let seen: Seen | undefined

  const search = async (known: Seen | undefined): Promise<Seen | undefined> => {
    let end: StoredEvent | undefined
    let from: 'end' | bigint = 'end'
    for (let foreign = 0; foreign < FOREIGN_MAX; foreign += PAGE) {
      const limit: number = from === 'end' ? FIRST_PAGE : PAGE
      const page: readonly StoredEvent[] = await client.readAll({ from, backwards: true, limit, prefixes: NOTHING })
      end ??= page[0]
      for (const { stream, position, id } of page) {
        if (names.organizationOf(stream) !== undefined) return { end: end ?? { position, id }, found: position }
        // The same event stands there, so the log has not been restored, and nothing before it has changed.
        if (position === known?.end.position && id === known.end.id)
          return { end: end ?? { position, id }, found: known.found }
      }
      if (page.length < limit) return end === undefined ? undefined : { end, found: 0n }
      from = page.at(-1)?.position ?? 0n
    }
    return end === undefined ? undefined : { end, found: await lastFollowed() }
  }

  return async () => {
    seen = await search(seen)
    return seen?.found ?? 0n
  }
}

const NOTHING: readonly string[] = []
