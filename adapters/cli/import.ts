import { failure, type Failure } from '../../core/failure.ts'
import { importTranscript, type Imported, type ImportPorts } from '../../core/log/import-transcript.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import { E, pipe, TE } from '../../core/prelude.ts'
import { reading, type Reading } from '../audit/reading.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { nodeIds } from '../ids/node-ids.ts'
import { canBeMade, isVolatile, openToWrite, type Written } from './open-store.ts'
import { print, sayNotice } from './print.ts'
import { progressBar } from './progress.ts'
import { resultOf, unusable } from './stop.ts'
import { transcriptFile, type TranscriptFile } from './transcript-file.ts'

export type ImportOptions = { readonly store: string }

/** Reads an exported log into a store that has nothing yet. */
export const importLog = async (path: string, { store: url }: ImportOptions): Promise<number> => {
  if (isVolatile(url)) throw unusable('a store in memory would be gone at once: import into sqlite:PATH')
  const file = await transcriptFile(path)
  if (!file.isRepeatable) throw unusable(`${path} can be read only once, and an import reads it twice: give a file`)
  const target = await targetAt(url)
  try {
    const { events, parts, sha256 } = await imported(file, target.store)
    await target.keep()
    print({ events, parts, sha256 })
    return 0
  } finally {
    await target.end()
  }
}

const imported = async (file: TranscriptFile, store: Target['store']): Promise<Imported> => {
  const progress = await progressBar(file.bytes * 2n, MUCH_BYTES) // it is checked first, then read again
  const readings: Reading[] = []
  const read = (): Reading['entries'] => {
    const bytesBefore = file.bytes * BigInt(readings.length)
    const begun = reading(file.chunks((bytes) => progress.passed(bytesBefore + bytes)))
    readings.push(begun)
    return begun.entries
  }
  try {
    const outcome = await importTranscript({ store, digest: nodeDigest(), ids: nodeIds() }, read)()
    const broken = readings.map((begun) => begun.broken()).find((one) => one !== undefined)
    if (broken !== undefined) throw broken.error
    return await resultOf(async () => outcome)
  } finally {
    progress.end()
  }
}

const MUCH_BYTES = 10_000_000n

type Target = {
  readonly store: ImportPorts['store']
  /** What was imported stays. */
  readonly keep: () => Promise<void>
  readonly end: () => Promise<void>
}

/**
 * The store to import into. One that is not there yet is made when something is to be written, and so after the whole
 * transcript was checked. If writing fails then, it is removed again: half a copy would look like a whole one.
 */
const targetAt = async (url: string): Promise<Target> => {
  const toOpen = openToWrite(url, { onNotice: sayNotice, discard: 'all' })
  const isMadeLate = await canBeMade(url)
  let written: Written | undefined

  const open = async (): Promise<E.Either<Failure, EventStore>> => {
    if (written === undefined) {
      const opened = await toOpen()
      if (E.isLeft(opened)) return opened
      written = opened.right
    }
    return E.right(written.storage.store)
  }
  const openLate = async (): Promise<E.Either<Failure, EventStore>> => {
    const isFirst = written === undefined
    const store = await open()
    if (E.isLeft(store) || !isFirst) return store
    const last = await store.right.lastPosition()()
    if (E.isLeft(last)) return last
    return last.right === 0n
      ? store
      : E.left(failure('CONFLICT', 'the store has been made by another process meanwhile'))
  }
  return {
    store: {
      lastPosition: () =>
        isMadeLate && written === undefined
          ? TE.right(0n)
          : pipe(
              open,
              TE.flatMap((store) => store.lastPosition()),
            ),
      append: (commits) =>
        pipe(
          openLate,
          TE.flatMap((store) => store.append(commits)),
        ),
      setImportedTo: (position) =>
        pipe(
          openLate,
          TE.flatMap((store) => store.setImportedTo(position)),
        ),
    },
    keep: async () => {
      await resultOf(openLate) // also where nothing was to be written
      written?.keep()
    },
    end: async () => written?.end(),
  }
}
