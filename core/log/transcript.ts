import { concat, encodeHex } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import type { StreamingDigest } from '../ports/digest.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { encodeClosing, encodePartLine } from './transcript-line.ts'

export type PagesOptions = {
  /** How many events are read at once. Default: 1,000. */
  readonly pageEvents?: number
  /** Which parts to read, as in `ReadOptions`. Default: true. */
  readonly parts?: boolean | readonly string[]
}

/**
 * Reads a whole store page by page, in order of positions. Events that are appended meanwhile are left out, so that it ends also on a
 * store that is in use. After a failure it yields nothing more.
 */
export async function* pagesOf(
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  { pageEvents = 1000, parts = true }: PagesOptions = {},
): AsyncGenerator<E.Either<Failure, readonly Recorded[]>> {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) {
    yield last
    return
  }
  let position = 0n
  while (position < last.right) {
    const page = await store.readAll(position, pageEvents, { parts, bytesMax: PAGE_BYTES })()
    const end = E.isLeft(page) ? undefined : page.right.at(-1)
    if (E.isLeft(page) || end === undefined) {
      yield E.isLeft(page) ? page : E.left(failure('STORE_UNREADABLE', 'the store ends before its last position'))
      return
    }
    position = end.position
    yield E.right(page.right.filter((recorded) => recorded.position <= last.right))
  }
}

/** A page ends at this number of bytes, because an event may have a megabyte. */
const PAGE_BYTES = 8 * 1024 * 1024

/**
 * Writes a transcript: the lines and parts of the store as text, byte for byte, and a closing line with the SHA-256 of everything before
 * it. Each chunk is the caller's own.
 *
 * It passes a failure on, and yields nothing after it. The text then has no closing line, so no reader takes it for complete.
 *
 * @example for await (const chunk of exportLines(digest, pagesOf(store))) …
 * @see docs/reference/log-format.md
 */
export async function* exportLines(
  digest: Pick<StreamingDigest, 'sha256Stream'>,
  pages: AsyncIterable<E.Either<Failure, readonly Recorded[]>>,
): AsyncGenerator<E.Either<Failure, Uint8Array>> {
  const running = digest.sha256Stream()
  let events = 0
  let parts = 0
  for await (const page of pages) {
    if (E.isLeft(page)) {
      yield page
      return
    }
    const lines = page.right.flatMap(linesOf)
    events += page.right.length
    parts += lines.length - page.right.length
    const chunk = textOf(lines)
    running.update(chunk)
    yield E.right(chunk)
  }
  const sha256 = encodeHex(running.digest())
  yield E.right(textOf([encodeClosing({ events, parts, lines: events + parts, sha256 })]))
}

// Stores may return parts in any order; in a transcript they are in the order of their names.
const linesOf = ({ id, line, parts }: Recorded): readonly Uint8Array[] => {
  const inOrder = parts.length < 2 ? parts : parts.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [line, ...inOrder.map((part) => encodePartLine(id, part))]
}

const LINE_FEED = Uint8Array.of(0x0a)

const textOf = (lines: readonly Uint8Array[]): Uint8Array => concat(lines.flatMap((line) => [line, LINE_FEED]))
