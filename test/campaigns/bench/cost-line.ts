import type { Table } from './figures.ts'
import { SERVER_NAMES, SUBMITS } from './server-names.ts'

/**
 * One line: the processor time of a durable submit as a multiple of the floor's, beside the published one. Nobody judges it.
 *
 * @param measured  the tables of a run
 * @param page  the text of the page on benchmarks
 * @returns undefined if the run has not measured submits
 */
export const costLine = (measured: readonly Table[], page: string): string | undefined => {
  const now = costOverFloor(measured)
  if (now === undefined) return undefined
  const published = costOverFloor(tablesIn(page))
  const beside = published === undefined ? 'not published' : `published: ${published.toFixed(2)}`
  return `a durable submit costs ${now.toFixed(2)} × the CPU of the floor (${beside})`
}

const CONNECTIONS = '64'

/** The CPU of a durable submit ÷ that of the floor, at 64 connections. */
const costOverFloor = (tables: readonly Table[]): number | undefined => {
  const table = tables.find(({ title }) => title === SUBMITS)
  if (table === undefined) return undefined
  const cell = (row: Table['rows'][number], column: string): string => String(row[table.columns.indexOf(column)])
  const cpuOf = (server: string): number => {
    const row = table.rows.find((row) => cell(row, 'connections') === CONNECTIONS && cell(row, 'server') === server)
    return row === undefined ? Number.NaN : Number(cell(row, 'CPU µs').replaceAll(',', ''))
  }
  const cost = cpuOf(SERVER_NAMES.engine) / cpuOf(SERVER_NAMES.floor)
  return Number.isFinite(cost) ? cost : undefined
}

/** The tables of a Markdown page, each with the title of its section. */
export const tablesIn = (page: string): readonly Table[] =>
  page.split(/^## /m).flatMap((section) => {
    const [title = '', ...lines] = section.split('\n')
    const begin = lines.findIndex(isRow)
    if (begin < 0) return []
    const length = lines.slice(begin).findIndex((line) => !isRow(line))
    const [columns = [], , ...rows] = lines.slice(begin, length < 0 ? undefined : begin + length).map(cellsOf)
    return [{ title: title.trim(), says: '', columns, rows }]
  })

const isRow = (line: string): boolean => line.startsWith('|')
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
