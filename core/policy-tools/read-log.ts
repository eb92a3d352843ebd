import { failure, type Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { partReader } from '../log/part-reader.ts'
import { REQUEST } from '../log/parts.ts'
import { PERSONAL } from '../log/personal-part.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { Walk } from './walk.ts'

/** What a walk reads of a store. */
export type ReadableStore = Pick<
  EventStore,
  'readLog' | 'readAll' | 'readActivity' | 'head' | 'lastPosition' | 'organizations'
>

export type ReadLogOptions = {
  /** Called after each page with the position that is reached. */
  readonly onProgress?: ((position: bigint) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

type Source = {
  readonly read: EventStore['readAll']
  readonly cursor: 'position' | 'sequence'
  /** The last event. What is appended meanwhile is not read. */
  readonly last: bigint
}

/** Walks over the logs of all organizations, in the order of the store. */
export const walkStore = async (
  store: ReadableStore,
  walk: Walk,
  options: ReadLogOptions = {},
): Promise<E.Either<Failure, void>> => {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) return last
  return walkPages({ read: store.readAll, cursor: 'position', last: last.right }, walk, options)
}

/** Walks over the log of one organization, up to a sequence. */
export const walkLog = (
  store: ReadableStore,
  organization: string,
  last: bigint,
  walk: Walk,
  options: ReadLogOptions = {},
): Promise<E.Either<Failure, void>> =>
  walkPages(
    { read: (after, limit, how) => store.readLog(organization, after, limit, how), cursor: 'sequence', last },
    walk,
    options,
  )

const walkPages = async (
  { read, cursor, last }: Source,
  walk: Walk,
  { onProgress, signal }: ReadLogOptions,
): Promise<E.Either<Failure, void>> => {
  const readParts = partReader(read)
  const readPage = (after: bigint) => read(after, PAGE, { parts: [REQUEST, PERSONAL], bytesMax: PAGE_BYTES })()
  let place = 0n
  let reading = readPage(place)
  while (place < last) {
    if (signal?.aborted === true) return E.left(failure('ABORTED', 'the reading was called off'))
    const page = await reading
    if (E.isLeft(page)) return page
    const end = page.right.at(-1)?.[cursor]
    if (end === undefined) return E.left(failure('STORE_UNREADABLE', 'the store ends before its last event'))
    // The next page is requested before this page is folded, because a store may read on another thread.
    if (end < last) reading = readPage(end)
    for (const recorded of page.right) {
      if (recorded[cursor] > last) break
      const taken = take(recorded, recorded[cursor], readParts, walk)
      const outcome = taken instanceof Promise ? await taken : taken // awaiting each would cost as much as its fold
      if (E.isLeft(outcome)) return outcome
    }
    place = end
    onProgress?.(page.right.at(-1)?.position ?? 0n)
  }
  return E.right(undefined)
}

const PAGE = 2_000
/** A page ends at this number of bytes, because a request may have a megabyte. */
const PAGE_BYTES = 8 * 1024 * 1024

const take = (
  recorded: Recorded,
  place: bigint,
  readParts: ReturnType<typeof partReader>,
  walk: Walk,
): ReturnType<Walk['take']> => {
  const event = decodeEvent(recorded.line)
  if (E.isLeft(event)) return event
  const parts = readParts(event.right, place, recorded.parts)
  if (parts instanceof Promise)
    return parts.then((found) => (E.isLeft(found) ? found : walk.take(recorded, event.right, found.right)))
  return E.isLeft(parts) ? parts : walk.take(recorded, event.right, parts.right)
}
