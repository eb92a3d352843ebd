import type { LogEnd } from '../../core/ports/append-rules.ts'
import type { NewEvent } from '../../core/ports/event-store.ts'
import type { IndexState, OrganizationRow } from './index-rows.ts'
import type { LogReader } from './log-reader.ts'
import type { Logged } from './recorded.ts'

/** What is known of an event behind the index. The position of an own one is unknown until it is read, unless its append ended with it. */
export type TailEvent = {
  readonly sequence: bigint
  readonly id: string
  readonly activity: string
  readonly revision: bigint
  position: bigint | undefined
}

/** The end of an organization's stream, from the event on up to which the index has it. */
export type Tail = {
  /** The end of the log, as far as it is known here. */
  readonly end: () => LogEnd
  /** The events of an activity among these. */
  readonly events: (activity: string) => readonly TailEvent[]
  /** The position of an event; `undefined` if it is not known. */
  readonly position: (sequence: bigint) => bigint | undefined
  /** Takes notice of events that were appended behind a sequence. @param position  that of the last one */
  readonly appended: (after: bigint, events: readonly NewEvent[], position: bigint) => void
  /**
   * Reads what was appended meanwhile, and the positions that are not known.
   *
   * @throws Outdated  if it has to be opened again
   */
  readonly refresh: () => Promise<void>
  /** Forgets what the index has by now. Nobody may be between reading the index and reading this. */
  readonly trim: (state: IndexState) => void
  /** Whether the index still has everything that stands before this. */
  readonly fits: (state: IndexState) => boolean
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

/** @param row  up to where the index has the organization, read after `state` */
export const tailBehind = (
  reader: Pick<LogReader, 'readStream'>,
  organization: string,
  { generation, position: from }: IndexState,
  row: OrganizationRow | undefined,
): Tail => {
  /** The event before the first of `events`. */
  let base: LogEnd = row ?? { sequence: 0n, position: 0n }
  let seen = from
  let events: TailEvent[] = []
  let byActivity = new Map<string, TailEvent[]>()

  const at = (sequence: bigint): TailEvent | undefined => events[Number(sequence - base.sequence) - 1]
  const end = (): LogEnd => {
    const last = events.at(-1)
    return last === undefined ? base : { sequence: last.sequence, position: last.position ?? 0n, id: last.id }
  }

  const add = (event: TailEvent): void => {
    events.push(event)
    const own = byActivity.get(event.activity)
    if (own === undefined) byActivity.set(event.activity, [event])
    else own.push(event)
  }

  const take = (
    { sequence, id, activity, revision }: Omit<TailEvent, 'position'>,
    position: bigint | undefined,
  ): void => {
    if (sequence <= base.sequence) return
    const known = at(sequence)
    if (known !== undefined) {
      if (known.id !== id) throw new Outdated(false)
      known.position ??= position
      return
    }
    if (sequence !== end().sequence + 1n) return // read on behind others: the next reading gets it
    add({ sequence, id, activity, revision, position })
  }

  /** From the last known event on: if it is another one now, the log has lost its end. */
  const refresh = async (): Promise<void> => {
    const first = events.find(({ position }) => position === undefined)?.sequence ?? end().sequence
    const known = first === base.sequence ? base.id : at(first)?.id
    const before = events.length
    for (let from = first === 0n ? 1n : first; ;) {
      const page: readonly Logged[] = (await reader.readStream(organization, from, PAGE)) ?? []
      if (from === first && known !== undefined && page[0]?.id !== known) throw new Outdated(false)
      for (const logged of page) take(logged, logged.position)
      if (page.length < PAGE) return
      if (events.length - before > EVENTS_MAX) throw new Outdated(true)
      from += BigInt(page.length)
    }
  }

  return {
    end,
    events: (activity) => byActivity.get(activity) ?? [],
    position: (sequence) => (sequence === base.sequence ? base.position : at(sequence)?.position),
    appended: (after, added, position) => {
      for (const [index, { id, activity, revision }] of added.entries()) {
        const sequence = after + BigInt(index) + 1n
        take({ sequence, id, activity, revision }, index === added.length - 1 ? position : undefined)
      }
    },
    refresh,
    trim: (state) => {
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
  }
}
