import { encodeHex } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import type { StreamingDigest } from '../ports/digest.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { encodeClosing, encodePartLine } from './transcript-line.ts'

export type PagesOptions = {
  /** Events that are read at once. Default: 1,000. */
  readonly pageEvents?: number
}

/**
 * Reads a whole store page by page, in order of positions. What is appended meanwhile is left out, so that it comes to
 * an end on a store that is in use. A failure is the last thing that it yields.
 */
export async function* pagesOf(
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  { pageEvents = 1000 }: PagesOptions = {},
): AsyncGenerator<E.Either<Failure, readonly Recorded[]>> {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) {
    yield last
    return
  }
  let position = 0n
  while (position < last.right) {
    const page = await store.readAll(position, pageEvents, { bytesMax: PAGE_BYTES })()
    const end = E.isLeft(page) ? undefined : page.right.at(-1)
    if (E.isLeft(page) || end === undefined) {
      yield E.isLeft(page) ? page : E.left(failure('STORE_UNREADABLE', 'the store ends before its last position'))
      return
    }
    position = end.position
    yield E.right(page.right.filter((recorded) => recorded.position <= last.right))
  }
}

/** Beyond it, a page ends: its events may have a megabyte each. */
const PAGE_BYTES = 8 * 1024 * 1024

/**
 * Writes a transcript: what the store holds as text, byte for byte, and a closing line with the SHA-256 of everything
 * before it. Each chunk is the caller's own.
 *
 * A failure is passed on and is the last thing that it yields: what was written until then has no closing line, and no
 * reader takes it for the whole.
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

// Stores may hand out parts in any order: by name they have one.
const linesOf = ({ id, line, parts }: Recorded): readonly Uint8Array[] => {
  const inOrder = parts.length < 2 ? parts : parts.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [line, ...inOrder.map((part) => encodePartLine(id, part))]
}

const LINE_FEED = 0x0a

const textOf = (lines: readonly Uint8Array[]): Uint8Array => {
  const text = new Uint8Array(lines.reduce((length, line) => length + line.length + 1, 0))
  let at = 0
  for (const line of lines) {
    text.set(line, at)
    at += line.length
    text[at++] = LINE_FEED
  }
  return text
}
