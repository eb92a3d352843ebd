import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { brokenHistories, soundHistory } from './broken-histories.ts'
import { anomaliesOf } from './checker.ts'

const it = suite('history checker')

it('finds nothing in a sound history', () => {
  assert.equal(anomaliesOf(soundHistory), [])
})

it('knows at least twenty ways to break one', () => {
  assert.ok(Object.keys(brokenHistories).length >= 20)
})

for (const [name, history] of Object.entries(brokenHistories)) {
  it(`flags a history in which ${name}`, () => {
    assert.ok(anomaliesOf(history).length > 0)
  })
}

it.run()
