import type { Digest } from '../ports/digest.ts'
import type { Part } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { beforeFirst, hashOf, partHash, type Tip } from './chain.ts'
import type { Event } from './event.ts'
import type { FindingCode, Report } from './finding.ts'
import { idTable } from './id-table.ts'
import { arePartNames, PARTS_MAX, REQUEST } from './parts.ts'
import type { TranscriptEntry } from './transcript-reader.ts'

/** An event of a transcript with its parts, after its place in the chain was checked. */
export type Logged = {
  readonly line: number
  readonly bytes: Uint8Array
  readonly event: Event
  /** The hash of the line, in hex. */
  readonly hash: string
  /** The parts that are there and have the right hash. */
  readonly parts: readonly Part[]
  /** Names of erased parts: the event names them, and they are not there. */
  readonly erased: readonly string[]
  /** Whether events of its log are missing before it, or stand twice: then a state that was folded so far is wrong. */
  readonly isGap: boolean
}

/**
 * Joins events with their parts, and checks everything that does not depend on the meaning of events: sequences without gaps, the chain
 * of hashes, revisions, ids, and parts.
 */
export type TranscriptCheck = {
  /** Takes the next entry; gives the event before it, if that is now complete. */
  readonly next: (entry: TranscriptEntry) => Logged | undefined
  /** Gives the last event. */
  readonly end: () => Logged | undefined
  /** Whether an activity has an event before the last line that was taken. */
  readonly isKnown: (organization: string, activity: string) => boolean
  /** The present end of each log. */
  readonly tips: ReadonlyMap<string, Tip>
}

export type TranscriptPorts = {
  readonly digest: Digest
  /** Randomness that the author of a transcript cannot know. */
  readonly ids: Pick<Ids, 'bytes'>
}

export const transcriptCheck = ({ digest, ids }: TranscriptPorts, report: Report): TranscriptCheck => {
  const tips = new Map<string, Tip & { readonly scope: number }>()
  const withGaps = new Set<string>()
  const eventIds = idTable(ids)
  const revisions = idTable(ids)
  let open: Open | undefined

  const take = (): Logged | undefined => {
    const taken = open
    open = undefined
    return taken === undefined ? undefined : loggedOf(taken)
  }

  const begin = (line: number, bytes: Uint8Array, event: Event): void => {
    const complain = (code: FindingCode, message: string): void =>
      report({ code, message, line, organization: event.organization, sequence: event.sequence })
    const tip = tips.get(event.organization) ?? { ...beforeFirst, scope: tips.size }
    const hash = hashOf(digest, bytes)
    const isGap = event.sequence !== tip.sequence + 1n
    if (isGap) {
      withGaps.add(event.organization)
      complain('SEQUENCE_BROKEN', `expected sequence ${tip.sequence + 1n} of this organization's log`)
    } else if (event.previous !== tip.hash) {
      complain('CHAIN_BROKEN', 'previous is not the hash of the line before it in this log')
    }
    // If events are missing, revisions are missing, too: the finding for the gap is enough.
    const revision = revisions.put(tip.scope, event.activity, Math.min(Number(event.revision), REVISION_MAX)) + 1
    if (event.revision !== BigInt(revision) && !withGaps.has(event.organization)) {
      complain('REVISION_BROKEN', `expected revision ${revision} of this activity`)
    }
    if (!mayNameParts(Object.keys(event.parts)))
      complain('PART_MISPLACED', `expected at most ${PARTS_MAX} parts, by names that parts may have, in their order`)
    if (eventIds.put(EVERYWHERE, event.id, 1) > 0) complain('EVENT_ID_REPEATED', 'another event has this id')
    tips.set(event.organization, { sequence: event.sequence, hash, scope: tip.scope })
    open = { line, bytes, event, hash, parts: [], isGap }
  }

  const attach = (line: number, of: string, part: Part): void => {
    const { event } = open ?? {}
    const complain = (code: FindingCode, message: string): void =>
      report({ code, message, line, organization: event?.organization, sequence: event?.sequence })
    const last = open?.parts.at(-1)
    if (open === undefined || open.event.id !== of || !Object.hasOwn(open.event.parts, part.name)) {
      complain('PART_MISPLACED', 'this part does not belong to the event before it')
    } else if (last !== undefined && last.name >= part.name) {
      complain('PART_MISPLACED', 'expected each part of an event once, in the order of their names')
    } else if (open.event.parts[part.name] !== partHash(digest, part)) {
      complain('PART_DIFFERS', 'this part does not have the hash by which its event names it')
    } else {
      open.parts.push(part)
      return
    }
    if (open !== undefined && open.event.id === of) (open.broken ??= []).push(part.name)
  }

  // The table has the event of the last line already.
  const isKnown = (organization: string, activity: string): boolean => {
    const tip = tips.get(organization)
    const isOpen = open?.event.activity === activity && open.event.organization === organization
    return tip !== undefined && revisions.get(tip.scope, activity) > (isOpen ? 1 : 0)
  }

  return {
    tips,
    isKnown,
    next: (entry) => {
      switch (entry._tag) {
        case 'event': {
          const taken = take()
          begin(entry.line, entry.bytes, entry.event)
          return taken
        }
        case 'part':
          attach(entry.line, entry.of, entry.part)
          return undefined
        case 'unreadable':
          report({
            code: entry.code,
            message: entry.message,
            line: entry.line,
            organization: undefined,
            sequence: undefined,
          })
          return undefined
        case 'closing':
          return undefined
        default:
          return entry satisfies never
      }
    },
    end: take,
  }
}

/** Most events name no part, or only their request. */
const mayNameParts = (names: readonly string[]): boolean =>
  names.length === 0 || (names.length === 1 && names[0] === REQUEST) || arePartNames(names)

/** The one scope of event ids: they are unique over all logs. */
const EVERYWHERE = 0

/** The highest revision that the table can hold; no activity has so many events. */
const REVISION_MAX = 2 ** 32 - 1

/** An event whose parts may follow. */
type Open = Pick<Logged, 'line' | 'bytes' | 'event' | 'hash' | 'isGap'> & {
  readonly parts: Part[]
  /** Names of parts that are there, but have a finding. */
  broken?: string[]
}

const loggedOf = ({ line, bytes, event, hash, isGap, parts, broken = [] }: Open): Logged => {
  const names = Object.keys(event.parts)
  const erased =
    names.length === parts.length ? NONE : missingFrom(names, [...broken, ...parts.map(({ name }) => name)])
  return { line, bytes, event, hash, parts, erased, isGap }
}

const NONE: readonly string[] = []

const missingFrom = (names: readonly string[], found: readonly string[]): readonly string[] => {
  const there = new Set(found)
  return names.filter((name) => !there.has(name))
}
