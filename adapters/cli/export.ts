import { exportLines, pagesOf } from '../../core/log/transcript.ts'
import { E } from '../../core/prelude.ts'
import type { Recorded } from '../../core/ports/event-store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { bytesText, countOf } from '../inbox/amounts.ts'
import { interruption } from './interruption.ts'
import { close, isOfStore, openToRead, type BesideFlags } from './open-store.ts'
import { isTerminal, print, say, writeOut } from './print.ts'
import { progressBar } from './progress.ts'
import { resultOf, stopOf, unusable } from './stop.ts'
import { mustBeNew, writeWhole } from '../files/whole-file.ts'

export type ExportOptions = BesideFlags & {
  readonly store: string
  readonly out?: string
  /** Whether a file at that place may be replaced. */
  readonly force?: boolean
  /** Whether to print what was written as JSON. */
  readonly json?: boolean
}

/** Writes the whole log of a store, which a server may be writing to meanwhile. */
export const exportLog = async (options: ExportOptions): Promise<number> => {
  const { out, force = false, json = false } = options
  if (out === undefined && json) throw unusable('--json: expected --out FILE, because standard output has the export')
  if (out === undefined && isTerminal('stdout'))
    throw unusable('an export is for programs, and a terminal may obey what stands in it: give --out FILE, or pipe it')
  if (out !== undefined && !force) await mustBeNew(out)
  if (out !== undefined && (await isOfStore(options.store, out, options)))
    throw unusable(`${out} belongs to the store itself`)
  const storage = await openToRead(options.store, options)
  try {
    const written = await write(storage, options)
    if (json) print(written)
    else say(writtenText(written))
    return 0
  } finally {
    await close(storage)
  }
}

type Written = {
  readonly events: number
  readonly organizations: number
  readonly bytes: number
  /** Undefined for standard output. */
  readonly file: string | undefined
}

const writtenText = ({ events, organizations, bytes, file = 'standard output' }: Written): string =>
  `Wrote ${countOf(events, 'event')} of ${countOf(organizations, 'organization')}, ${bytesText(bytes)}, to ${file}.`

/** Writes the text. After a signal it stops, and leaves no file behind. */
const write = async (storage: Storage, { out, force = false }: ExportOptions): Promise<Written> => {
  const signals = interruption()
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH_EVENTS, 'events')
  const organizations = new Set<string>()
  let [events, bytes] = [0, 0]
  const onPage = (page: Page, position: bigint): void => {
    for (const { organization } of page) organizations.add(organization)
    events += page.length
    progress.passed(position, events)
  }
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(storage, onPage)) {
      signals.check()
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    if (out === undefined) await writeOut(counted())
    else await writeWhole(out, counted(), force ? 'replace' : 'new')
    return { events, organizations: organizations.size, bytes, file: out }
  } finally {
    progress.end()
    signals.end()
  }
}

const MUCH_EVENTS = 5_000n

/** The text of an export. A failure stops the command; `onPage` gets each page, and its last position. */
export const chunksOf = async function* (
  { store }: Storage,
  onPage?: (page: Page, position: bigint) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of exportLines(nodeDigest(), watched(pagesOf(store), onPage))) {
    if (E.isLeft(chunk)) throw stopOf(chunk.left)
    yield chunk.right
  }
}

type Pages = ReturnType<typeof pagesOf>
type Page = readonly Recorded[]

const watched = async function* (pages: Pages, onPage?: (page: Page, position: bigint) => void): Pages {
  for await (const page of pages) {
    const last = E.isRight(page) ? page.right.at(-1) : undefined
    if (E.isRight(page) && last !== undefined) onPage?.(page.right, last.position)
    yield page
  }
}
