import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bold, lineText, wantsColour } from '../../../adapters/cli/style.ts'
import { HOSTILE, seenOnly } from './hostile.ts'

const it = suite('lines for people')

it('has the codes of its styles only where colours are wanted', () => {
  const line = ['a ', bold('b'), ' c']
  assert.is(lineText(line, false), 'a b c')
  assert.is(lineText(line, true), 'a \u001b[1mb\u001b[0m c')
  assert.is(lineText([bold('')], true), '')
})

it('escapes the text of others, inside and outside of styles', () => {
  for (const span of [HOSTILE, bold(HOSTILE)]) {
    assert.ok(seenOnly(lineText([span], false)))
    assert.ok(seenOnly(lineText([span], true).replace('\u001b[1m', '').replace('\u001b[0m', '')))
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const printed = lineText([text, bold(text)], false)
      return seenOnly(printed) && !printed.includes('\n')
    }),
  )
})

const cases: readonly (readonly [isTerminal: boolean, env: { readonly [name: string]: string }, wanted: boolean])[] = [
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
]
for (const [isTerminal, env, wanted] of cases)
  it(`says ${wanted} to colours: ${isTerminal ? 'a terminal' : 'no terminal'} ${JSON.stringify(env)}`, () => {
    assert.is(wantsColour(isTerminal, env), wanted)
  })

it.run()
