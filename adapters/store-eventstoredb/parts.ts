import { createHash } from 'node:crypto'
import { equal } from '../../core/bytes.ts'
import type { Part } from '../../core/ports/event-store.ts'
import { selectsPart } from '../../core/ports/part-selection.ts'
import { crashPoint } from '../crash-point.ts'
import { eachOf } from './bounded.ts'
import { troubleOf } from './failures.ts'
import type { FirstEvent, LogClient, StreamEvent } from './log-client.ts'
import type { PartName } from './metadata.ts'
import { uuidOf, type StreamNames } from './names.ts'
import type { Logged } from './recorded.ts'

/*
 * Each part is a stream of its own, because a stream can be ended for ever, and an event cannot. Its events, one behind the other, hold the
 * length of the salt (4 bytes), the salt and the bytes.
 */
export type Parts = {
  /**
   * Writes a part, unless it is there already.
   *
   * @returns how it is named beside the line; `taken` if another part, or the end of one, stands in its place
   */
  readonly write: (eventId: string, part: Part) => Promise<PartName | 'taken'>
  /** What `write` would append for a part that is small enough for one event, if its stream does not exist yet. */
  readonly firstEvent: (eventId: string, part: Part) => FirstEvent
  /** For each event, its selected parts that are not erased. @param wanted  as in `ReadOptions.parts` */
  readonly read: (
    events: readonly Logged[],
    wanted: boolean | readonly string[],
  ) => Promise<readonly (readonly Part[])[]>
  /** Ends the streams of parts. */
  readonly erase: (places: readonly { readonly eventId: string; readonly name: string }[]) => Promise<void>
}

/** The type of the events of parts. */
export const PART_TYPE = 'countersign-part'
/** Well below the smallest bound of a server as it comes. */
const CHUNK_BYTES = 768 * 1024
const CHUNK_BYTES_MIN = 1024
const AT_ONCE = 64
const PAGE = 64

export const partStreams = (client: LogClient, names: StreamNames): Parts => {
  let chunkBytes = CHUNK_BYTES

  /** All bytes of a part's stream, and how many events it has; `undefined` if it is not there, or was ended. */
  const readStream = async (
    stream: string,
    chunks = Infinity,
  ): Promise<{ readonly bytes: Uint8Array; readonly chunks: number } | 'missing' | 'deleted'> => {
    const found: Uint8Array[] = []
    while (found.length < chunks) {
      const limit = Math.min(PAGE, chunks - found.length)
      const page = await client.readStream(stream, { from: BigInt(found.length), limit })
      if (page === 'deleted' || (page === 'missing' && found.length === 0)) return page
      if (page === 'missing') break
      found.push(...page.map(({ data }) => data))
      if (page.length < limit) break
    }
    return {
      bytes: found.length === 1 && found[0] !== undefined ? found[0] : Buffer.concat(found),
      chunks: found.length,
    }
  }

  /** Writes the bytes behind those that are there. */
  const writeBehind = async (
    stream: string,
    bytes: Uint8Array,
    from: { readonly at: number; readonly chunks: number },
  ) => {
    let { at, chunks } = from
    do {
      const chunk = bytes.subarray(at, at + chunkBytes)
      const expected = chunks === 0 ? 'none' : BigInt(chunks - 1)
      try {
        await client.append(stream, expected, [chunkEvent(stream, chunks, chunk)])
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble?._tag !== 'too-large' || chunk.length <= CHUNK_BYTES_MIN) throw error
        // Other parts learn the bound at the same time.
        chunkBytes = Math.min(chunkBytes, Math.max(CHUNK_BYTES_MIN, Math.floor(chunk.length / 2)))
        continue
      }
      at += chunk.length
      chunks += 1
    } while (at < bytes.length)
    return chunks
  }

  const write: Parts['write'] = async (eventId, part) => {
    const stream = names.part(eventId, part.name)
    const bytes = encodePart(part)
    let from = { at: 0, chunks: 0 }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        return { name: part.name, chunks: await writeBehind(stream, bytes, from) }
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble?._tag === 'deleted') return 'taken'
        if (trouble?._tag !== 'wrong-end') throw error
      }
      // An earlier attempt, or another process with the same commit, has written it, or a part of it.
      const there = await readStream(stream)
      if (typeof there === 'string') return 'taken'
      if (equal(there.bytes, bytes)) return { name: part.name, chunks: there.chunks }
      if (!equal(there.bytes, bytes.subarray(0, there.bytes.length))) return 'taken'
      from = { at: there.bytes.length, chunks: there.chunks }
    }
    return 'taken'
  }

  const readOne = async (eventId: string, { name, chunks }: PartName): Promise<Part | undefined> => {
    const found = await readStream(names.part(eventId, name), chunks)
    if (typeof found === 'string' || found.chunks < chunks) return undefined
    return decodePart(name, found.bytes)
  }

  return {
    write,
    firstEvent: (eventId, part) => {
      const stream = names.part(eventId, part.name)
      return { stream, event: chunkEvent(stream, 0, encodePart(part)) }
    },
    read: async (events, wanted) => {
      const selected = events.flatMap(({ id, parts }, index) =>
        parts.filter(({ name }) => isSelected(wanted, name)).map((part) => ({ index, id, part })),
      )
      const found = await eachOf(selected, AT_ONCE, ({ id, part }) => readOne(id, part))
      const of: Part[][] = events.map(() => [])
      for (const [at, { index }] of selected.entries()) {
        const part = found[at]
        if (part !== undefined) of[index]?.push(part)
      }
      return of
    },
    erase: async (places) => {
      await eachOf(places, AT_ONCE, ({ eventId, name }) => client.tombstone(names.part(eventId, name)))
    },
  }
}

