import { median, type Table } from './figures.ts'

/** What the bench of one commit printed in one run. */
export type Run = readonly Table[]
/** A run of the commit before, and one of what stands now. */
export type Turn = { readonly before: Run; readonly now: Run }

/** Where the ratios of the turns differ by more, the machine was too busy to tell. */
export const SPREAD_MAX = 0.05

/**
 * The tables of what stands now, with now ÷ before in place of each figure: the median over the turns, or `? least to most`
 * where the turns differ too much. Rows are found by their labels; a row that only one of both has is left out.
 */
export const compare = (turns: readonly Turn[]): readonly Table[] => {
  const figures = turns.map(({ before, now }) => ({ before: figuresOf(before), now: figuresOf(now) }))
  return (turns[0]?.now ?? []).flatMap((table) => {
    const rows = table.rows.map((row) =>
      row.map((cell, index) => {
        const column = table.columns[index] ?? ''
        if (isLabel(column)) return cell
        const key = keyOf(table, row, column)
        return cellOf(figures.map(({ before, now }) => quotient(now.get(key), before.get(key))))
      }),
    )
    const found = rows.filter((row) => figuresIn(table, row).some((cell) => cell !== NOTHING))
    return found.length === 0 ? [] : [{ ...table, rows: found }]
  })
}

/** How many ratios were printed, and how many of them the machine was too busy to tell. */
export const counted = (compared: readonly Table[]): { readonly ratios: number; readonly unclear: number } => {
  const cells = compared.flatMap((table) => table.rows.flatMap((row) => figuresIn(table, row)))
  return {
    ratios: cells.filter((cell) => cell !== NOTHING).length,
    unclear: cells.filter((cell) => String(cell).startsWith('?')).length,
  }
}

const NOTHING = '–'

type Row = Table['rows'][number]

/** These columns say what a row is about; all others hold figures. */
const LABELS = ['what', 'connections', 'server', 'commits at a time', 'store', 'activities', 'organizations']
const isLabel = (column: string | undefined): boolean => column !== undefined && LABELS.includes(column)

const figuresIn = ({ columns }: Table, row: Row): Row => row.filter((_, index) => !isLabel(columns[index]))
const keyOf = ({ title, columns }: Table, row: Row, column: string): string =>
  JSON.stringify([title, ...row.filter((_, index) => isLabel(columns[index])).map(String), column])

const figuresOf = (run: Run): ReadonlyMap<string, number> =>
  new Map(
    run.flatMap((table) =>
      table.rows.flatMap((row) =>
        table.columns
          .filter((column) => !isLabel(column))
          .map((column) => [keyOf(table, row, column), figureOf(table, row, column)] as const),
      ),
    ),
  )

const figureOf = (table: Table, row: Row, column: string): number => {
  const base = column.startsWith('×') ? baseOf(table, row, column) : undefined
  const rate = table.columns.find((name) => name.endsWith('per second'))
  // What others are compared with says nothing about itself.
  if (base === row) return Number.NaN
  // A ratio is printed with two digits, which is too coarse to be divided again: it is taken from the rates.
  return base === undefined || rate === undefined
    ? numberIn(table, row, column)
    : numberIn(table, row, rate) / numberIn(table, base, rate)
}

/** The row that a row was compared with: one with 1.00, of the same first label, or else the last one before. */
const baseOf = (table: Table, row: Row, column: string): Row | undefined => {
  const bases = table.rows.filter((other) => numberIn(table, other, column) === 1)
  return (
    bases.find(([first]) => first === row[0]) ??
    bases.findLast((base) => table.rows.indexOf(base) < table.rows.indexOf(row))
  )
}

const numberIn = ({ columns }: Table, row: Row, column: string): number => {
  const text = String(row[columns.indexOf(column)] ?? '')
  return text === '' ? Number.NaN : Number(text.replaceAll(',', '').replace(/ MB$/, ''))
}

/** Not a number where both are 0, or one is missing. */
const quotient = (now = Number.NaN, before = Number.NaN): number => now / before

const cellOf = (ratios: readonly number[]): string => {
  if (ratios.some((ratio) => Number.isNaN(ratio))) return NOTHING
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  if (most === Number.POSITIVE_INFINITY) return 'from 0'
  return (most - least) / middle(ratios) <= SPREAD_MAX
    ? middle(ratios).toFixed(2)
    : `? ${least.toFixed(2)} to ${most.toFixed(2)}`
}

/** Of an even number of ratios, the mean of the two in the middle. */
const middle = (ratios: readonly number[]): number => (median(ratios) - median(ratios.map((ratio) => -ratio))) / 2
