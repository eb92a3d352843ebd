import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { encodeUtf8 } from '../../core/bytes.ts'
import { copySealed } from '../../core/log/copy-sealed.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import { E } from '../../core/prelude.ts'
import { readSealedLines, sealedLines } from '../keyring/sealed-lines.ts'
import { countOf } from '../inbox/amounts.ts'
import { mustBeThere, sealedOf } from './open-keystore.ts'
import { close, isOfStore, openToRead, writing, type BesideFlags } from './open-store.ts'
import { say, sayNotice } from './print.ts'
import { resultOf, stopOf, systemReason, unusable } from './stop.ts'
import { mustBeNew, writeWhole } from '../files/whole-file.ts'

export type ExportKeysOptions = BesideFlags & {
  readonly store: string
  readonly out: string
  /** Whether a file at that place may be replaced. */
  readonly force?: boolean
}

/** Writes the sealed rows of a store to a file that only its owner can read. A server may be writing to the store meanwhile. */
export const exportKeys = async (options: ExportKeysOptions): Promise<number> => {
  const { store, out, force = false } = options
  if (!force) await mustBeNew(out)
  if (await isOfStore(store, out, options)) throw unusable(`${out} belongs to the store itself`)
  const storage = await openToRead(store, options)
  try {
    const sealed = sealedOf(storage)
    await writeWhole(out, chunksOf(sealed), force ? 'replace' : 'new')
  } finally {
    await close(storage)
  }
  say(`The sealed keys are in ${out}. The keystore opens them: keep both apart.`)
  return 0
}

const chunksOf = async function* (sealed: SealedRows): AsyncGenerator<Uint8Array> {
  for await (const text of sealedLines(sealed)) {
    if (E.isLeft(text)) throw stopOf(text.left)
    yield encodeUtf8(text.right)
  }
}

export type ImportKeysOptions = BesideFlags & { readonly store: string }

/** Adds the sealed rows of a file to a store. The same call finishes what was interrupted. */
export const importKeys = async (path: string, options: ImportKeysOptions): Promise<number> => {
  await mustBeThere(options.store)
  return writing(
    options.store,
    { onNotice: sayNotice, discard: 'if-empty', beside: options },
    async (storage, keep) => {
      keep()
      const rows = await resultOf(copySealed({ from: readSealedLines(linesOf(path)), to: sealedOf(storage) }))
      say(`The store has ${countOf(rows, 'sealed key')} of ${path}.`)
      return 0
    },
  )
}

const linesOf = async function* (path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  } catch (error) {
    throw unusable(`cannot read ${path}: ${systemReason(error)}`)
  }
}
