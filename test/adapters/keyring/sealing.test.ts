import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sealed, unsealed } from '../../../adapters/keyring/sealing.ts'

const it = suite('sealing')

const dataKey = { key: randomBytes(32), wrapped: 'wrapped' }
const place = { organization: 'a', id: 'b' }
const secret = Buffer.from('a secret that nobody knows')
const seal = () => sealed(dataKey, place, 'wallet', secret)

it('opens what it has sealed, and seals the same twice in two ways', () => {
  const row = seal()
  assert.equal({ ...row, bytes: undefined }, { ...place, kind: 'wallet', dataKey: 'wrapped', bytes: undefined })
  assert.is(Buffer.compare(unsealed(dataKey.key, row) ?? Buffer.alloc(0), secret), 0)
  assert.not.equal(row.bytes, seal().bytes)
  assert.not.ok(Buffer.from(row.bytes).includes(secret.subarray(0, 8)))
})

it('opens no row that was moved to another organization, id or kind, however the names are cut', () => {
  const row = seal()
  const moved = [
    { organization: 'b' },
    { id: 'c' },
    { kind: 'private-key' },
    { organization: 'ab', id: '' },
    { organization: '', id: 'ab' },
    { organization: 'a","b', id: 'wallet' },
    { organization: 'b', id: 'a' },
  ]
  for (const change of moved) assert.is(unsealed(dataKey.key, { ...row, ...change }), undefined, JSON.stringify(change))
})

it('opens nothing under another data key, of another form, or of which a bit was changed', () => {
  const row = seal()
  assert.is(unsealed(randomBytes(32), row), undefined)
  for (let at = 0; at < row.bytes.length; at += 1) {
    const bytes = Uint8Array.from(row.bytes)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    assert.is(unsealed(dataKey.key, { ...row, bytes }), undefined, `byte ${at}`)
  }
  for (const length of [0, 1, 12, 28, row.bytes.length - 1])
    assert.is(unsealed(dataKey.key, { ...row, bytes: row.bytes.slice(0, length) }), undefined, `${length} bytes`)
})

it.run()
