import { E } from '../prelude.ts'
import { parseCronSpan } from './cron-span.ts'
import { parseInstant } from './instant.ts'
import { tokensOf, type Token } from './lexer.ts'
import { absent, mismatched, tooDeep, type Problem } from './problem.ts'
import {
  COMPARISONS,
  EXPRESSION_DEPTH_MAX,
  INT_MAX,
  INT_MIN,
  type Comparison,
  type Member,
  type Node,
} from './syntax.ts'

/**
 * Parses a policy expression. The grammar, from the loosest operator to the tightest:
 *
 *     expression  =  and { "||" and }
 *     and         =  comparison { "&&" comparison }
 *     comparison  =  unary [ ( "==" | "!=" | "<" | ">" | "<=" | ">=" | "in" ) unary ]
 *     unary       =  "!" unary  |  postfix
 *     postfix     =  primary { "." name [ "(" arguments ")" ]  |  "[" expression [ ".." expression ] "]" }
 *     primary     =  int | "-" int | string | "true" | "false" | name | "[" [ expression { "," expression } ] "]"
 *                 |  "{" name ":" expression { "," name ":" expression } "}"  |  "(" expression ")"
 *                 |  "Timestamp" "(" string ")"  |  "CronSpan" "(" string "," string "," string ")"
 *
 * Comparisons do not chain. The functions of values are `all`, `any`, `filter`, `contains` and `count`.
 */
export const parse = (text: string): E.Either<Problem, Node> => {
  const tokens = tokensOf(text)
  if (tokens._tag === 'Right') return parseTokens(tokens.right)
  // What stands before a wrong character may be wrong already.
  const before = tokensOf(text.slice(0, tokens.left.at))
  const problem = before._tag === 'Right' ? parseTokens(before.right) : tokens
  return problem._tag === 'Left' && problem.left.at < tokens.left.at ? problem : tokens
}

const parseTokens = (tokens: readonly Token[]): E.Either<Problem, Node> => {
  const cursor: Cursor = { tokens, next: 0, level: 0, problem: undefined }
  const node = expression(cursor)
  if (node !== undefined && peek(cursor).kind !== 'end') unexpected(cursor, 'an operator or the end')
  return node === undefined || cursor.problem !== undefined
    ? E.left(cursor.problem ?? { message: 'expected an expression', at: 0 })
    : E.right(node)
}

/** The functions of values. */
export const FUNCTIONS: readonly string[] = ['all', 'any', 'contains', 'count', 'filter']

/** The functions that make times and spans of them. */
export const CONSTRUCTORS: readonly string[] = ['CronSpan', 'Timestamp']

/** Words that cannot name a variable. */
export const reserved: ReadonlySet<string> = new Set(['true', 'false', 'in'])

const comparisons: ReadonlyMap<string, Comparison> = new Map(COMPARISONS.map((operator) => [operator, operator]))

// If a function returns undefined, the cursor's problem says why; the first problem stays.
type Cursor = { readonly tokens: readonly Token[]; next: number; level: number; problem: Problem | undefined }

const END: Token = { kind: 'end', text: '', at: 0 }

const expression = (cursor: Cursor): Node | undefined => logic(cursor, '||', conjunction)

const conjunction = (cursor: Cursor): Node | undefined => logic(cursor, '&&', comparison)

const logic = (
  cursor: Cursor,
  operator: '&&' | '||',
  clause: (cursor: Cursor) => Node | undefined,
): Node | undefined => {
  const first = clause(cursor)
  if (first === undefined || !isSymbol(peek(cursor), operator)) return first
  const { at } = peek(cursor)
  const clauses = [first]
  while (accept(cursor, operator)) {
    const next = clause(cursor)
    if (next === undefined) return undefined
    clauses.push(next)
  }
  return { _tag: 'logic', at, operator, clauses }
}

