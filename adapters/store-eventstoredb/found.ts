import type { StoredEvent } from './log-client.ts'
import type { StreamNames } from './names.ts'
import { loggedOf, type Logged } from './recorded.ts'

/** An event of an organization as the whole log has it; without `logged`, it is in one of our streams and not of our making. */
export type Found = { readonly organization: string; readonly stored: StoredEvent; readonly logged: Logged | undefined }

/** Gathers events of organizations. */
export type Taking = {
  readonly found: readonly Found[]
  readonly add: (events: readonly StoredEvent[]) => void
  readonly isFull: () => boolean
  readonly bytes: () => number
}

/** The events of organizations behind a position, among those that are added, up to a limit. */
export const taking = (names: StreamNames, after: bigint, limit: number, bytesMax: number): Taking => {
  const found: Found[] = []
  let bytes = 0
  const isFull = (): boolean => found.length >= limit || bytes >= bytesMax
  return {
    found,
    isFull,
    bytes: () => bytes,
    add: (events) => {
      for (const stored of events) {
        const one = isFull() || stored.position <= after ? undefined : foundIn(names, stored)
        if (one === undefined) continue
        found.push(one)
        bytes += stored.data.length + (stored.omitted ?? 0)
      }
    },
  }
}

const foundIn = (names: StreamNames, stored: StoredEvent): Found | undefined => {
  const organization = names.organizationOf(stored.stream)
  // The end of a stream that was deleted is an event of the server's own.
  return organization === undefined || stored.type.startsWith('$')
    ? undefined
    : { organization, stored, logged: loggedOf(stored) }
}

/** The bytes of a foreign event stand in place of a line: nobody can read it, and so it closes its organization and no other. */
export const foreignOf = ({ revision, position, id, data }: StoredEvent): Logged => ({
  sequence: revision + 1n,
  position,
  activity: id,
  revision: 1n,
  id,
  line: data,
  parts: [],
  standing: undefined,
})
