import { createHash } from 'node:crypto'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { SealedRow } from '../../core/ports/sealed-rows.ts'
import { openKey, type OpenedKey } from './opened-key.ts'

export type OpenedKeysOptions = {
  /** How many are kept open. */
  readonly max: number
  /** For how long after its last use, in milliseconds. */
  readonly forMs: number
  /** Milliseconds that only grow. */
  readonly now: () => number
}

/** Keys that are kept open, by the whole content of their rows: another row is another key. */
export type OpenedKeys = {
  /** The key of a row; `undefined` if the row does not open. */
  readonly open: (dataKey: Uint8Array, row: SealedRow) => OpenedKey | undefined
  /** Overwrites and forgets what was not used for so long. */
  readonly sweep: () => void
  /** Overwrites and forgets all. */
  readonly clear: () => void
  readonly size: () => number
}

export const openedKeys = ({ max, forMs, now }: OpenedKeysOptions): OpenedKeys => {
  const known = boundedMap<string, Kept>(max, { onForgotten: ({ key }) => key.wipe() })
  const end = (isOver: (kept: Kept) => boolean): void => {
    for (const kept of [...known.values()].filter(isOver)) {
      known.delete(kept.name)
      kept.key.wipe()
    }
  }
  return {
    open: (dataKey, row) => {
      const name = nameOf(row)
      const kept = known.get(name)
      if (kept !== undefined) {
        kept.usedAtMs = now()
        return kept.key
      }
      const key = openKey(dataKey, row)
      if (key !== undefined) known.set(name, { name, key, usedAtMs: now() })
      return key
    },
    sweep: () => end(({ usedAtMs }) => now() - usedAtMs >= forMs),
    clear: () => end(() => true),
    size: known.size,
  }
}

type Kept = { readonly name: string; readonly key: OpenedKey; usedAtMs: number }

const nameOf = ({ organization, id, kind, dataKey, bytes }: SealedRow): string =>
  createHash('sha256')
    .update(JSON.stringify([organization, id, kind, dataKey]))
    .update(bytes)
    .digest('base64')
