import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Email } from '../../../core/codec/wire-texts.ts'

const it = suite('texts of the wire')

it('have an e-mail address of at most 254 characters, of which no label is longer than 63', () => {
  const address = (...labels: readonly number[]): string =>
    `${'l'.repeat(64)}@${labels.map((length) => 'd'.repeat(length)).join('.')}`
  assert.is(address(63, 63, 61).length, 254)
  assert.is(Email.is(address(63, 63, 61)), true)
  assert.is(Email.is(address(63, 63, 62)), false)
  assert.is(Email.is(address(64, 2)), false)
})

it.run()
