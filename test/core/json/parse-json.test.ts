import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseJson } from '../../../core/json/parse-json.ts'

const it = suite('parsing what was written')

const NAMES = ['"', '\\', '\n', '\u0001', '\u00e9', 'a', 'n"x', '"a', '\\"']
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(1, 'x', '"', '\\":', null, true), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 2 })), tie('value'), { maxKeys: 4 }),
}))

it('gives back whatever was written, also after very many texts', () => {
  fc.assert(
    fc.property(value, (written) => {
      const text = JSON.stringify(written)
      assert.is(JSON.stringify(parseJson(text)), text)
    }),
    { numRuns: 20_000 },
  )
})

it('reads what may not be sent, and refuses what is no JSON', () => {
  assert.equal(parseJson('{"\\n":"\\ud800"}'), { '\n': '\ud800' })
  assert.equal(parseJson('{"\\n":1,"a":[2]}'), { '\n': 1, a: [2] })
  assert.throws(() => parseJson('{"\\n":1'), SyntaxError)
  assert.throws(() => parseJson('{'), SyntaxError)
})

it.run()
