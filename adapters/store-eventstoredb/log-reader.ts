import type { Head, ReadOptions, Recorded } from '../../core/ports/event-store.ts'
import { troubleOf, unreadable } from './failures.ts'
import { followToEnd } from './follow-to-end.ts'
import type { LogClient } from './log-client.ts'
import { logEnd } from './log-end.ts'
import type { StreamNames } from './names.ts'
import type { Parts } from './parts.ts'
import { knownPlaces } from './places.ts'
import { loggedOf, type Logged } from './recorded.ts'
import { foreignOf, taking, type Found, type Taking } from './found.ts'

export type LogReader = {
  readonly readLog: (
    organization: string,
    after: bigint,
    limit: number,
    options?: ReadOptions,
  ) => Promise<readonly Recorded[]>
  /** Events by their sequences, which are in ascending order. */
  readonly readAt: (
    organization: string,
    sequences: readonly bigint[],
    options?: ReadOptions,
  ) => Promise<readonly Recorded[]>
  /** The same events with the names of their parts. */
  readonly partsAt: (organization: string, sequences: readonly bigint[]) => Promise<readonly Logged[]>
  readonly readAll: (after: bigint, limit: number, options?: ReadOptions) => Promise<readonly Recorded[]>
  /** Events of organizations behind a position, without lines and parts, in the order of `readAll`. */
  readonly readBehind: (after: bigint, limit: number, bytesMax: number) => Promise<readonly Found[]>
  readonly head: (organization: string) => Promise<Head | undefined>
  /** That of the last event of an organization; 0 if there is none. */
  readonly lastPosition: () => Promise<bigint>
  /** An event of an organization that somebody has read: the end of the log is not looked for before it. */
  readonly remember: (event: { readonly position: bigint; readonly id: string }) => void
  /** An event before all events of organizations: what is older is passed by. */
  readonly begin: (event: { readonly position: bigint; readonly id: string }) => void
  /** The events of a stream from a sequence on, `undefined` if there is no stream. Fails if one is not ours. */
  readonly readStream: (organization: string, from: bigint, limit: number) => Promise<readonly Logged[] | undefined>
  /** The positions of so many events from a sequence on; fewer, if there are fewer. */
  readonly positions: (organization: string, from: bigint, count: number) => Promise<readonly bigint[]>
  /** Whether the event at the position is still the one with this UUID. */
  readonly hasAt: (position: bigint, id: string) => Promise<boolean>
}

/** Numbers of streams and positions of the log are 63 bits wide. */
const MAX = 2n ** 63n - 1n
const PAGE = 500
/** A way is long if less than this part of the log is of organizations. */
const SPARSE = 4
/** The first page of a reading that is bounded in bytes; the next ones are larger or smaller, as the bytes are. */
const FIRST_PAGE = 16
/** The events whose parts are read together, where a page is bounded in bytes. */
const PARTS_OF = 32

