import { median } from './figures.ts'
import type { Usage } from './usage.ts'

/** What each server used for one answer. */
export const USAGE_COLUMNS = ['CPU µs', 'main µs', 'writing µs', 'rest µs', 'garbage kB', 'written kB'] as const

export type Used = {
  readonly usage: Usage
  /** All answers, also refusals. */
  readonly answers: number
  readonly refused: number
}

/**
 * The cells of these columns: medians over the rounds. Of bytes written, the share of one acknowledged activity.
 *
 * @param writes  whether the server has a thread that writes to a store; otherwise there is nothing to tell of it
 */
export const usageCells = (rounds: readonly Used[], writes: boolean): readonly string[] => {
  const cell = (of: (used: Used) => number | undefined, digits: number): string => {
    const values = rounds.map(of)
    return values.includes(undefined) ? NOT_MEASURED : median(values.map((value) => value ?? 0)).toFixed(digits)
  }
  const each = (of: (usage: Usage) => number | undefined, digits: number): string =>
    cell(({ usage, answers }) => quotient(of(usage), answers), digits)
  return [
    each(({ cpuUs }) => cpuUs, 0),
    each(({ mainUs }) => mainUs, 0),
    writes ? each(({ writingUs }) => writingUs, 0) : NOTHING,
    each(({ restUs }) => restUs, 0),
    each(({ allocatedBytes }) => allocatedBytes / KB, 1),
    writes ? cell(({ usage, answers, refused }) => quotient(usage.writtenBytes, (answers - refused) * KB), 1) : NOTHING,
  ]
}

/** Where the system does not tell it: there is no `/proc`, or the writing thread was not found. */
export const NOT_MEASURED = 'not measured here'
const NOTHING = '–'
const KB = 1000

const quotient = (total: number | undefined, count: number): number | undefined =>
  total === undefined ? undefined : total / count
