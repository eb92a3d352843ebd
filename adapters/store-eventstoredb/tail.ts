import type { LogEnd } from '../../core/ports/append-rules.ts'
import type { NewEvent } from '../../core/ports/event-store.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { IndexState, OrganizationRow } from './index-rows.ts'
import type { LogReader } from './log-reader.ts'
import type { Logged } from './recorded.ts'

/** What is known of an event behind the index. The position of an own one is unknown, unless its append ended with it. */
export type TailEvent = {
  readonly sequence: bigint
  readonly id: string
  readonly activity: string
  readonly revision: bigint
  readonly position: bigint | undefined
}

/** The end of an organization's stream, from the event on up to which the index has it. */
export type Tail = {
  /** The end of the log, as far as it is known here. */
  readonly end: () => LogEnd
  /** The events of an activity among these. */
  readonly events: (activity: string) => readonly TailEvent[]
  /** Whether the log, as far as it is known here, surely has no event of the activity; then nobody has to look into the index. */
  readonly lacks: (activity: string) => boolean
  /** Takes notice of events that were appended behind a sequence. @param position  that of the last one */
  readonly appended: (after: bigint, events: readonly NewEvent[], position: bigint) => void
  /**
   * Reads what was appended meanwhile.
   *
   * @throws Outdated  if it has to be opened again
   */
  readonly refresh: () => Promise<void>
  /** Forgets what the index has by now. Nobody may be between reading the index and reading this. */
  readonly trim: (state: IndexState) => void
  /** Whether the index still has everything that stands before this. */
  readonly fits: (state: IndexState) => boolean
  /** The activities that it knows by their names. */
  readonly names: KnownNames
}

export type KnownNames = {
  /** Whether it could know all activities of the log, and does not yet. */
  readonly isWanting: () => boolean
  readonly add: (activity: string) => void
  /** Everything that the index had when the tail was opened has been added. */
  readonly completed: () => void
  readonly release: () => void
}

const PAGE = 500
/** A longer tail is not kept in memory: the index is moved first. */
const EVENTS_MAX = 5_000

/** The tail is not as it was: the stream has other events than those that were known, or very many more. */
export class Outdated extends Error {
  readonly isTooLong: boolean

  constructor(isTooLong: boolean) {
    super(isTooLong ? 'the tail of a log is too long' : 'a log has lost events')
    this.isTooLong = isTooLong
  }
}

/**
 * @param row  up to where the index has the organization, read after `state`
 * @param known  empty: gets the names of all activities
 */
export const tailBehind = (
  reader: Pick<LogReader, 'readStream'>,
  organization: string,
  { generation, position: from }: IndexState,
  row: OrganizationRow | undefined,
  known: Fingerprints,
): Tail => {
  /** The event before the first of `events`. */
  let base: LogEnd = row ?? { sequence: 0n, position: 0n }
  /** Names are only added: what is known stays complete when events are forgotten that the index has. */
  let isComplete = base.sequence === 0n
  let seen = from
  let events: TailEvent[] = []
  let byActivity = new Map<string, TailEvent[]>()

  const at = (sequence: bigint): TailEvent | undefined => events[Number(sequence - base.sequence) - 1]
  const end = (): LogEnd => {
    const last = events.at(-1)
    return last === undefined ? base : { sequence: last.sequence, position: last.position ?? 0n, id: last.id }
  }

  const add = (event: TailEvent): void => {
    known.add(event.activity)
    events.push(event)
    const own = byActivity.get(event.activity)
    if (own === undefined) byActivity.set(event.activity, [event])
    else own.push(event)
  }

  const take = (event: TailEvent): void => {
    const { sequence, id } = event
    if (sequence <= base.sequence) return
    const there = at(sequence)
    if (there !== undefined) {
      if (there.id !== id) throw new Outdated(false)
      return
    }
    if (sequence !== end().sequence + 1n) return // read on behind others: the next reading gets it
    add(event)
  }

  /** From the last known event on: if it is another one now, the log has lost its end. */
  const refresh = async (): Promise<void> => {
    const { sequence: first, id } = end()
    const before = events.length
    for (let from = first === 0n ? 1n : first; ;) {
      const page: readonly Logged[] = (await reader.readStream(organization, from, PAGE)) ?? []
      if (from === first && id !== undefined && page[0]?.id !== id) throw new Outdated(false)
      for (const { sequence, id: own, activity, revision, position } of page)
        take({ sequence, id: own, activity, revision, position })
      if (page.length < PAGE) return
      if (events.length - before > EVENTS_MAX) throw new Outdated(true)
      from += BigInt(page.length)
    }
  }

  return {
    end,
    events: (activity) => byActivity.get(activity) ?? [],
    lacks: (activity) => isComplete && !known.mayHave(activity),
    appended: (after, added, position) => {
      for (const [index, { id, activity, revision }] of added.entries()) {
        const sequence = after + BigInt(index) + 1n
        take({ sequence, id, activity, revision, position: index === added.length - 1 ? position : undefined })
      }
    },
    refresh,
    trim: (state) => {
      if (state.position === seen) return
      seen = state.position
      // Positions grow: what stands before an event that the index has, the index has, too.
      const cut = events.findLastIndex(({ position }) => position !== undefined && position <= seen) + 1
      const last = events[cut - 1]
      if (last?.position === undefined) return
      base = { sequence: last.sequence, position: last.position, id: last.id }
      const rest = events.slice(cut)
      events = []
      byActivity = new Map()
      rest.forEach(add)
    },
    fits: (state) => state.generation === generation && state.position >= seen,
    names: {
      isWanting: () => !isComplete && known.isWhole(),
      add: known.add,
      completed: () => (isComplete = true),
      release: known.release,
    },
  }
}
