import type { NewEvent, Standing } from '../../core/ports/event-store.ts'
import type { StoredEvent, StreamEvent } from './log-client.ts'
import { decodeMetadata, encodeMetadata, type PartName } from './metadata.ts'
import { uuidOf } from './names.ts'

/** The type of all events of organizations: the adapter never parses a line. */
export const EVENT_TYPE = 'countersign-event'

/** An event of an organization, as its stream has it. */
export type Logged = {
  readonly sequence: bigint
  readonly position: bigint
  readonly activity: string
  readonly revision: bigint
  readonly id: string
  readonly line: Uint8Array
  readonly parts: readonly PartName[]
  readonly standing: Standing | undefined
}

/** The event as the server keeps it. @param parts  those that were written for it */
export const streamEvent = (
  { id, activity, revision, line, standing }: NewEvent,
  parts: readonly PartName[],
): StreamEvent => {
  const uuid = uuidOf(id)
  const metadata = encodeMetadata({ activity, revision, id: uuid === id ? '' : id, parts, standing })
  return { id: uuid, type: EVENT_TYPE, data: line, metadata }
}

/** `undefined` for an event that this adapter has not written. */
export const loggedOf = ({ id: uuid, type, data, metadata, revision, position }: StoredEvent): Logged | undefined => {
  if (type !== EVENT_TYPE) return undefined
  const found = decodeMetadata(metadata)
  if (found === undefined) return undefined
  const { activity, revision: own, parts, standing } = found
  const id = found.id === '' ? uuid : found.id
  if (uuidOf(id) !== uuid) return undefined
  return { sequence: revision + 1n, position, activity, revision: own, id, line: data, parts, standing }
}
