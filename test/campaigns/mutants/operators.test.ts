import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mutantsOf, mutated } from './operators.ts'

const it = suite('mutants')

const versionsOf = (text: string): readonly string[] => mutantsOf('one.ts', text).map((mutant) => mutated(text, mutant))

it('move bounds by one, and turn comparisons round', () => {
  assert.equal(versionsOf('const a = b < 4'), ['const a = b <= 4', 'const a = b < 5'])
  assert.equal(versionsOf('const a = b === 1n'), ['const a = b !== 1n', 'const a = b === 2n'])
})

it('let conditions hold always, or never', () => {
  assert.equal(versionsOf('const a = b ? c : d'), ['const a = true ? c : d', 'const a = false ? c : d'])
  assert.equal(versionsOf('const a = !b && c'), ['const a = !b || c', 'const a = (b) && c'])
})

it('leave out statements, selections, and what was given', () => {
  assert.equal(versionsOf('f(a)'), [';'])
  assert.equal(versionsOf('const a = b.filter(c)'), ['const a = b'])
  assert.equal(versionsOf('const a = b ?? c()'), ['const a = c()'])
})

it('mistake a method for another', () => {
  assert.equal(versionsOf('const a = b.some(c)'), ['const a = b.every(c)'])
})

it('leave types, names and what stands there for the compiler alone', () => {
  assert.equal(versionsOf("type A = 1 | 2\nconst a: A = b as 1\nconst c = d ?? ''\nimport { e } from './f.ts'"), [])
  assert.equal(versionsOf("const a = 'b' + c"), [])
  assert.equal(versionsOf('const a = { 1: b }'), [])
})

it('tell in which line they are', () => {
  assert.equal(
    mutantsOf('one.ts', 'const a = b\nconst c = true').map(({ line }) => line),
    [2],
  )
})

it.run()
