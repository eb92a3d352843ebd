import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openedKeys } from '../../../adapters/keyring/opened-keys.ts'
import { sealed } from '../../../adapters/keyring/sealing.ts'
import { privateKeySecret } from '../../../adapters/keyring/secrets.ts'

const it = suite('opened keys')

const dataKey = { key: randomBytes(32), wrapped: 'wrapped' }
const rowOf = (id: string) =>
  sealed(dataKey, { organization: 'a', id }, 'private-key', privateKeySecret('CURVE_P256', Buffer.alloc(32, 7)))
const path = { curve: 'CURVE_P256' } as const
const isWiped = (key: ReturnType<ReturnType<typeof openedKeys>['open']>): boolean =>
  key?.privateKeyAt(path)?.every((byte) => byte === 0) === true

it('opens a row once while it is in use, and overwrites it after a while without', () => {
  let now = 0
  const keys = openedKeys({ max: 10, forMs: 60, now: () => now })
  const row = rowOf('b')
  const key = keys.open(dataKey.key, row)
  now = 59
  keys.sweep()
  assert.is(keys.open(dataKey.key, row), key)
  now = 118
  keys.sweep()
  assert.equal([keys.size(), isWiped(key)], [1, false])
  now = 119
  keys.sweep()
  assert.equal([keys.size(), isWiped(key)], [0, true])
})

it('keeps a number of them, the ones that were used last, and none after clear', () => {
  const keys = openedKeys({ max: 2, forMs: 60, now: () => 0 })
  const opened = ['b', 'c', 'd'].map((id) => keys.open(dataKey.key, rowOf(id)))
  assert.equal(opened.map(isWiped), [true, false, false])
  keys.clear()
  assert.equal([keys.size(), ...opened.map(isWiped)], [0, true, true, true])
})

it('knows a row by its whole content', () => {
  const keys = openedKeys({ max: 10, forMs: 60, now: () => 0 })
  const row = rowOf('b')
  const again = rowOf('b')
  assert.not.equal(row.bytes, again.bytes)
  assert.is.not(keys.open(dataKey.key, row), keys.open(dataKey.key, again))
  assert.is(keys.open(dataKey.key, { ...row, id: 'c' }), undefined)
  assert.is(keys.open(dataKey.key, { ...row, kind: 'wallet' }), undefined)
  assert.is(keys.size(), 2)
})

it.run()
