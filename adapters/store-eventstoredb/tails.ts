import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { ActivityIndex } from './activity-index.ts'
import { indexBehind, unreadable } from './failures.ts'
import type { ActivityRow, IndexState } from './index-rows.ts'
import type { Indexer } from './indexer.ts'
import type { LogReader } from './log-reader.ts'
import { Outdated, tailBehind, type Tail } from './tail.ts'

/** The tails of organizations in use, and with them what the index and the log together know of an activity. */
export type Tails = {
  /** The tail of an organization, to be used until `release`. @param isFresh  with everything that is durable now */
  readonly hold: (organization: string, isFresh: boolean) => Promise<HeldTail>
  /** The index as it is now. What was read from it before holds for the tails that fit. */
  readonly check: () => Promise<IndexState>
  /** Forgets a tail: it will be read again. */
  readonly drop: (organization: string) => void
  /** The sequences of all events of an activity. */
  readonly sequences: (organization: string, activity: string) => Promise<readonly bigint[]>
}

export type HeldTail = Tail & { readonly release: () => void }

type Kept = { readonly tail: Tail; users: number }

const TAILS_MAX = 1_000
const ATTEMPTS = 5

type Ports = {
  readonly reader: LogReader
  readonly index: Pick<ActivityIndex, 'organization' | 'activity'>
  readonly indexer: Pick<Indexer, 'state' | 'catchUp' | 'startOver'>
}

export const tails = ({ reader, index, indexer }: Ports): Tails => {
  const kept = boundedMap<string, Promise<Kept>>(TAILS_MAX)
  let latest: IndexState | undefined

  let asked = 0
  let answered = 0

  const check = async (): Promise<IndexState> => {
    const own = ++asked
    const state = await indexer.state()
    if (own > answered) {
      answered = own
      latest = state
    }
    return state
  }

  const open = async (organization: string): Promise<Kept> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const state = await check()
      const row = await index.organization(organization)
      const tail = tailBehind(reader, organization, state, row)
      try {
        await tail.refresh()
        return { tail, users: 0 }
      } catch (error) {
        if (!(error instanceof Outdated)) throw error
        if (error.isTooLong) await indexer.catchUp()
        // The index has what the stream has not: the log was restored from a backup, or the stream was taken away from it.
        else if (state.position > 0n && (await reader.hasAt(state.position, state.id)))
          throw unreadable(organization, row?.sequence ?? 1n, 'is gone: the stream was deleted, or cut off')
        else await indexer.startOver()
      }
    }
    throw indexBehind()
  }

  const hold = async (organization: string, isFresh: boolean): Promise<HeldTail> => {
    for (let attempt = 0; ; attempt += 1) {
      const found = kept.get(organization)
      const opening = found ?? open(organization)
      if (found === undefined) kept.set(organization, opening)
      try {
        const one = await opening
        if (latest !== undefined && !one.tail.fits(latest)) throw new Outdated(false)
        if (one.users === 0 && latest !== undefined) one.tail.trim(latest)
        one.users += 1
        try {
          if (isFresh && found !== undefined) await one.tail.refresh()
        } catch (error) {
          one.users -= 1
          throw error
        }
        return { ...one.tail, release: () => void (one.users -= 1) }
      } catch (error) {
        if (kept.get(organization) === opening) kept.delete(organization)
        if (!(error instanceof Outdated) || attempt >= ATTEMPTS) throw error
      }
    }
  }

  const sequences = async (organization: string, activity: string): Promise<readonly bigint[]> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const tail = await hold(organization, true)
      try {
        const row = await index.activity(organization, activity)
        if (tail.fits(await check())) return sequencesOf(row, tail, activity)
        kept.delete(organization)
      } finally {
        tail.release()
      }
    }
    throw indexBehind()
  }

  return { hold, check, drop: (organization) => kept.delete(organization), sequences }
}

/** The index and the tail overlap: what is in both is the same. */
export const sequencesOf = (row: ActivityRow | undefined, tail: Tail, activity: string): readonly bigint[] => {
  const indexed = row?.sequences ?? []
  const last = indexed.at(-1) ?? 0n
  return [...indexed, ...tail.events(activity).flatMap(({ sequence }) => (sequence > last ? [sequence] : []))]
}
