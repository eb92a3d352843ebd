import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { ActivityIndex } from './activity-index.ts'
import { indexBehind, unreadable } from './failures.ts'
import { fingerprints } from './fingerprints.ts'
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
  /** Looks at the index now and then, for those who have not read from it: so that what it has by now is forgotten. */
  readonly glance: () => void
  /** Forgets a tail: it will be read again. */
  readonly drop: (organization: string) => void
  /** The sequences of all events of an activity. */
  readonly sequences: (organization: string, activity: string) => Promise<readonly bigint[]>
}

export type HeldTail = Tail & {
  /** The index was looked into for an activity, and had nothing. */
  readonly missed: () => void
  readonly release: () => void
}

type Kept = { readonly tail: Tail; users: number; misses: number; isLearning: boolean }

const TAILS_MAX = 1_000
const ATTEMPTS = 5
/** What the names of the activities of all tails may take. */
const NAMES_BYTES_MAX = 64 * 1024 * 1024
/** After so many looks into the index that found nothing, all names are read; of a long log after some more. */
const MISSES = 16
const EVENTS_PER_MISS = 100n
const NAMES_PAGE = 1_000
const GLANCE_MS = 100

type Ports = {
  readonly reader: LogReader
  readonly index: Pick<ActivityIndex, 'organization' | 'activity' | 'names'>
  readonly indexer: Pick<Indexer, 'state' | 'catchUp' | 'startOver'>
}

export const tails = ({ reader, index, indexer }: Ports): Tails => {
  const letGo = (opening: Promise<Kept>): void =>
    void opening.then(({ tail }) => tail.names.release()).catch(() => undefined)
  const kept = boundedMap<string, Promise<Kept>>(TAILS_MAX, { onForgotten: letGo })
  const drop = (organization: string): void => {
    const found = kept.get(organization)
    if (found !== undefined) letGo(found)
    kept.delete(organization)
  }
  const room = { bytes: NAMES_BYTES_MAX }
  let latest: IndexState | undefined

  let lookedAt = 0
  let reads = 0
  let answered = 0

  const check = async (): Promise<IndexState> => {
    const own = ++reads
    lookedAt = performance.now()
    const state = await indexer.state()
    if (own > answered) {
      answered = own
      latest = state
    }
    return state
  }

  const glance = (): void => {
    if (performance.now() - lookedAt < GLANCE_MS) return
    check().catch(() => undefined) // whoever needs the index is told
  }

  const missed = (organization: string, one: Kept): void => {
    one.misses += 1
    if (one.isLearning || !one.tail.names.isWanting()) return
    if (BigInt(one.misses - MISSES) < one.tail.end().sequence / EVENTS_PER_MISS) return
    one.isLearning = true
    one.misses = 0
    learn(organization, one.tail)
      .catch(() => undefined) // later again
      .finally(() => (one.isLearning = false))
  }

  /** Reads which activities the index has. Those behind it are known already, and nothing that it had is missing as long as the tail fits. */
  const learn = async (organization: string, tail: Tail): Promise<void> => {
    let position = 0n
    for (let after = 0n; tail.names.isWanting();) {
      const page = await index.names(organization, after, NAMES_PAGE)
      const state = await check()
      if (!tail.fits(state) || state.position < position) return
      position = state.position
      for (const { activity } of page) tail.names.add(activity)
      const last = page.at(-1)
      if (last === undefined || page.length < NAMES_PAGE) return tail.names.completed()
      after = last.sequence
    }
  }

  const open = async (organization: string): Promise<Kept> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const state = await check()
      const row = await index.organization(organization)
      const tail = tailBehind(reader, organization, state, row, fingerprints(room))
      try {
        await tail.refresh()
        return { tail, users: 0, misses: 0, isLearning: false }
      } catch (error) {
        tail.names.release()
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
        return { ...one.tail, missed: () => missed(organization, one), release: () => void (one.users -= 1) }
      } catch (error) {
        if (kept.get(organization) === opening) drop(organization)
        if (!(error instanceof Outdated) || attempt >= ATTEMPTS) throw error
      }
    }
  }

  const sequences = async (organization: string, activity: string): Promise<readonly bigint[]> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const tail = await hold(organization, true)
      try {
        if (tail.lacks(activity)) return []
        const row = await index.activity(organization, activity)
        if (tail.fits(await check())) return sequencesOf(row, tail, activity)
        drop(organization)
      } finally {
        tail.release()
      }
    }
    throw indexBehind()
  }

  return { hold, check, glance, drop, sequences }
}

/** The index and the tail overlap: what is in both is the same. */
export const sequencesOf = (row: ActivityRow | undefined, tail: Tail, activity: string): readonly bigint[] => {
  const indexed = row?.sequences ?? []
  const last = indexed.at(-1) ?? 0n
  return [...indexed, ...tail.events(activity).flatMap(({ sequence }) => (sequence > last ? [sequence] : []))]
}
