import { followToEnd } from './follow-to-end.ts'
import type { LogClient, StoredEvent } from './log-client.ts'
import type { StreamNames } from './names.ts'

/** The end of the log of all, where other applications write, too. */
export type LogEndSearch = {
  /** The position of the last event of an organization; 0 if there is none. */
  readonly last: () => Promise<bigint>
  /** An event of an organization that was read. */
  readonly remember: (event: Place) => void
  /** An event before all events of organizations. */
  readonly begin: (event: Place) => void
  /** A place to begin for what stands behind the position: nothing of an organization stands between them. */
  readonly skip: (after: bigint) => Promise<bigint>
}

/** An event of the log, by its UUID. As long as it stands there, so does everything before it. */
type Place = { readonly position: bigint; readonly id: string }

const FIRST_PAGE = 16
const PAGE = 500
/** How many events of others are passed one by one: then the server leaves them out. */
const FOREIGN_MAX = 1000

/**
 * Looks backwards from the end. How far the log was looked through is remembered, so that very many events of others are passed only once.
 *
 * @param hasAt  whether the event still stands at the position
 */
export const logEnd = (
  client: Pick<LogClient, 'readAll' | 'follow'>,
  names: StreamNames,
  hasAt: (position: bigint, id: string) => Promise<boolean>,
): LogEndSearch => {
  /** Behind the event at `last`, no organization has one up to `seen`. */
  let known: { readonly last: bigint; readonly seen: Place } | undefined
  let beginning: Place | undefined

  const isOurs = ({ stream, type }: StoredEvent): boolean =>
    names.organizationOf(stream) !== undefined && !type.startsWith('$')

  const found = (last: bigint, newest: StoredEvent | undefined): bigint => {
    known = newest === undefined ? undefined : { last, seen: newest }
    return last
  }

  const last = async (): Promise<bigint> => {
    const before = known
    let newest: StoredEvent | undefined
    let from: 'end' | bigint = 'end'
    for (let foreign = 0; foreign < FOREIGN_MAX; foreign += PAGE) {
      const limit: number = from === 'end' ? FIRST_PAGE : PAGE
      const page: readonly StoredEvent[] = await client.readAll({ from, backwards: true, limit, prefixes: [] })
      newest ??= page[0]
      for (const one of page) {
        if (isOurs(one)) return found(one.position, newest)
        if (one.position === before?.seen.position && one.id === before.seen.id) return found(before.last, newest)
      }
      if (page.length < limit) return found(0n, newest)
      from = page.at(-1)?.position ?? 0n
    }
    const isThere = before !== undefined && (await hasAt(before.seen.position, before.seen.id))
    const begun = isThere
      ? { last: before.last, after: before.seen.position }
      : { last: 0n, after: await behindBeginning(0n) }
    return found(await lastFollowed(begun), newest)
  }

  /** The position, or that of the beginning if this is behind it and still there. */
  const behindBeginning = async (after: bigint): Promise<bigint> =>
    beginning !== undefined && after < beginning.position && (await hasAt(beginning.position, beginning.id))
      ? beginning.position
      : after

  /** The server leaves out what others have written. */
  const lastFollowed = async (begun: { readonly last: bigint; readonly after: bigint }): Promise<bigint> => {
    let latest = begun.last
    const after = begun.after === 0n ? 'start' : begun.after
    await followToEnd(client, { prefixes: [names.organizations], after, withoutData: true }, (events) => {
      latest = events.findLast(isOurs)?.position ?? latest
      return false
    })
    return latest
  }

  return {
    last,
    remember: ({ position, id }) => {
      if (position > (known?.seen.position ?? 0n)) known = { last: position, seen: { position, id } }
    },
    begin: (event) => {
      beginning = event
    },
    skip: async (after) => {
      const { last: end, seen } = known ?? { last: 0n, seen: { position: 0n, id: '' } }
      const isBetween = known !== undefined && end <= after && after < seen.position
      return isBetween && (await hasAt(seen.position, seen.id)) ? seen.position : behindBeginning(after)
    },
  }
}
