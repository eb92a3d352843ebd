import type { RowChange } from '../ports/read-models.ts'
import { parkedRow, releasedRow } from './progress.ts'

/** A parked organization. Its events from this sequence on are held back, because the follower threw on the first of them. */
export type Parked = { readonly organization: string; readonly sequence: bigint }

export type OnParked = (parked: Parked, thrown: unknown) => void

/** The parked organizations of a follower, in memory. */
export type ParkedOrganizations = {
  readonly list: () => readonly Parked[]
  readonly count: () => number
  /** The first sequence that is held back of an organization; `undefined` if it is not parked. */
  readonly first: (organization: string) => bigint | undefined
  /** Parks an organization. Gives the row that says so. */
  readonly park: (parked: Parked, thrown: unknown) => RowChange
  /** Releases an organization. Gives the change that deletes its row. */
  readonly release: (organization: string) => RowChange
  /** Parks an organization again whose release was not stored. */
  readonly restore: (parked: Parked) => void
  /** Replaces the known ones by the stored ones. */
  readonly adopt: (stored: ReadonlyMap<string, bigint>) => void
  /** Tells of those that were parked since the last call: their rows are stored now. */
  readonly tell: () => void
}

export const parkedOrganizations = (onParked: OnParked): ParkedOrganizations => {
  let parked = new Map<string, bigint>()
  let untold: (Parked & { readonly thrown: unknown })[] = []
  const adopt = (stored: ReadonlyMap<string, bigint>): void => {
    parked = new Map(stored)
    untold = []
  }
  return {
    list: () => [...parked].map(([organization, sequence]) => ({ organization, sequence })),
    count: () => parked.size,
    first: (organization) => (parked.size === 0 ? undefined : parked.get(organization)),
    park: ({ organization, sequence }, thrown) => {
      parked.set(organization, sequence)
      untold.push({ organization, sequence, thrown })
      return parkedRow(organization, sequence)
    },
    release: (organization) => {
      parked.delete(organization)
      return releasedRow(organization)
    },
    restore: ({ organization, sequence }) => adopt(new Map([...parked, [organization, sequence]])),
    adopt,
    tell: () => {
      for (const { thrown, ...one } of untold.splice(0)) onParked(one, thrown)
    },
  }
}
