import type { StoredEvent, StreamEvent } from './log-client.ts'

/**
 * Events on their way between two threads. All bytes stand in one buffer, which is transferred: a buffer for each event would cost more
 * than the event, and a view of one of Node's pooled buffers would be sent with the whole pool.
 */
export type Packed = {
  readonly bytes: ArrayBuffer
  /** For each event: where its data ends in the bytes, and where its metadata ends. */
  readonly ends: readonly number[]
  readonly ids: readonly string[]
  readonly types: readonly string[]
  /** Of events that were read: their streams; and their revisions, positions and times, one behind the other. */
  readonly streams?: readonly string[]
  readonly places?: BigUint64Array
  /** How many bytes of data were left out of them, if any were. */
  readonly omitted?: readonly number[]
}

export const packEvents = (events: readonly StreamEvent[]): Packed => {
  let length = 0
  for (const { data, metadata } of events) length += data.byteLength + metadata.byteLength
  const bytes = new Uint8Array(length)
  const ends: number[] = []
  let end = 0
  for (const { data, metadata } of events) {
    bytes.set(data, end)
    ends.push((end += data.byteLength))
    bytes.set(metadata, end)
    ends.push((end += metadata.byteLength))
  }
  return { bytes: bytes.buffer, ends, ids: events.map(({ id }) => id), types: events.map(({ type }) => type) }
}

/** The numbers of one event that was read. */
const PLACES = 3

export const packStored = (events: readonly StoredEvent[]): Packed => {
  const places = new BigUint64Array(events.length * PLACES)
  for (const [index, { revision, position, createdMs }] of events.entries()) {
    places[index * PLACES] = revision
    places[index * PLACES + 1] = position
    places[index * PLACES + 2] = BigInt(createdMs)
  }
  const omitted = events.some((event) => event.omitted !== undefined)
    ? { omitted: events.map((event) => event.omitted ?? 0) }
    : {}
  return { ...packEvents(events), streams: events.map(({ stream }) => stream), places, ...omitted }
}

/** The buffers of packed events that can be transferred. */
export const buffersOf = ({ bytes, places }: Packed): ArrayBuffer[] =>
  places === undefined ? [bytes] : [bytes, places.buffer as ArrayBuffer] // made above, and not shared

/** The events again, as views of the one buffer. */
export const unpackEvents = ({ bytes, ends, ids, types }: Packed): StreamEvent[] =>
  ids.map((id, index) => {
    const start = ends[index * 2 - 1] ?? 0
    const middle = ends[index * 2] ?? start
    const end = ends[index * 2 + 1] ?? middle
    return {
      id,
      type: types[index] ?? '',
      data: new Uint8Array(bytes, start, middle - start),
      metadata: new Uint8Array(bytes, middle, end - middle),
    }
  })

export const unpackStored = (packed: Packed): StoredEvent[] =>
  unpackEvents(packed).map((event, index) => ({
    ...event,
    stream: packed.streams?.[index] ?? '',
    revision: packed.places?.[index * PLACES] ?? 0n,
    position: packed.places?.[index * PLACES + 1] ?? 0n,
    createdMs: Number(packed.places?.[index * PLACES + 2] ?? 0n),
    ...(packed.omitted === undefined ? {} : { omitted: packed.omitted[index] }),
  }))
