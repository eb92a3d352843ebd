import { importTranscript } from '../../core/log/import-transcript.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { close, isVolatile, openToWrite } from './open-store.ts'
import { print } from './print.ts'
import { progressBar } from './progress.ts'
import { reading, type Reading } from './reading.ts'
import { resultOf, unusable } from './stop.ts'
import { transcriptFile } from './transcript-file.ts'

export type ImportOptions = { readonly store: string }

/** Reads an exported log into a store that has nothing yet. */
export const importLog = async (path: string, options: ImportOptions): Promise<number> => {
  if (isVolatile(options.store)) throw unusable('a store in memory would be gone at once: import into sqlite:PATH')
  const file = await transcriptFile(path)
  if (!file.isRepeatable) throw unusable(`${path} can be read only once, and an import reads it twice: give a file`)
  const storage = await openToWrite(options.store)
  const progress = await progressBar(file.bytes * 2n, MUCH_BYTES) // it is checked first, then read again
  try {
    const readings: Reading[] = []
    const read = (): Reading['entries'] => {
      const bytesBefore = file.bytes * BigInt(readings.length)
      const begun = reading(file.chunks((bytes) => progress.passed(bytesBefore + bytes)))
      readings.push(begun)
      return begun.entries
    }
    const outcome = await importTranscript({ store: storage.store, digest: nodeDigest() }, read)()
    progress.end()
    for (const { check } of readings) check()
    const imported = await resultOf(async () => outcome)
    print({ events: imported.events, parts: imported.parts, sha256: imported.sha256 })
    return 0
  } finally {
    progress.end()
    await close(storage)
  }
}

const MUCH_BYTES = 10_000_000n