export const logReader = (client: LogClient, names: StreamNames, parts: Parts): LogReader => {
  const ours = [names.organizations]

  const places = knownPlaces()

  const page = async (organization: string, from: bigint, limit: number): Promise<readonly Logged[] | undefined> => {
    if (from > MAX || limit <= 0) return []
    const found = await client.readStream(names.organization(organization), { from: from - 1n, limit })
    if (found === 'deleted') throw unreadable(organization, from, 'cannot be read, because the stream was deleted')
    if (found === 'missing') return undefined
    return found.map((stored, index) => {
      const sequence = from + BigInt(index)
      if (stored.revision + 1n !== sequence) throw unreadable(organization, sequence, 'is gone')
      const logged = loggedOf(stored)
      if (logged === undefined) throw unreadable(organization, sequence, 'was not written by this store')
      return logged
    })
  }

  const recorded = async (
    found: readonly { readonly organization: string; readonly logged: Logged }[],
    { parts: wanted = true, bytesMax = Infinity }: ReadOptions = {},
  ): Promise<readonly Recorded[]> => {
    const all: Recorded[] = []
    let bytes = 0
    const slice = bytesMax === Infinity ? found.length : PARTS_OF
    while (all.length < found.length && bytes < bytesMax) {
      const some = found.slice(all.length, all.length + slice)
      const own = await parts.read(
        some.map(({ logged }) => logged),
        wanted,
      )
      for (const [index, { organization, logged }] of some.entries()) {
        const { position, sequence, activity, revision, id, line } = logged
        const kept = own[index] ?? []
        bytes += kept.reduce((sum, part) => sum + part.bytes.length, line.length)
        all.push({ position, organization, sequence, activity, revision, id, line, parts: kept })
      }
    }
    return all
  }

  const readLog: LogReader['readLog'] = async (organization, after, limit, options = {}) => {
    const { bytesMax = Infinity } = options
    const all: Logged[] = []
    let bytes = 0
    while (all.length < limit && bytes < bytesMax) {
      const size = Math.min(limit - all.length, sizeOf(all.length, bytes, bytesMax))
      const next = await page(organization, after + 1n + BigInt(all.length), size)
      for (const logged of next ?? []) {
        if (bytes >= bytesMax) break
        all.push(logged)
        bytes += logged.line.length
      }
      if (next === undefined || next.length < size) break
    }
    return recorded(
      all.map((logged) => ({ organization, logged })),
      options,
    )
  }

  const loggedAt = async (organization: string, sequences: readonly bigint[]): Promise<readonly Logged[]> => {
    const runs: { readonly from: bigint; length: number }[] = []
    for (const sequence of sequences) {
      const run = runs.at(-1)
      if (run !== undefined && run.from + BigInt(run.length) === sequence && run.length < PAGE) run.length += 1
      else runs.push({ from: sequence, length: 1 })
    }
    const found: Logged[] = []
    for (const { from, length } of runs) found.push(...((await page(organization, from, length)) ?? []))
    return found
  }

  /** Page by page of the whole log; if little of it is of organizations, the server leaves out the rest. */
  const readFrom = async (
    begin: bigint,
    taken: Taking,
    { limit, bytesMax, withoutData }: Wanted,
  ): Promise<readonly Found[]> => {
    let at = begin
    for (let read = 0; ;) {
      const size = Math.min(PAGE, 2 * limit + 1, sizeOf(taken.found.length, taken.bytes(), bytesMax))
      const next = await client.readAll({ from: at === 0n ? 'start' : at, limit: size, prefixes: ours, withoutData })
      taken.add(read === 0 ? next : next.filter(({ position }) => position > at))
      if (next.length < size || taken.isFull()) return taken.found
      at = next.at(-1)?.position ?? at
      read += next.length
      if (read >= PAGE && taken.found.length * SPARSE < read) return followed(at, taken, withoutData)
    }
  }

  const behind = async (after: bigint, wanted: Wanted): Promise<readonly Found[]> => {
    if (after >= MAX || wanted.limit <= 0) return []
    const begun = () => taking(names, after, wanted.limit, wanted.bytesMax)
    try {
      const skipped = await end.skip(after)
      return places.noted(await readFrom(skipped === after ? places.startFor(after) : skipped, begun(), wanted))
    } catch (error) {
      // The server begins only where an event stands. Behind the end, or between two events, another place has to do.
      if (troubleOf(error)?._tag !== 'unusable') throw error
      if (after >= (await end.last())) return []
      return places.noted(await followed(places.before(after), begun(), wanted.withoutData))
    }
  }

  /** Everything behind the position, until that is enough. */
  const followed = async (after: bigint, taken: Taking, withoutData: boolean): Promise<readonly Found[]> => {
    await followToEnd(client, { prefixes: ours, after: after === 0n ? 'start' : after, withoutData }, (events) => {
      taken.add(events)
      return taken.isFull()
    })
    return taken.found
  }

  const hasAt: LogReader['hasAt'] = async (position, id) => {
    try {
      const [stored] = await client.readAll({ from: position, limit: 1, prefixes: ours })
      return stored?.position === position && stored.id === id
    } catch (error) {
      if (troubleOf(error)?._tag === 'unusable') return false // the log does not reach that far
      throw error
    }
  }
  const end = logEnd(client, names, hasAt)

  return {
    readLog,
    readAt: async (organization, sequences, { parts: wanted = true } = {}) => {
      const found = await loggedAt(organization, sequences)
      return recorded(
        found.map((logged) => ({ organization, logged })),
        { parts: wanted },
      )
    },
    partsAt: loggedAt,
    readBehind: (after, limit, bytesMax) => behind(after, { limit, bytesMax, withoutData: true }),
    readAll: async (after, limit, options) => {
      const found = await behind(after, { limit, bytesMax: options?.bytesMax ?? Infinity, withoutData: false })
      return recorded(
        found.map(({ organization, stored, logged = foreignOf(stored) }) => ({ organization, logged })),
        options,
      )
    },
    head: async (organization) => {
      const found = await client.readStream(names.organization(organization), {
        from: 'end',
        backwards: true,
        limit: 1,
      })
      if (found === 'missing') return undefined
      const [stored] = found === 'deleted' ? [] : found
      if (stored === undefined) throw unreadable(organization, 1n, 'cannot be read, because the stream was deleted')
      const sequence = stored.revision + 1n
      const logged = loggedOf(stored)
      if (logged === undefined) throw unreadable(organization, sequence, 'was not written by this store')
      return { sequence, position: logged.position, line: logged.line }
    },
    lastPosition: end.last,
    remember: end.remember,
    begin: end.begin,
    readStream: page,
    positions: (organization, from, count) => client.positions(names.organization(organization), from - 1n, count),
    hasAt,
  }
}

type Wanted = { readonly limit: number; readonly bytesMax: number; readonly withoutData: boolean }

/** How many events to ask for, by the bytes of those that were read. */
const sizeOf = (events: number, bytes: number, bytesMax: number): number => {
  if (bytesMax === Infinity) return PAGE
  if (events === 0) return bytesMax <= 1 ? 2 : FIRST_PAGE
  return Math.max(2, Math.min(PAGE, Math.ceil((bytesMax - bytes) / Math.max(1, bytes / events))))
}
