import { equal } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import type { StreamingDigest } from '../ports/digest.ts'
import { IMPORT_UNFINISHED, type EventStore, type Recorded } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { E, TE } from '../prelude.ts'
import { STANDINGS_VERSION } from './standing.ts'
import type { Logged } from './transcript-check.ts'
import { appendGroup, groupsOf } from './transcript-groups.ts'
import { decodeClosing } from './transcript-line.ts'
import { exportLines, pagesOf } from './transcript.ts'
import { readTranscript } from './transcript-reader.ts'

export type CopyPorts = {
  readonly from: Pick<EventStore, 'readAll' | 'lastPosition'>
  readonly to: Pick<EventStore, 'append' | 'importedTo' | 'lastPosition' | 'readAll' | 'setImportedTo' | 'setStandings'>
  readonly digest: StreamingDigest
  readonly ids: Pick<Ids, 'bytes'>
}

export type CopyOptions = {
  /** Called with the number of events that were read, first to copy them, and then once more to compare both stores. */
  readonly onProgress?: (events: number) => void
}

/** What was copied. `sha256` is that of an export of either store, without its closing line, in hex. */
export type Copied = {
  readonly events: number
  readonly parts: number
  readonly sha256: string
  /** How many of the events an earlier copy, which was interrupted, had left there. */
  readonly found: number
}

/**
 * Copies the log of a store into an empty one, in one pass: lines, parts, ids and order. Both may be in use by readers; what is appended
 * to `from` meanwhile is left out. Closing line, chain and parts are checked on the way, as an import does. In the end the copy is
 * exported, and its SHA-256 compared with that of `from`.
 *
 * A copy that was interrupted is finished by the next call: what is there already is compared, and not written again. Until it is
 * finished, no engine starts on it.
 *
 * As after an import, effects that were started before are another installation's.
 *
 * @returns `CONFLICT` if the store has another log, or a finished one; `STORE_UNREADABLE` if `from` is damaged, or if the copy came out
 *   otherwise
 */
export const copyLog =
  (ports: CopyPorts, options: CopyOptions = {}): TE.TaskEither<Failure, Copied> =>
  () =>
    copying(ports, options)

const copying = async (
  { from, to, digest, ids }: CopyPorts,
  { onProgress = () => undefined }: CopyOptions,
): Promise<E.Either<Failure, Copied>> => {
  const found = await foundIn(to)
  if (E.isLeft(found)) return found
  const begun = await TE.flatMap(() => to.setStandings([], STANDINGS_VERSION))(to.setImportedTo(IMPORT_UNFINISHED))()
  if (E.isLeft(begun)) return begun

  let read = 0
  const failing: { cause?: Failure } = {}
  const closing = await groupsOf({ digest, ids }, readTranscript(digest, bytesOf(digest, from, failing)), (group) => {
    const isThere = Math.min(Math.max(found.right - read, 0), group.length)
    const compared = isThere === 0 ? TE.right(undefined) : isSame(to, read, group.slice(0, isThere))
    read += group.length
    return TE.map(() => onProgress(read))(TE.flatMap(() => appendGroup(to, group.slice(isThere), 'copy'))(compared))
  })
  if (failing.cause !== undefined) return E.left(failing.cause)
  if (E.isLeft(closing)) return closing
  const { events, parts, sha256 } = closing.right
  if (events < found.right) return E.left(differs)

  const copy = await hashOf(digest, to, (count) => onProgress(events + count))
  if (E.isLeft(copy)) return copy
  if (copy.right !== sha256) return E.left(damaged)
  const finished = await TE.flatMap(to.setImportedTo)(to.lastPosition())()
  return E.map(() => ({ events, parts, sha256, found: found.right }))(finished)
}

/** How many events the store has of a copy that was interrupted. */
const foundIn = async (to: CopyPorts['to']): Promise<E.Either<Failure, number>> => {
  const last = await to.lastPosition()()
  if (E.isLeft(last) || last.right === 0n) return E.map(Number)(last)
  const mark = await to.importedTo()()
  if (E.isLeft(mark)) return mark
  return mark.right === IMPORT_UNFINISHED ? E.right(Number(last.right)) : E.left(notEmpty) // positions of a copy have no gaps
}

/** Compares events with those that the store has behind a position. */
const isSame =
  (to: CopyPorts['to'], after: number, group: readonly Logged[]): TE.TaskEither<Failure, void> =>
  async () => {
    let place = after
    for (let rest = group; rest.length > 0;) {
      const page = await to.readAll(BigInt(place), rest.length)()
      if (E.isLeft(page)) return page
      if (page.right.length === 0 || !page.right.every((recorded, index) => isEqual(recorded, rest[index])))
        return E.left(differs)
      rest = rest.slice(page.right.length)
      place += page.right.length
    }
    return E.right(undefined)
  }

const isEqual = ({ id, line, parts }: Recorded, logged: Logged | undefined): boolean =>
  logged !== undefined &&
  id === logged.event.id &&
  equal(line, logged.bytes) &&
  parts.length === logged.parts.length &&
  logged.parts.every((part) => {
    const there = parts.find(({ name }) => name === part.name)
    return there !== undefined && equal(there.salt, part.salt) && equal(there.bytes, part.bytes)
  })

/** The text of an export. It ends early if the store fails; `failing` tells why. */
async function* bytesOf(
  digest: StreamingDigest,
  store: CopyPorts['from'],
  failing: { cause?: Failure },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of exportLines(digest, pagesOf(store))) {
    if (E.isLeft(chunk)) {
      failing.cause = chunk.left
      return
    }
    yield chunk.right
  }
}

/** The SHA-256 of an export of the store, as its closing line has it. */
const hashOf = async (
  digest: StreamingDigest,
  store: CopyPorts['from'],
  onProgress: (events: number) => void,
): Promise<E.Either<Failure, string | undefined>> => {
  let events = 0
  const pages = async function* (): ReturnType<typeof pagesOf> {
    for await (const page of pagesOf(store)) {
      if (E.isRight(page)) onProgress((events += page.right.length))
      yield page
    }
  }
  let closing: Uint8Array | undefined
  for await (const chunk of exportLines(digest, pages())) {
    if (E.isLeft(chunk)) return chunk
    closing = chunk.right // the last chunk is the closing line
  }
  return E.right(closing && decodeClosing(closing.subarray(0, -1))?.sha256)
}

const notEmpty = failure('CONFLICT', 'expected an empty store, or a copy that was interrupted; copy into a new one')
const differs = failure('CONFLICT', 'the store holds another log than the beginning of this one; copy into a new one')
const damaged = failure('STORE_UNREADABLE', 'the copy came out otherwise: the exports of both stores differ')
