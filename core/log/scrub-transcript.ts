import { equal } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import type { StreamingDigest } from '../ports/digest.ts'
import type { Part, Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { exportLines } from './transcript.ts'
import type { TranscriptEntry } from './transcript-reader.ts'

type Pages = AsyncIterable<E.Either<Failure, readonly Recorded[]>>

/** What a scrubbed transcript has, and what it has no more. */
export type Scrubbed = { readonly events: number; readonly parts: number; readonly erased: number }

/**
 * Writes a transcript again, without the parts that the store has erased since. The text is the one that an export of the store would
 * have, if the store ended where the transcript ends.
 *
 * It reads transcript and store once, side by side, and keeps one page of the store. It yields a failure, and nothing after it, if they do
 * not fit: `CONFLICT` if the store has another line there, or a part that the transcript has no more; `STORE_UNREADABLE` if the
 * transcript is damaged. The text before a failure is of no use: its writer must throw it away.
 *
 * @param entries  the transcript
 * @param pages  all events of the store with their parts, in order of positions
 * @param onPage  called after each page with the numbers so far
 * @example for await (const chunk of scrubTranscript(digest, readTranscript(digest, chunks), pagesOf(store))) …
 */
export const scrubTranscript = (
  digest: Pick<StreamingDigest, 'sha256Stream'>,
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  pages: Pages,
  onPage?: (scrubbed: Scrubbed) => void,
): AsyncGenerator<E.Either<Failure, Uint8Array>> => exportLines(digest, remaining(entries, pages, onPage))

/** The events of the store that the transcript has, after each was compared with the transcript. */
async function* remaining(
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  pages: Pages,
  onPage: (scrubbed: Scrubbed) => void = () => undefined,
): AsyncGenerator<E.Either<Failure, readonly Recorded[]>> {
  const exported = exportedEvents(entries)
  let [events, parts, erased] = [0, 0, 0]
  let next = await exported.next()
  const compared = async (page: readonly Recorded[]): Promise<E.Either<Failure, readonly Recorded[]>> => {
    for (const [index, recorded] of page.entries()) {
      if (next.done === true) return E.right(page.slice(0, index))
      if (E.isLeft(next.value)) return next.value
      const one = next.value.right
      const difference = differenceOf(one, recorded)
      if (difference !== undefined) return E.left(difference)
      events += 1
      parts += recorded.parts.length
      erased += one.parts.length - recorded.parts.length
      next = await exported.next()
    }
    return E.right(page)
  }
  for await (const page of pages) {
    const kept = E.isLeft(page) ? page : await compared(page.right)
    yield kept
    if (E.isLeft(kept)) return
    onPage({ events, parts, erased })
    if (next.done === true) return
  }
  if (next.done !== true)
    yield E.flatMap(({ line }: Exported) => E.left(notOfStore(line, 'the store has no event there, but ends before')))(
      next.value,
    )
}

/** An event of a transcript, with the parts that follow it. */
type Exported = {
  readonly line: number
  readonly id: string
  readonly bytes: Uint8Array
  readonly parts: readonly Part[]
}

/** Joins events with their parts. It yields a failure, and nothing after it, for a transcript that is not whole. */
async function* exportedEvents(
  entries: AsyncIterable<readonly TranscriptEntry[]>,
): AsyncGenerator<E.Either<Failure, Exported>> {
  let open: (Exported & { readonly parts: Part[] }) | undefined
  let isClosed = false
  for await (const batch of entries) {
    for (const entry of batch) {
      const damage = damageIn(entry, open?.id)
      if (damage !== undefined) {
        yield E.left(damage)
        return
      }
      if (entry._tag === 'closing') isClosed = true
      if (entry._tag === 'part') open?.parts.push(entry.part)
      if (entry._tag !== 'event') continue
      if (open !== undefined) yield E.right(open)
      open = { line: entry.line, id: entry.event.id, bytes: entry.bytes, parts: [] }
    }
  }
  if (!isClosed) yield E.left(damaged(open?.line ?? 1, 'the export has no closing line'))
  else if (open !== undefined) yield E.right(open)
}

/** @param eventId  the event before the entry */
const damageIn = (entry: TranscriptEntry, eventId: string | undefined): Failure | undefined => {
  if (entry._tag === 'unreadable') return damaged(entry.line, entry.message)
  return entry._tag === 'part' && entry.of !== eventId
    ? damaged(entry.line, 'this part does not belong to the event before it')
    : undefined
}

/** Why an event of the transcript is not the one that the store has at its place; `undefined` if it is. */
const differenceOf = ({ line, bytes, parts }: Exported, recorded: Recorded): Failure | undefined => {
  const place = `sequence ${recorded.sequence} of ${recorded.organization}`
  if (!equal(bytes, recorded.line)) return notOfStore(line, `the store has another event there, ${place}`)
  const byName = new Map(parts.map((part) => [part.name, part]))
  if (byName.size < parts.length) return notOfStore(line, `a part of ${place} stands here twice`)
  for (const part of recorded.parts) {
    const own = byName.get(part.name)
    if (own === undefined)
      return notOfStore(line, `the store still has the part ${part.name} of ${place}, so it is older than the export`)
    if (!equal(own.salt, part.salt) || !equal(own.bytes, part.bytes))
      return notOfStore(line, `the store has another part ${part.name} of ${place}`)
  }
  return undefined
}

const notOfStore = (line: number, message: string): Failure =>
  failure('CONFLICT', `the export is not one of this store: line ${line}: ${message}`)

const damaged = (line: number, message: string): Failure =>
  failure('STORE_UNREADABLE', `the export is damaged: line ${line}: ${message}`)
