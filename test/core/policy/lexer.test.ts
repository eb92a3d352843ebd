import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokensOf } from '../../../core/policy/lexer.ts'

const it = suite('lexer')

/** The language's tokens as one regular expression: slower, and written from the grammar. */
const TOKEN =
  /(?<space>[ \t\r\n]+)|(?<int>[0-9]+)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|'(?<string>[^']*)'|(?<symbol>&&|\|\||[=!<>]=|\.\.|[!<>()[\]{}.,:-])/y

const naiveTokens = (text: string): readonly string[] | number => {
  const tokens: string[] = []
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined) return at
    const found = Object.entries(groups).find(([, value]) => value !== undefined)
    if (found !== undefined && found[0] !== 'space') tokens.push(`${found[0]} ${found[1]} ${at}`)
    at = TOKEN.lastIndex
  }
  return tokens
}

const told = (text: string): readonly string[] | number => {
  const tokens = tokensOf(text)
  return tokens._tag === 'Left'
    ? (tokens.left.at ?? -1)
    : tokens.right.slice(0, -1).map(({ kind, text, at }) => `${kind} ${text} ${at}`)
}

it('cuts every text as the grammar says', () => {
  const letters = fc.constantFrom(...Array.from("ab_1 9'&|=!<>.()[]{},:-\t\né\u00a0x+~"))
  const texts = fc.oneof(fc.string({ unit: letters, maxLength: 40 }), fc.string())
  fc.assert(
    fc.property(texts, (text) => assert.equal(told(text), naiveTokens(text))),
    { numRuns: 5000 },
  )
})

it('ends with the end, at its place', () => {
  const tokens = tokensOf("a == 'b' ")
  assert.equal(tokens._tag === 'Right' ? tokens.right.at(-1) : undefined, { kind: 'end', text: '', at: 9 })
})

it.run()
