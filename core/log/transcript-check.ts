import type { Digest } from '../ports/digest.ts'
import type { Part } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { beforeFirst, hashOf, partHash, type Tip } from './chain.ts'
import type { Event } from './event.ts'
import type { FindingCode, Report } from './finding.ts'
import { idTable } from './id-table.ts'
import type { TranscriptEntry } from './transcript-reader.ts'

/** An event of a transcript with the parts that are still there, after its place in the chain was checked. */
export type Logged = {
  readonly line: number
  readonly bytes: Uint8Array
  readonly event: Event
  /** Of the line, hex. */
  readonly hash: string
  /** Those that are there and are what the event names. */
  readonly parts: readonly Part[]
  /** Names of those that were erased: named by the event, and not there. */
  readonly erased: readonly string[]
  /** Whether events of its log are missing before it, or stand twice: a state folded so far is not the state then. */
  readonly isGap: boolean
}

/**
 * Puts the lines of a transcript together again, and checks what is checked without knowing what they mean: sequences
 * without gaps, the chain of hashes, revisions, ids, and parts.
 */
export type TranscriptCheck = {
  /** Takes the next entry; gives the event that it completes, if it does. */
  readonly next: (entry: TranscriptEntry) => Logged | undefined
  /** Gives the last event. */
  readonly end: () => Logged | undefined
  /** Where each log ended, so far. */
  readonly tips: ReadonlyMap<string, Tip>
}

export type TranscriptPorts = {
  readonly digest: Digest
  /** For what nobody who makes up a transcript may know beforehand. */
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
    // Where events are missing, so are revisions: that was said already.
    const revision = revisions.put(tip.scope, event.activity, Math.min(Number(event.revision), REVISION_MAX)) + 1
    if (event.revision !== BigInt(revision) && !withGaps.has(event.organization)) {
      complain('REVISION_BROKEN', `expected revision ${revision} of this activity`)
    }
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
    } else if (open.event.parts[part.name] !== saltedHash(digest, part)) {
      complain('PART_DIFFERS', 'this part does not have the hash by which its event names it')
    } else {
      open.parts.push(part)
      return
    }
    if (open !== undefined && open.event.id === of) open.broken = [...(open.broken ?? []), part.name]
  }

  return {
    tips,
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

/** As `partHash`, without a copy where salt and bytes lie behind each other already: `readWrittenPart` sees to it. */
const saltedHash = (digest: Digest, { salt, bytes }: Part): string =>
  salt.buffer === bytes.buffer && salt.byteOffset + salt.length === bytes.byteOffset
    ? digest.sha256Hex(new Uint8Array(salt.buffer, salt.byteOffset, salt.length + bytes.length))
    : partHash(digest, { salt, bytes })

/** Events have one id in all logs. */
const EVERYWHERE = 0

/** What the table of revisions holds; no activity comes near. */
const REVISION_MAX = 2 ** 32 - 1

/** An event whose parts may follow. */
type Open = Pick<Logged, 'line' | 'bytes' | 'event' | 'hash' | 'isGap'> & {
  readonly parts: Part[]
  /** Names of parts that are there, but are not what the event names. */
  broken?: readonly string[]
}

const loggedOf = ({ line, bytes, event, hash, isGap, parts, broken = [] }: Open): Logged => {
  const isThere = (name: string): boolean => broken.includes(name) || parts.some((part) => part.name === name)
  const erased = Object.keys(event.parts).filter((name) => !isThere(name))
  return { line, bytes, event, hash, parts, erased, isGap }
}