const ATTEMPTS = 5

const isSelected = (wanted: boolean | readonly string[], name: string): boolean =>
  typeof wanted === 'boolean' ? wanted : selectsPart(wanted, name)

/**
 * The id follows from place and bytes: a repeated append is recognized, and one of other bytes is refused. If the id was that of the place alone,
 * the server would take other bytes for the same event.
 */
const chunkEvent = (stream: string, chunk: number, data: Uint8Array): StreamEvent => ({
  id: uuidOf(`${stream} ${chunk} ${createHash('sha256').update(data).digest('hex')}`),
  type: PART_TYPE,
  data,
  metadata: new Uint8Array(),
})

const LENGTH_BYTES = 4

const encodePart = ({ salt, bytes }: Part): Uint8Array => {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(salt.length)
  return Buffer.concat([length, salt, bytes])
}

/** A stream that somebody else wrote has any bytes: then there is no such part. */
const decodePart = (name: string, bytes: Uint8Array): Part | undefined => {
  if (bytes.length < LENGTH_BYTES) return undefined
  const end = LENGTH_BYTES + Buffer.from(bytes.buffer, bytes.byteOffset, LENGTH_BYTES).readUInt32BE()
  return end > bytes.length ? undefined : { name, salt: bytes.subarray(LENGTH_BYTES, end), bytes: bytes.subarray(end) }
}

/** The parts of commits, before the commits: what an append names must be there already. Ids of events whose parts are taken. */
export const writeParts = async (
  parts: Parts,
  events: readonly { readonly id: string; readonly parts: readonly Part[] }[],
): Promise<{ readonly names: ReadonlyMap<string, readonly PartName[]>; readonly taken: ReadonlySet<string> }> => {
  const all = events.flatMap(({ id, parts: own }) => own.map((part) => ({ id, part })))
  const written = await eachOf(all, AT_ONCE, async ({ id, part }) => {
    const named = await parts.write(id, part)
    crashPoint('within-parts')
    return named
  })
  const names = new Map<string, PartName[]>()
  const taken = new Set<string>()
  for (const [index, { id }] of all.entries()) {
    const name = written[index]
    if (name === 'taken' || name === undefined) taken.add(id)
    else names.set(id, [...(names.get(id) ?? []), name])
  }
  return { names, taken }
}
