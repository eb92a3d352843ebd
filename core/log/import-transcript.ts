import type { Failure } from '../failure.ts'
import type { Digest } from '../ports/digest.ts'
import { IMPORT_UNFINISHED, type EventStore } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { E, TE } from '../prelude.ts'
import { begunUpTo, differs, notEmpty, sameEvents, type BegunStore } from './begun-log.ts'
import { STANDINGS_VERSION } from './standing.ts'
import { appendGroup, groupsOf, type AppendingStore } from './transcript-groups.ts'
import type { Closing } from './transcript-line.ts'
import type { TranscriptEntry } from './transcript-reader.ts'

export type ImportPorts = {
  readonly store: AppendingStore & BegunStore & Pick<EventStore, 'setImportedTo' | 'setStandings'>
  readonly digest: Digest
  readonly ids: Pick<Ids, 'bytes'>
}

export type ImportOptions = {
  /** Called with the number of events that were imported so far. */
  readonly onProgress?: (events: number) => void
}

/** The closing line of the imported transcript. */
export type Imported = Closing

/**
 * Imports a transcript into an empty store, or finishes such an import that was interrupted. Every line and every part keeps its bytes, and
 * the order stays the same, so that an export of the store is the same transcript again.
 *
 * The store records up to which position its log was imported: effects that were started up to there are another installation's.
 *
 * It reads the transcript twice. First it checks closing line, chain and parts; it does not check the meaning of events, as an audit
 * does. Only then it writes. If the store fails in the middle, it holds no complete copy, and no engine starts on it: throw it away, or
 * import the same transcript again. What is there already is compared then, and not written again.
 *
 * @param read  begins to read the transcript from its start, at each call
 * @returns `CONFLICT` if the store has a log that no import of this transcript has left, `STORE_UNREADABLE` with the line if the transcript
 *   is not whole, or the refusal of the store, with the line
 */
export const importTranscript =
  (ports: ImportPorts, read: () => AsyncIterable<readonly TranscriptEntry[]>, options: ImportOptions = {}) =>
  (): Promise<E.Either<Failure, Imported>> =>
    importing(ports, read, options)

const importing = async (
  ports: ImportPorts,
  read: () => AsyncIterable<readonly TranscriptEntry[]>,
  { onProgress }: ImportOptions,
): Promise<E.Either<Failure, Imported>> => {
  const { store } = ports
  const there = await begunUpTo(store)
  if (E.isLeft(there)) return there
  const { last, isFinished } = there.right
  if (isFinished) return E.left(notEmpty('import'))
  const checked = await groupsOf(ports, read(), () => TE.right(undefined))
  if (E.isLeft(checked)) {
    const { left: cause } = checked
    return E.left({ ...cause, message: `nothing can be imported: ${cause.message}` })
  }
  const begun = await TE.flatMap(() => store.setStandings([], STANDINGS_VERSION))(
    store.setImportedTo(IMPORT_UNFINISHED),
  )()
  if (E.isLeft(begun)) return begun
  let events = 0
  let compared = 0n
  const imported = await groupsOf(ports, read(), (group) => async () => {
    const same = await sameEvents(store, { after: compared, last }, group, 'import')
    if (E.isLeft(same)) return same
    compared = same.right.position
    const appended = await appendGroup(store, group.slice(same.right.count), 'import')()
    events += group.length
    if (E.isRight(appended)) onProgress?.(events)
    return appended
  })
  if (E.isLeft(imported)) return imported
  if (compared < last) return E.left(differs('import'))
  const end = await store.lastPosition()()
  const finished = E.isLeft(end) ? end : await store.setImportedTo(end.right)()
  return E.isLeft(finished) ? finished : imported
}
