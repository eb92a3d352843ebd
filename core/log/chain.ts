import { concat } from '../bytes.ts'
import type { Digest } from '../ports/digest.ts'
import type { NewEvent, Part } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { standingAfter } from './standing.ts'
import { encodeEvent, eventVersions, GENESIS_PREVIOUS, type Event, type EventPayload, type PartBytes } from './event.ts'

/** The end of an organization's log: the next event follows it. */
export type Tip = { readonly sequence: bigint; readonly hash: string }

/** The tip of a log without events. */
export const beforeFirst: Tip = { sequence: 0n, hash: GENESIS_PREVIOUS }

/** The content of the next line of a log. */
export type Entry = {
  readonly organization: string
  readonly activity: string
  readonly revision: bigint
  readonly at: string
  readonly payload: EventPayload
  /** All parts of the event, by name. */
  readonly parts: PartBytes
}

export type Linked = { readonly event: Event; readonly record: NewEvent; readonly tip: Tip }

/** The hash of a line, in hex: the next line has it as `previous`. */
export const hashOf = (digest: Digest, line: Uint8Array): string => digest.sha256Hex(line)

/** The hash by which a line names a part: SHA-256(salt ‖ bytes), in hex. */
export const partHash = (digest: Digest, part: Pick<Part, 'salt' | 'bytes'>): string =>
  digest.sha256Hex(concat([part.salt, part.bytes]))

const SALT_BYTES = 32

/** Writes the next line of a log. */
export const link = (
  { digest, ids }: { readonly digest: Digest; readonly ids: Ids },
  tip: Tip,
  entry: Entry,
): Linked => {
  const parts = inOrder(entry.parts).map(([name, bytes]) => ({ name, salt: ids.bytes(SALT_BYTES), bytes }))
  const { type, data } = entry.payload
  // A full literal, since an object spread takes a hundred times as long here. The payload's type and data belong together.
  const event = {
    organization: entry.organization,
    sequence: tip.sequence + 1n,
    activity: entry.activity,
    revision: entry.revision,
    type,
    version: eventVersions[type],
    id: ids.eventId(),
    at: entry.at,
    previous: tip.hash,
    data,
    parts: Object.fromEntries(parts.map((part) => [part.name, partHash(digest, part)])),
  } as Event
  const line = encodeEvent(event)
  return {
    event,
    record: {
      id: event.id,
      activity: event.activity,
      revision: event.revision,
      line,
      parts,
      standing: standingAfter(event),
    },
    tip: { sequence: event.sequence, hash: hashOf(digest, line) },
  }
}

/** A line names its parts in the order of their names, so that the same parts always give the same line. */
const inOrder = (parts: PartBytes): readonly (readonly [string, Uint8Array])[] => {
  const entries = Object.entries(parts)
  return entries.length < 2 ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
