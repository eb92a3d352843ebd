import { boundedMap } from '../collections/bounded-map.ts'
import { encodeStates, type Written } from '../organization/snapshot.ts'
import type { Snapshot, SnapshotPart } from '../ports/read-models.ts'
import type { Cell } from './cell.ts'

/**
 * Snapshots in memory of organizations to which several processes write. After a refused commit, an organization is folded from there, and
 * not from the stored snapshot, behind which there may be a thousand events.
 */
export type Baselines = {
  /** Removes the baseline and gives it: it may be older than an erasure, so it is kept only if the fold from it went well. */
  readonly take: (organizationId: string) => Baseline | undefined
  /** Keeps a baseline of a cell that was just folded. */
  readonly keep: (cell: Cell, from: Base | undefined, drops: bigint | undefined) => void
  readonly forget: (organizationId: string) => void
}

/** A snapshot in memory; `drops` as in `Folded`. */
export type Baseline = { readonly snapshot: Snapshot; readonly drops: bigint | undefined }

/** A snapshot from which a cell was folded. States with these counters are as they are in it. */
export type Base = { readonly snapshot: Snapshot; readonly written: Written }

const BYTES_MAX = 64 * 1024 * 1024
/** A baseline that is so many events old is still good enough. */
const OLD = 100n

/** @param version  the version of the snapshots that the engine makes */
export const baselinesOf = (version: string): Baselines => {
  const kept = boundedMap<string, Baseline>(BYTES_MAX, {
    weightOf: ({ snapshot: { parts } }) => parts.reduce((bytes, part) => bytes + part.bytes.length, 1),
  })
  return {
    take: (organizationId) => {
      const found = kept.get(organizationId)
      kept.delete(organizationId)
      return found
    },
    keep: (cell, from, drops) => {
      const { organizationId: organization, tip, state } = cell
      if (from !== undefined && tip.sequence - from.snapshot.sequence < OLD)
        return kept.set(organization, { snapshot: from.snapshot, drops })
      const { parts } = encodeStates(state, from?.written)
      const merged = merge(from?.snapshot.parts ?? [], parts)
      kept.set(organization, { snapshot: { organization, ...tip, version, parts: merged }, drops })
    },
    forget: (organizationId) => kept.delete(organizationId),
  }
}

const merge = (older: readonly SnapshotPart[], newer: readonly SnapshotPart[]): readonly SnapshotPart[] => [
  ...new Map([...older, ...newer].map((part) => [part.name, part])).values(),
]
