import { scrubTranscript, type Scrubbed } from '../../core/log/scrub-transcript.ts'
import { pagesOf } from '../../core/log/transcript.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { reading } from '../audit/reading.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { bytesText, countOf } from '../inbox/amounts.ts'
import { interruption } from './interruption.ts'
import { close, isOfStore, openToRead, type BesideFlags } from './open-store.ts'
import { print, say } from './print.ts'
import { progressBar } from './progress.ts'
import { stopOf, unusable } from './stop.ts'
import { transcriptFile, type TranscriptFile } from './transcript-file.ts'
import { mustBeNew, writeWhole } from '../files/whole-file.ts'

export type ScrubOptions = BesideFlags & {
  readonly store: string
  readonly out: string
  /** Whether a file at that place may be replaced. */
  readonly force?: boolean
  /** Whether to print what was written as JSON. */
  readonly json?: boolean
}

/** Writes an export again, without the parts that the store has erased since. A server may be writing to the store meanwhile. */
export const scrub = async (path: string, options: ScrubOptions): Promise<number> => {
  const { store, out, force = false, json = false } = options
  if (!force) await mustBeNew(out)
  if (await isOfStore(store, out, options)) throw unusable(`${out} belongs to the store itself`)
  const file = await transcriptFile(path)
  const storage = await openToRead(store, options)
  try {
    const written = await write(file, storage, out, force)
    if (json) print({ ...written, file: out })
    else say(writtenText(written, out))
    return 0
  } finally {
    await close(storage)
  }
}

type Written = Scrubbed & { readonly bytes: number }

const writtenText = ({ events, erased, bytes }: Written, file: string): string =>
  `Wrote ${countOf(events, 'event')} without ${countOf(erased, 'part')} that the store has erased since, ${bytesText(bytes)}, to ${file}.`

/** Writes the text. After a failure or a signal it leaves no file behind. */
const write = async (file: TranscriptFile, { store }: Storage, out: string, force: boolean): Promise<Written> => {
  const signals = interruption()
  const progress = await progressBar(file.bytes, MUCH_BYTES, 'events')
  const { entries, broken } = reading(file.chunks(progress.passed))
  let scrubbed: Scrubbed = { events: 0, parts: 0, erased: 0 }
  let bytes = 0
  const text = async function* (): AsyncGenerator<Uint8Array> {
    const onPage = (soFar: Scrubbed): void => void (scrubbed = soFar)
    for await (const chunk of scrubTranscript(nodeDigest(), entries, pagesOf(store), onPage)) {
      signals.check()
      const unread = broken()
      if (unread !== undefined) throw unread.error // its line says what could not be read
      if (E.isLeft(chunk)) throw stopOf(chunk.left)
      bytes += chunk.right.length
      yield chunk.right
    }
  }
  try {
    await writeWhole(out, text(), force ? 'replace' : 'new')
    return { ...scrubbed, bytes }
  } finally {
    progress.end()
    signals.end()
  }
}

const MUCH_BYTES = 5_000_000n
