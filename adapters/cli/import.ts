import { failure, type Failure } from '../../core/failure.ts'
import { importTranscript, type Imported, type ImportPorts } from '../../core/log/import-transcript.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import { E, pipe, TE } from '../../core/prelude.ts'
import { reading, type Reading } from '../audit/reading.ts'
import { nodeContainer, tokens } from '../container.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { canBeMade, isVolatile, openToWrite, type BesideFlags, type Written } from './open-store.ts'
import { interruption } from './interruption.ts'
import { print, sayNotice } from './print.ts'
import { progressBar } from './progress.ts'
import { resultOf, unusable } from './stop.ts'
import { transcriptFile, type TranscriptFile } from './transcript-file.ts'

export type ImportOptions = BesideFlags & { readonly store: string }

/** Imports an exported log into an empty store, or finishes such an import that was interrupted. */
export const importLog = async (path: string, options: ImportOptions): Promise<number> => {
  const { store: url } = options
  if (isVolatile(url)) throw unusable('a store in memory would be gone at once: import into sqlite:PATH')
  const file = await transcriptFile(path)
  if (!file.isRepeatable) throw unusable(`${path} can be read only once, and an import reads it twice: give a file`)
  const target = await targetAt(url, options)
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
  const signals = interruption()
  const progress = await progressBar(file.bytes * 2n, MUCH_BYTES, 'events') // the file is read twice: to check it, and to import it
  const readings: Reading[] = []
  const ids = nodeContainer().resolve(tokens.ids)
  const read = (): Reading['entries'] => {
    const bytesBefore = file.bytes * BigInt(readings.length)
    const begun = reading(
      file.chunks((bytes, events) => {
        signals.check()
        progress.passed(bytesBefore + bytes, events)
      }),
    )
    readings.push(begun)
    return begun.entries
  }
  try {
    const outcome = await importTranscript({ store, digest: nodeDigest(), ids }, read)()
    const broken = readings.map((begun) => begun.broken()).find((one) => one !== undefined)
    if (broken !== undefined) throw broken.error
    return await resultOf(async () => outcome)
  } finally {
    progress.end()
    signals.end()
  }
}

const MUCH_BYTES = 10_000_000n

type Target = {
  readonly store: ImportPorts['store']
  /** Makes the imported store permanent. */
  readonly keep: () => Promise<void>
  readonly end: () => Promise<void>
}

/**
 * The store to import into. If it does not exist, it is made before the first write, and so after the whole transcript was checked. If
 * writing fails, it is removed again, because half a copy would look like a whole one.
 */
const targetAt = async (url: string, beside: BesideFlags): Promise<Target> => {
  const toOpen = openToWrite(url, { onNotice: sayNotice, discard: 'all', beside })
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
      capabilities: {
        // A store that is made late is a file, which orders commits.
        get ordersCommits() {
          return written?.storage.store.capabilities.ordersCommits ?? true
        },
      },
      lastPosition: () =>
        isMadeLate && written === undefined
          ? TE.right(0n)
          : pipe(
              open,
              TE.flatMap((store) => store.lastPosition()),
            ),
      importedTo: () =>
        pipe(
          open,
          TE.flatMap((store) => store.importedTo()),
        ),
      readAll: (after, limit, options) =>
        pipe(
          open,
          TE.flatMap((store) => store.readAll(after, limit, options)),
        ),
      append: (commits) =>
        pipe(
          openLate,
          TE.flatMap((store) => store.append(commits)),
        ),
      setStandings: (standings, version) =>
        pipe(
          openLate,
          TE.flatMap((store) => store.setStandings(standings, version)),
        ),
      setImportedTo: (position) =>
        pipe(
          openLate,
          TE.flatMap((store) => store.setImportedTo(position)),
        ),
    },
    keep: async () => {
      await resultOf(openLate) // also if the transcript has no events
      written?.keep()
    },
    end: async () => written?.end(),
  }
}
