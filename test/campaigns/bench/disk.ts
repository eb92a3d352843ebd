/** What histories need on the disk. */
import { statfsSync } from 'node:fs'

/** So many activities in one organization, beside so many others of which each has only begun. */
export type Size = { readonly activities: number; readonly organizations: number }

/** What one activity takes in a store with its indexes, and as text, and what an organization takes; measured, and rounded up. */
const STORE_BYTES_EACH = 3_650
const EXPORT_BYTES_EACH = 2_650
const ORGANIZATION_BYTES_EACH = 4_100
/** A store is written ahead, and an import or a list that is rebuilt may write faster than it is moved. */
const SPARE_BYTES = 500_000_000

/** All activities of a store, those by which organizations begin among them. */
export const activitiesOf = ({ activities, organizations }: Size): number => activities + organizations + 1

export const storeBytes = ({ activities, organizations }: Size): number =>
  activities * STORE_BYTES_EACH + organizations * ORGANIZATION_BYTES_EACH

/** A larger store is not copied before a server starts on it: the few activities that the bench adds do not change its figures. */
export const isCopied = (bytes: number): boolean => bytes <= 8_000_000_000

/**
 * The most that a run needs at once. A history is removed when it was measured, or, if its log is read later, when that was read. One
 * export stands beside the stores at a time.
 *
 * @param started  the histories on which servers start, one after the other
 * @param logs  the histories whose logs are read at the end, in this order
 */
export const bytesNeeded = (started: readonly Size[], logs: readonly Size[]): number => {
  const most = (sizes: readonly Size[], bytesOf: (size: Size) => number): number =>
    sizes.reduce((largest, size) => Math.max(largest, bytesOf(size)), 0)
  const all = (sizes: readonly Size[]): number => sizes.reduce((sum, size) => sum + storeBytes(size), 0)
  const alone = started.filter((size) => !logs.some((log) => isSame(size, log)))
  const copies = started.filter((size) => isCopied(storeBytes(size)))
  const starting = most(alone, storeBytes) + most(copies, storeBytes)
  const exporting = logs.map((size, index) => all(logs.slice(index)) + activitiesOf(size) * EXPORT_BYTES_EACH)
  return Math.max(all(logs) + starting, ...exporting) + SPARE_BYTES
}

export const isSame = (a: Size, b: Size): boolean =>
  a.activities === b.activities && a.organizations === b.organizations

/** Why a run cannot be made; undefined if there is room for it. */
export const lackOfSpace = (needed: number, free: number, folder: string): string | undefined =>
  needed <= free
    ? undefined
    : `The histories need about ${gigabytes(needed)} at once, and ${folder} has ${gigabytes(free)} free. ` +
      'Give fewer with --activities, or a folder on another disk with --keep.'

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** Bytes that are free in a folder. */
export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
