import { exportLines, pagesOf } from '../../core/log/transcript.ts'
import { E } from '../../core/prelude.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { close, isOfStore, openToRead } from './open-store.ts'
import { isTerminal, writeOut } from './print.ts'
import { stopOf, unusable } from './stop.ts'
import { mustBeNew, writeWhole } from './whole-file.ts'

export type ExportOptions = {
  readonly store: string
  readonly out?: string
  /** Whether a file at that place may be replaced. */
  readonly force?: boolean
}

/** Writes the whole log of a store, which a server may be writing to meanwhile. */
export const exportLog = async (options: ExportOptions): Promise<number> => {
  const { out, force = false } = options
  if (out === undefined && isTerminal('stdout'))
    throw unusable('an export is for programs, and a terminal may obey what stands in it: give --out FILE, or pipe it')
  if (out !== undefined && !force) await mustBeNew(out)
  if (out !== undefined && (await isOfStore(options.store, out))) throw unusable(`${out} belongs to the store itself`)
  const storage = await openToRead(options.store)
  try {
    if (out === undefined) await writeOut(chunksOf(storage))
    else await writeWhole(out, chunksOf(storage), force ? 'replace' : 'new')
    return 0
  } finally {
    await close(storage)
  }
}

/** The text of an export. A failure stops the command; `onPosition` is told how far the store has been read. */
export const chunksOf = async function* (
  { store }: Storage,
  onPosition?: (position: bigint) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of exportLines(nodeDigest(), watched(pagesOf(store), onPosition))) {
    if (E.isLeft(chunk)) throw stopOf(chunk.left)
    yield chunk.right
  }
}

type Pages = ReturnType<typeof pagesOf>

const watched = async function* (pages: Pages, onPosition?: (position: bigint) => void): Pages {
  for await (const page of pages) {
    const last = E.isRight(page) ? page.right.at(-1) : undefined
    if (last !== undefined) onPosition?.(last.position)
    yield page
  }
}
