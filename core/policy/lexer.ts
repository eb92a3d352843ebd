import { E } from '../prelude.ts'
import type { Problem } from './problem.ts'

export type Token = {
  readonly kind: 'int' | 'name' | 'string' | 'symbol' | 'end'
  /** The characters of the token; of a string, the characters between its quotes. */
  readonly text: string
  readonly at: number
}

/**
 * Cuts a policy expression into tokens; the last one is `end`. Strings stand in single quotes and have no escapes, so no string can
 * contain a single quote.
 *
 * It looks at each character once, because a decision may have to read all policies of an organization.
 */
export const tokensOf = (text: string): E.Either<Problem, readonly Token[]> => {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      at += 1
      continue
    }
    const token = isDigit(code) ? wordAt('int', isDigit, text, at) : tokenAt(text, at, code)
    if (token === undefined) {
      return E.left({ message: complaintOf(code), at })
    }
    tokens.push(token)
    at += token.kind === 'string' ? token.text.length + 2 : token.text.length
  }
  tokens.push({ kind: 'end', text: '', at })
  return E.right(tokens)
}

const tokenAt = (text: string, at: number, code: number): Token | undefined => {
  if (isLetter(code)) return wordAt('name', isNameCharacter, text, at)
  if (code === QUOTE) {
    const end = text.indexOf("'", at + 1)
    return end < 0 ? undefined : { kind: 'string', text: text.slice(at + 1, end), at }
  }
  const two = text.slice(at, at + 2)
  if (PAIRS.has(two)) return { kind: 'symbol', text: two, at }
  return SINGLES.has(code) ? { kind: 'symbol', text: text.charAt(at), at } : undefined
}

const complaintOf = (code: number): string => {
  if (code === QUOTE) return 'expected a string that ends with a single quote'
  const hint = HINTS.get(code)
  return hint === undefined ? 'unexpected character' : `unexpected character: ${hint}`
}

/** What is meant by characters that other languages have. */
const HINTS: ReadonlyMap<number, string> = new Map(
  [
    ['"', 'strings stand in single quotes'],
    [';', 'an expression ends without a semicolon'],
    ['&', "expected '&&'"],
    ['|', "expected '||'"],
    ['=', "expected '=='"],
    ['+', 'there is no arithmetic'],
    ['*', 'there is no arithmetic'],
    ['/', 'there is no arithmetic'],
    ['%', 'there is no arithmetic'],
  ].map(([character = '', hint = '']) => [character.charCodeAt(0), hint]),
)

const wordAt = (kind: 'int' | 'name', belongs: (code: number) => boolean, text: string, at: number): Token => {
  let end = at + 1
  while (end < text.length && belongs(text.charCodeAt(end))) end += 1
  return { kind, text: text.slice(at, end), at }
}

/** The symbols of the language. */
export const SYMBOLS: readonly string[] = '&& || == != <= >= .. ! < > ( ) [ ] { } . , : -'.split(' ')
const PAIRS: ReadonlySet<string> = new Set(SYMBOLS.filter(({ length }) => length === 2))
const SINGLES: ReadonlySet<number> = new Set(
  SYMBOLS.filter(({ length }) => length === 1).map((symbol) => symbol.charCodeAt(0)),
)
const QUOTE = 0x27

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
const isNameCharacter = (code: number): boolean => isLetter(code) || isDigit(code)
