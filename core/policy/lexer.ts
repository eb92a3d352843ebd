import { E } from '../prelude.ts'
import type { Problem } from './syntax.ts'

export type Token = {
  readonly kind: 'int' | 'name' | 'string' | 'symbol' | 'end'
  /** What stands in the text; of a string, what stands between its quotes. */
  readonly text: string
  readonly at: number
}

/**
 * Cuts a policy expression into tokens, the last of which is `end`. Strings stand in single quotes and have no escapes,
 * so that no string can hold a single quote.
 */
export const tokensOf = (text: string): E.Either<Problem, readonly Token[]> => {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined) {
      const message = text[at] === "'" ? 'expected a string that ends with a single quote' : 'unexpected character'
      return E.left({ message, at })
    }
    const { int, name, string, symbol } = groups
    if (int !== undefined) tokens.push({ kind: 'int', text: int, at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else if (string !== undefined) tokens.push({ kind: 'string', text: string, at })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at })
    at = TOKEN.lastIndex
  }
  tokens.push({ kind: 'end', text: '', at })
  return E.right(tokens)
}

const TOKEN =
  /[ \t\r\n]+|(?<int>[0-9]+)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|'(?<string>[^']*)'|(?<symbol>&&|\|\||[=!<>]=|\.\.|[!<>()[\].,-])/y
