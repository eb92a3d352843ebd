import { failure, type Failure } from '../failure.ts'
import type { StreamingDigest } from '../ports/digest.ts'
import { IMPORT_UNFINISHED, type EventStore } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import type { SealedRows } from '../ports/sealed-rows.ts'
import { E, TE } from '../prelude.ts'
import { begunUpTo, differs, notEmpty, sameEvents, type BegunStore } from './begun-log.ts'
import { canCopySealed, copySealed } from './copy-sealed.ts'
import { STANDINGS_VERSION } from './standing.ts'
import { appendGroup, groupsOf, type AppendingStore } from './transcript-groups.ts'
import { decodeClosing } from './transcript-line.ts'
import { exportLines, pagesOf } from './transcript.ts'
import { readTranscript } from './transcript-reader.ts'

export type CopyPorts = {
  readonly from: Pick<EventStore, 'readAll' | 'lastPosition'>
  readonly to: AppendingStore & BegunStore & Pick<EventStore, 'setImportedTo' | 'setStandings'>
  readonly digest: StreamingDigest
  readonly ids: Pick<Ids, 'bytes'>
  /** The sealed rows of both stores. They are copied after the log, so that the copy has those of all that it tells of. */
  readonly sealed?: { readonly from: Pick<SealedRows, 'list'> | undefined; readonly to: SealedRows | undefined }
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
  /** How many of the events an earlier copy had left there; all, if the store was equal already. */
  readonly found: number
  /** How many sealed rows of `from` are in `to` now. */
  readonly sealedRows: number
}

/**
 * Copies the log of a store into an empty one, in one pass: lines, parts, ids and order. Both may be in use by readers; what is appended
 * to `from` meanwhile is left out. Closing line, chain and parts are checked on the way, as an import does. In the end the copy is
 * exported, and its SHA-256 compared with that of `from`.
 *
 * A copy that was interrupted is finished by the next call: what is there already is compared, and not written again. Until it is
 * finished, no engine starts on it. A store that is equal already is compared, and its log stays as it is.
 *
 * As after an import, effects that were started before are another installation's.
 *
 * @returns `CONFLICT` if the store has another log or a part of this one, or another sealed row under an id of `from`; `CONFIGURATION_INVALID` if `from`
 *   has sealed rows and the store cannot keep any: then nothing was written; `STORE_UNREADABLE` if `from` is damaged, or if the copy came out
 *   otherwise
 */
export const copyLog =
  (ports: CopyPorts, options: CopyOptions = {}): TE.TaskEither<Failure, Copied> =>
  () =>
    copying(ports, options)

const copying = async (
  { from, to, digest, ids, sealed }: CopyPorts,
  { onProgress = () => undefined }: CopyOptions,
): Promise<E.Either<Failure, Copied>> => {
  const canCopy = await canCopySealed(sealed?.from, sealed?.to)()
  if (E.isLeft(canCopy)) return canCopy
  const there = await begunUpTo(to)
  if (E.isLeft(there)) return there
  const { last, isFinished } = there.right
  const begun = isFinished ? E.right(undefined) : await beginning(to)()
  if (E.isLeft(begun)) return begun

  let read = 0
  let found = 0
  let compared = 0n
  const failing: { cause?: Failure } = {}
  const closing = await groupsOf(
    { digest, ids },
    readTranscript(digest, bytesOf(digest, from, failing)),
    (group) => async () => {
      const same = await sameEvents(to, { after: compared, last }, group, 'copy')
      if (E.isLeft(same)) return same
      const { count, position } = same.right
      if (isFinished && count < group.length) return E.left(notEmpty('copy'))
      compared = position
      found += count
      read += group.length
      const appended = await appendGroup(to, group.slice(count), 'copy')()
      if (E.isRight(appended)) onProgress(read)
      return appended
    },
  )
  if (failing.cause !== undefined) return E.left(failing.cause)
  if (E.isLeft(closing)) return closing
  const { events, parts, sha256 } = closing.right
  if (compared < last) return E.left(differs('copy'))

  const copy = await hashOf(digest, to, (count) => onProgress(events + count))
  if (E.isLeft(copy)) return copy
  if (copy.right !== sha256) return E.left(damaged)
  // Once more, because the first ones may have been put since.
  const rows = await TE.flatMap(() => copyingSealed(sealed, () => onProgress(2 * events)))(
    canCopySealed(sealed?.from, sealed?.to),
  )()
  if (E.isLeft(rows)) return rows
  const finished = isFinished ? E.right(undefined) : await TE.flatMap(to.setImportedTo)(to.lastPosition())()
  return E.map(() => ({ events, parts, sha256, found, sealedRows: rows.right }))(finished)
}

/** Marks the store, so that no engine starts on it until the copy is finished. */
const beginning = (to: CopyPorts['to']): TE.TaskEither<Failure, void> =>
  TE.flatMap(() => to.setStandings([], STANDINGS_VERSION))(to.setImportedTo(IMPORT_UNFINISHED))

const copyingSealed = (sealed: CopyPorts['sealed'], onPage: () => void): TE.TaskEither<Failure, number> =>
  sealed?.from === undefined || sealed.to === undefined
    ? TE.right(0)
    : copySealed({ from: sealed.from, to: sealed.to }, onPage)

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

const damaged = failure('STORE_UNREADABLE', 'the copy came out otherwise: the exports of both stores differ')
