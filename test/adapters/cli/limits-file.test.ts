import { defaultLimits } from '../../core/world/with-host.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readLimits } from '../../../adapters/cli/limits-file.ts'
import { Stop, stopOf } from '../../../adapters/cli/stop.ts'
import { CountersignError } from '../../../core/countersign-error.ts'
import { folder } from './run-cli.ts'

const it = suite('a file of limits')

const path = join(folder(), 'limits.json')
const written = (text: string) => {
  writeFileSync(path, text)
  return readLimits(path, Object.keys(defaultLimits))
}

it('holds limits, which were in force at all times', async () => {
  assert.equal(await written('{"users":500,"policies":0}'), [{ limits: { users: 500, policies: 0 } }])
  assert.equal(await written('{}'), [{ limits: {} }])
})

it('or a list of them, with the dates from when and until when', async () => {
  const text =
    '[{"limits":{},"until":"2026-02-28T23:59:59.999Z"},{"from":"2026-03-01T01:00:00+01:00","limits":{"users":500}}]'
  const changedAtMs = Date.parse('2026-03-01T00:00:00Z')
  assert.equal(await written(text), [
    { limits: {}, untilMs: changedAtMs - 1 },
    { limits: { users: 500 }, fromMs: changedAtMs },
  ])
})

const refused: readonly (readonly [text: string, says: string])[] = [
  ['', 'expected JSON'],
  ['{"users":500', 'expected JSON'],
  ['null', 'expected'],
  ['500', 'expected'],
  ['"users"', 'expected'],
  ['[]', 'expected at least one entry'],
  ['{"user":500}', `expected whole numbers by the names of limits (${Object.keys(defaultLimits).join(', ')})`],
  ['{"toString":500}', 'expected whole numbers by the names of limits'],
  ['{"__proto__":500}', 'expected whole numbers by the names of limits'],
  ['{"users":-1}', 'expected whole numbers by the names of limits'],
  ['{"users":1.5}', 'expected whole numbers by the names of limits'],
  ['{"users":1e400}', 'expected whole numbers by the names of limits'],
  ['{"users":"500"}', 'expected whole numbers by the names of limits'],
  ['{"users":null}', 'expected whole numbers by the names of limits'],
  ['[{"users":500}]', 'expected no field but those of the format'],
  ['[{"limits":{"users":500},"since":"2026-03-01T00:00:00Z"}]', 'expected no field but those of the format'],
  ['[{"limits":{"user":500}}]', 'at 0.limits: expected whole numbers by the names of limits'],
  ['[{"from":"2026-03-01T00:00:00Z"}]', 'at 0.limits: missing field'],
  ['[{"limits":{},"from":"yesterday"}]', 'at 0.from: expected a date such as 2026-11-21T09:30:00Z'],
  ['[{"limits":{},"from":1772323200000}]', 'at 0.from: expected a date'],
  [
    '[{"limits":{},"from":"2026-03-02T00:00:00Z","until":"2026-03-01T00:00:00Z"}]',
    'expected each from before its until',
  ],
]
for (const [text, says] of refused) {
  it(`is not ${text === '' ? 'empty' : text}`, async () => {
    const error = await written(text).catch((thrown: unknown) => thrown)
    const stop = error instanceof CountersignError ? stopOf(error) : error
    assert.instance(stop, Stop)
    if (!(stop instanceof Stop)) return
    assert.is(stop.exitCode, 2)
    assert.match(stop.message, `${path} is not a file of limits: `)
    assert.match(stop.message, says)
  })
}

it('has to be there', async () => {
  const error = await readLimits(`${path}.none`, []).catch((thrown: unknown) => thrown)
  assert.is(error instanceof Stop && error.message, `--limits: there is no file ${path}.none`)
})

it.run()
