import { concat } from '../bytes.ts'
import type { Digest } from '../ports/digest.ts'
import type { NewEvent, Part } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { encodeEvent, EVENT_VERSION, GENESIS_PREVIOUS, type Event, type Happening } from './event.ts'

/** Where an organization's log ends: what the next event follows. */
export type Tip = { readonly sequence: bigint; readonly hash: string }

/** The tip of a log without events. */
export const beforeFirst: Tip = { sequence: 0n, hash: GENESIS_PREVIOUS }

/** What the next line of a log is to say. */
export type Entry = {
  readonly organization: string
  readonly activity: string
  readonly revision: bigint
  readonly at: string
  readonly happening: Happening
  /** What can be erased one day, by the part's name. */
  readonly parts: { readonly [name: string]: Uint8Array }
}

export type Linked = { readonly event: Event; readonly record: NewEvent; readonly tip: Tip }

/** The hash of a line: what the next line carries as `previous`. Hex. */
export const hashOf = (digest: Digest, line: Uint8Array): string => digest.sha256Hex(line)

/** How a line names a part: SHA-256(salt ‖ bytes), hex. */
export const partHash = (digest: Digest, part: Pick<Part, 'salt' | 'bytes'>): string =>
  digest.sha256Hex(concat([part.salt, part.bytes]))

const SALT_BYTES = 32

/** Writes the next line of a log. */
export const link = (
  { digest, ids }: { readonly digest: Digest; readonly ids: Ids },
  tip: Tip,
  entry: Entry,
): Linked => {
  const parts = Object.entries(entry.parts).map(([name, bytes]) => ({ name, salt: ids.bytes(SALT_BYTES), bytes }))
  const event: Event = {
    organization: entry.organization,
    sequence: tip.sequence + 1n,
    activity: entry.activity,
    revision: entry.revision,
    version: EVENT_VERSION,
    id: ids.eventId(),
    at: entry.at,
    previous: tip.hash,
    parts: Object.fromEntries(parts.map((part) => [part.name, partHash(digest, part)])),
    ...entry.happening,
  }
  const line = encodeEvent(event)
  return {
    event,
    record: { id: event.id, activity: event.activity, revision: event.revision, line, parts },
    tip: { sequence: event.sequence, hash: hashOf(digest, line) },
  }
}
