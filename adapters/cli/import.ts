import { importTranscript } from '../../core/log/import-transcript.ts'
import { readTranscript } from '../../core/log/transcript-reader.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { nodeIds } from '../ids/node-ids.ts'
import { close, isVolatile, openToWrite } from './open-store.ts'
import { print } from './print.ts'
import { progressBar } from './progress.ts'
import { resultOf, unusable } from './stop.ts'
import { transcriptFile } from './transcript-file.ts'

export type ImportOptions = { readonly store: string }

/** Reads an exported log into a store that has nothing yet. */
export const importLog = async (path: string, options: ImportOptions): Promise<number> => {
  if (isVolatile(options.store)) throw unusable('a store in memory would be gone at once: import into sqlite:PATH')
  const file = await transcriptFile(path)
  const storage = await openToWrite(options.store)
  const progress = await progressBar(file.bytes * 2n, MUCH_BYTES) // it is checked first, then read again
  try {
    let readings = 0n
    const read = (): ReturnType<typeof readTranscript> => {
      const bytesBefore = file.bytes * readings
      readings += 1n
      return readTranscript(
        nodeDigest(),
        file.chunks((bytes) => progress.passed(bytesBefore + bytes)),
      )
    }
    const imported = await resultOf(
      importTranscript({ store: storage.store, digest: nodeDigest(), ids: nodeIds() }, read),
    )
    progress.end()
    print({ events: imported.events, parts: imported.parts, sha256: imported.sha256 })
    return 0
  } finally {
    progress.end()
    await close(storage)
  }
}

const MUCH_BYTES = 10_000_000n
