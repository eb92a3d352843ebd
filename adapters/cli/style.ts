import { escapedLine } from '../inbox/escape.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** A part of a line: text, which may be of others, and how it looks where colours are wanted. */
export type Span = string | { readonly style: Style; readonly text: string }

/** A line for people. It is escaped when it is printed: only its styles control the terminal. */
export type Line = readonly Span[]

export const styled =
  (style: Style) =>
  (text: string): Span => ({ style, text })
export const bold = styled('bold')
export const dim = styled('dim')

/** The line as text, with or without colours. */
export const lineText = (line: Line, isColoured: boolean): string =>
  line
    .map((span) => {
      if (typeof span === 'string') return escapedLine(span)
      const text = escapedLine(span.text)
      return isColoured && text !== '' ? `\u001b[${CODES[span.style]}m${text}\u001b[0m` : text
    })
    .join('')

const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

type Environment = { readonly [name: string]: string | undefined }

/**
 * Whether colours are wanted: on a terminal, unless `NO_COLOR` or `TERM=dumb` say no. `FORCE_COLOR` outranks both, and the terminal; with
 * the value `0` or `false` it says no.
 *
 * @see https://no-color.org
 */
export const wantsColour = (isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean => {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}