const comparison = (cursor: Cursor): Node | undefined => {
  const left = unary(cursor)
  if (left === undefined) return undefined
  const { at } = peek(cursor)
  const operator = comparisonAt(cursor)
  if (operator === undefined) return left
  cursor.next += 1
  const right = unary(cursor)
  if (right === undefined) return undefined
  if (comparisonAt(cursor) !== undefined) return unexpected(cursor, "'&&', '||' or the end: comparisons do not chain")
  return { _tag: 'compare', at, operator, left, right }
}

const comparisonAt = (cursor: Cursor): Comparison | undefined => {
  const token = peek(cursor)
  return token.kind === 'symbol' || token.kind === 'name' ? comparisons.get(token.text) : undefined
}

// Every deeper level passes through this function, so its check bounds the parser's stack.
const unary = (cursor: Cursor): Node | undefined => {
  if (cursor.level >= EXPRESSION_DEPTH_MAX) return refuse(cursor, tooDeep(peek(cursor).at))
  cursor.level += 1
  const { at } = peek(cursor)
  const isNegation = accept(cursor, '!')
  const of = isNegation ? unary(cursor) : postfix(cursor)
  cursor.level -= 1
  return isNegation && of !== undefined ? { _tag: 'not', at, of } : of
}

const postfix = (cursor: Cursor): Node | undefined => {
  let node = primary(cursor)
  while (node !== undefined) {
    const { at } = peek(cursor)
    if (accept(cursor, '.')) node = member(cursor, node)
    else if (accept(cursor, '[')) node = element(cursor, node, at)
    else return node
  }
  return undefined
}

const member = (cursor: Cursor, of: Node): Node | undefined => {
  const { at } = peek(cursor)
  const name = identifier(cursor, 'the name of a field or function')
  if (name === undefined) return undefined
  if (!accept(cursor, '(')) return { _tag: 'field', at, of, name }
  switch (name) {
    case 'count':
      return expect(cursor, ')') ? { _tag: 'count', at, of } : undefined
    case 'contains': {
      const item = expression(cursor)
      return item !== undefined && expect(cursor, ')') ? { _tag: 'contains', at, of, item } : undefined
    }
    case 'all':
    case 'any':
    case 'filter': {
      const variable = identifier(cursor, 'the name of a variable')
      if (variable === undefined || !expect(cursor, ',')) return undefined
      const predicate = expression(cursor)
      return predicate !== undefined && expect(cursor, ')')
        ? { _tag: 'each', at, quantifier: name, of, variable, predicate }
        : undefined
    }
    default:
      return refuse(cursor, absent('function', name, at, FUNCTIONS))
  }
}

const element = (cursor: Cursor, of: Node, at: number): Node | undefined => {
  const from = expression(cursor)
  if (from === undefined) return undefined
  if (accept(cursor, ']')) return { _tag: 'index', at, of, index: from }
  if (!accept(cursor, '..')) return unexpected(cursor, "']' or '..'")
  const to = expression(cursor)
  return to !== undefined && expect(cursor, ']') ? { _tag: 'slice', at, of, from, to } : undefined
}

const primary = (cursor: Cursor): Node | undefined => {
  const token = peek(cursor)
  const { at } = token
  switch (token.kind) {
    case 'int':
      return int(cursor, at, '')
    case 'string':
      cursor.next += 1
      return { _tag: 'literal', at, value: token.text }
    case 'name':
      if (token.text === 'in') return unexpected(cursor, 'an expression')
      cursor.next += 1
      if (accept(cursor, '(')) return constructed(cursor, token)
      return reserved.has(token.text)
        ? { _tag: 'literal', at, value: token.text === 'true' }
        : { _tag: 'name', at, name: token.text }
    case 'symbol': {
      if (accept(cursor, '-')) return int(cursor, at, '-')
      if (accept(cursor, '[')) return list(cursor, at)
      if (accept(cursor, '{')) return struct(cursor, at)
      if (!accept(cursor, '(')) return unexpected(cursor, 'an expression')
      const node = expression(cursor)
      return node !== undefined && expect(cursor, ')') ? node : undefined
    }
    case 'end':
      return unexpected(cursor, 'an expression')
    default:
      return token.kind satisfies never
  }
}

