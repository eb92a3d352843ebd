import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { compileCondition, compileConsensus, evaluate, problemsOf } from '../../../../core/policy/expression.ts'
import { anyFacts, compiled } from '../any.ts'
import { MEMBERS } from './member-types.ts'

/* Every member of every struct, by its path: it has its type, is read, and is an error where it is not there. */
const it = suite('members of the facts')

type Row = { readonly path: string; readonly type: string }
const rows: readonly Row[] = MEMBERS.trim()
  .split('\n')
  .map((line) => {
    const [path = '', type = ''] = line.trim().split(/\s+/)
    return { path, type }
  })

const SAMPLES: Readonly<Record<string, { readonly value: Json; readonly text: string; readonly other: string }>> = {
  string: { value: 'some text', text: "'some text'", other: 'true' },
  int: { value: 42, text: '42', other: 'true' },
  bool: { value: true, text: 'true', other: '1' },
  dynamic: { value: 'some text', text: "'some text'", other: '[1]' },
}

const sampleOf = (type: string) => SAMPLES[type] ?? { value: null, text: '', other: '' }

/** Facts that hold the value at the path, and nothing else. */
const factsAt = (path: string, value: Json | undefined): Record<string, Json> => {
  const steps = [...path.matchAll(/[a-z_0-9]+|\[0\]|\['[a-z]+'\]/g)].map(([step]) => step.replace(/^\['|'\]$/g, ''))
  const nested = steps.reduceRight<Json | undefined>((inner, step) => {
    if (step === '[0]') return inner === undefined ? [] : [inner]
    return inner === undefined ? {} : { [step]: inner }
  }, value)
  return nested as Record<string, Json> // the first step is a name
}

const compileOf = (path: string) => (/^(approvers|credentials)/.test(path) ? compileConsensus : compileCondition)

const outcome = (path: string, text: string, value: Json | undefined): boolean | string => {
  const facts = { ...anyFacts(), ...factsAt(path, value) }
  const evaluated = evaluate(compiled(compileOf(path)(text)), facts)
  return evaluated._tag === 'value' ? evaluated.value : evaluated.reason
}

for (const { path, type } of rows)
  it(`reads ${path}, ${type}`, () => {
    const { value, text, other } = sampleOf(type)
    assert.is(outcome(path, `${path} == ${text}`, value), true)
    assert.is(outcome(path, `${path} != ${text}`, value), false)
    assert.match(String(outcome(path, `${path} == ${text}`, undefined)), /missing field: |index out of range/)
    assert.is(compileOf(path)(`${path} == ${other}`)._tag, 'Left')
    assert.is(compileOf(path)(`${path}.deeper == ${text}`)._tag, 'Left')
  })

for (const { path } of rows.filter((row) => /\.[a-z_0-9]{4,}$/.test(row.path) && !row.path.includes('params.')))
  it(`finds ${path} for one who mistypes it`, () => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const wrong = `${path.slice(0, -name.length)}${name.slice(0, 1)}q${name.slice(2)}`
    const clause = /^(approvers|credentials)/.test(path) ? 'consensus' : 'condition'
    const [problem, ...others] = problemsOf(clause, `${wrong} == 1`)
    assert.is(others.length, 0)
    assert.is(problem?.nearest, name)
    assert.is(problem?.column, wrong.lastIndexOf('.') + 2)
  })

it('lists each path once', () => {
  assert.is(new Set(rows.map(({ path }) => path)).size, rows.length)
  assert.ok(rows.every(({ type }) => SAMPLES[type] !== undefined))
})

it.run()
