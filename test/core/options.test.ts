import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkOptions, hintFor, type OptionKinds } from '../../core/options.ts'
import { E } from '../../core/prelude.ts'

const it = suite('options')

const kinds: OptionKinds = {
  snapshotEvery: 1,
  waitMs: 0,
  isFast: 'boolean',
  tell: 'function',
  parts: 'object',
  all: 'list',
}

const complaint = (options: object, needed: readonly string[] = []): string | undefined => {
  const checked = checkOptions(options, kinds, needed)
  return E.isLeft(checked) ? checked.left.message : undefined
}

it('are refused by their names where they are wrong, missing or misspelled', () => {
  assert.is(complaint({ snapshotEvery: -1 }), 'snapshotEvery: expected a whole number from 1 on')
  assert.is(complaint({ waitMs: 1.5 }), 'waitMs: expected a whole number from 0 on')
  assert.is(complaint({ waitMs: '5' }), 'waitMs: expected a whole number from 0 on')
  assert.is(complaint({ isFast: 1 }), 'isFast: expected true or false')
  assert.is(complaint({ tell: {} }), 'tell: expected a function')
  assert.is(complaint({ parts: null }), 'parts: expected an object')
  assert.is(complaint({ all: {} }), 'all: expected a list')
  assert.is(complaint({}, ['all']), 'all: this option is required')
  assert.is(complaint({ snapshotevery: 5 }), 'snapshotevery: there is no such option; did you mean snapshotEvery?')
  assert.is(complaint({ snapshotsEvry: 5 }), 'snapshotsEvry: there is no such option; did you mean snapshotEvery?')
  assert.is(complaint({ colour: 5 }), 'colour: there is no such option')
  assert.is(complaint({ toString: 5 }), 'toString: there is no such option')
})

it('that are right, or undefined, pass', () => {
  assert.is(complaint({ snapshotEvery: 1, waitMs: 0, isFast: false, tell: () => 1, parts: {}, all: [] }), undefined)
  assert.is(complaint({ snapshotEvery: undefined, tell: undefined }), undefined)
})

it('are never guessed to be another one that is not there', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const [, hint] = /did you mean (.*)\?$/s.exec(hintFor(name, Object.keys(kinds))) ?? []
      assert.ok(hint === undefined || Object.hasOwn(kinds, hint))
    }),
  )
})

it.run()