const constructed = (cursor: Cursor, { text: name, at }: Token): Node | undefined => {
  if (!CONSTRUCTORS.includes(name)) return refuse(cursor, absent('function', name, at, CONSTRUCTORS))
  if (name === 'Timestamp') {
    const text = string(cursor)
    return text !== undefined && expect(cursor, ')')
      ? { _tag: 'timestamp', at, text, value: parseInstant(text) }
      : undefined
  }
  const cron = string(cursor)
  const duration = cron !== undefined && expect(cursor, ',') ? string(cursor) : undefined
  const zone = duration !== undefined && expect(cursor, ',') ? string(cursor) : undefined
  if (cron === undefined || duration === undefined || zone === undefined || !expect(cursor, ')')) return undefined
  return { _tag: 'cron-span', at, texts: [cron, duration, zone], value: parseCronSpan(cron, duration, zone) }
}

const int = (cursor: Cursor, at: number, sign: '' | '-'): Node | undefined => {
  const token = peek(cursor)
  if (token.kind !== 'int') return unexpected(cursor, 'a number')
  cursor.next += 1
  if (token.text.length > 78) return refuse(cursor, outOfRange(at)) // before BigInt, whose cost grows with the square of the length
  const value = BigInt(sign + token.text)
  return value < INT_MIN || value > INT_MAX ? refuse(cursor, outOfRange(at)) : { _tag: 'literal', at, value }
}

const outOfRange = (at: number): Problem => ({ message: 'expected a number from -2^127 to 2^256 - 1', at })

const list = (cursor: Cursor, at: number): Node | undefined => {
  const items: Node[] = []
  if (accept(cursor, ']')) return { _tag: 'list', at, items }
  do {
    const item = expression(cursor)
    if (item === undefined) return undefined
    items.push(item)
  } while (accept(cursor, ','))
  return expect(cursor, ']') ? { _tag: 'list', at, items } : undefined
}

const struct = (cursor: Cursor, at: number): Node | undefined => {
  const members: Member[] = []
  const names = new Set<string>()
  do {
    const { at: place } = peek(cursor)
    const name = identifier(cursor, 'the name of a member')
    if (name === undefined) return undefined
    if (names.has(name)) return refuse(cursor, { message: 'expected each member once', at: place })
    names.add(name)
    const value = expect(cursor, ':') ? expression(cursor) : undefined
    if (value === undefined) return undefined
    members.push({ name, at: place, value })
  } while (accept(cursor, ','))
  return expect(cursor, '}') ? { _tag: 'struct', at, members } : undefined
}

const string = (cursor: Cursor): string | undefined => {
  const token = peek(cursor)
  if (token.kind !== 'string') return unexpected(cursor, 'a string')
  cursor.next += 1
  return token.text
}

const identifier = (cursor: Cursor, expected: string): string | undefined => {
  const token = peek(cursor)
  if (token.kind !== 'name') return unexpected(cursor, expected)
  cursor.next += 1
  return token.text
}

const peek = (cursor: Cursor): Token => cursor.tokens[cursor.next] ?? END

const isSymbol = (token: Token, text: string): boolean => token.kind === 'symbol' && token.text === text

const accept = (cursor: Cursor, symbol: string): boolean => {
  if (!isSymbol(peek(cursor), symbol)) return false
  cursor.next += 1
  return true
}

const expect = (cursor: Cursor, symbol: string): boolean => {
  if (accept(cursor, symbol)) return true
  unexpected(cursor, `'${symbol}'`)
  return false
}

const unexpected = (cursor: Cursor, expected: string): undefined => {
  const token = peek(cursor)
  return refuse(cursor, mismatched(expected, foundOf(token), token.at))
}

// A message never repeats the content of a string.
const foundOf = (token: Token): string => {
  if (token.kind === 'end') return 'the end'
  if (token.kind === 'string') return 'a string'
  return `'${token.text.slice(0, 32)}'`
}

const refuse = (cursor: Cursor, problem: Problem): undefined => {
  cursor.problem ??= problem
  return undefined
}
