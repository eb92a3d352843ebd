import { escapedLine } from '../inbox/escape.ts'
import type { SeenActivity } from '../inbox/seen.ts'
import { agoText, nameIn, operationOf, statusWord } from '../inbox/words.ts'
import { styleOf } from './activity-lines.ts'
import { bold, dim, styled, type Line, type Span } from './style.ts'

type Cell = { readonly text: string; readonly look?: (text: string) => Span }

/** Activities as a table: a line for each, no wider than the terminal unless an id is. Only the ids are never cut. */
export const tableOf = (
  activities: readonly SeenActivity[],
  nowMs: number,
  terminalColumns: number,
): readonly Line[] => {
  const rows = [HEAD, ...activities.map((activity) => cellsOf(activity, nowMs))]
  const widths = fitting(
    HEAD.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]?.text ?? '')))),
    terminalColumns - GAP.length * (HEAD.length - 1),
  )
  return rows.map((row) =>
    row.flatMap(({ text, look = (plain: string): Span => plain }, column) => {
      const shown = cut(text, widths[column] ?? 0)
      if (column === row.length - 1) return [look(shown)]
      return [look(shown), ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(shown))) + GAP]
    }),
  )
}

const GAP = '  '
const HEAD: readonly Cell[] = ['OPERATION', 'BY', 'WHEN', 'STATUS', 'ID'].map((text) => ({ text, look: dim }))
/** The column whose texts are for pasting. */
const ID = HEAD.length - 1

const cellsOf = (activity: SeenActivity, nowMs: number): readonly Cell[] => {
  const { id, type, status, votes, createdAt, canApprove } = activity
  const word = statusWord(status)
  return [
    { text: operationOf(type), look: bold },
    { text: votes[0] === undefined ? '' : nameIn(votes[0]) },
    { text: agoText(createdAt, nowMs), look: dim },
    { text: canApprove ? `${word}, yours too` : word, look: styled(styleOf(status)) },
    { text: id },
  ]
}

/** Makes the widest column narrower, again and again, until all fit. */
const fitting = (widths: readonly number[], room: number): readonly number[] => {
  const fitted = [...widths]
  const total = (): number => fitted.reduce((sum, width) => sum + width, 0)
  while (total() > room) {
    const widest = Math.max(...fitted.slice(0, ID))
    if (widest <= LEAST) return fitted
    fitted[fitted.indexOf(widest)] = widest - 1
  }
  return fitted
}

const LEAST = 3

/** In characters, as they are printed. */
const widthOf = (text: string): number => Array.from(escapedLine(text)).length

const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  const kept = Array.from(text)
  while (kept.length > 0 && widthOf(kept.join('')) > width - 1) kept.pop()
  return `${kept.join('')}…`
}
