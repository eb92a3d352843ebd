import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { partsAmong, withParts, type PartContent } from '../../../core/definition/executed.ts'
import { PARTS_MAX } from '../../../core/log/parts.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('parts that an operation gives')

const outcome = { result: {}, change: {} }
const taken = { outcome, parts: {} }
const given = (parts: { readonly [name: string]: PartContent } | undefined, declared = ['personal', 'bundle']) =>
  withParts('T', partsAmong('T', declared), taken, parts)

it('are bytes of their own, or JSON as UTF-8', () => {
  const bytes = encodeUtf8('sealed')
  const { parts } = right(given({ bundle: bytes, 'personal.1': { name: 'é' }, personal: null }))
  bytes.fill(0)
  assert.equal(parts, {
    bundle: encodeUtf8('sealed'),
    'personal.1': encodeUtf8('{"name":"é"}'),
    personal: encodeUtf8('null'),
  })
})

it('are none where none are given', () => {
  assert.is(right(given(undefined)), outcome)
  assert.equal(right(given({})).parts, {})
})

for (const [what, parts] of [
  ['the name of the request', { request: 'x' }],
  ['a name that the definition does not say', { other: 'x' }],
  ['a name that begins like one', { personalx: 'x' }],
  ['a name that no part may have', { 'personal.A': 'x' }],
  ['a name that objects have', { ['__proto__']: 'x' }],
  ['a name of the engine', { 'personal:01234567-89ab-8cde-8f01-23456789abcd': 'x' }],
  ['a name of the engine that has a dot', { 'personal:.a': 'x' }],
  ['what is no JSON', { bundle: undefined as never }],
  ['too many', Object.fromEntries(Array.from({ length: PARTS_MAX + 1 }, (_, n) => [`personal.${n}`, n]))],
] as const)
  it(`are refused with ${what}`, () => assert.is(codeOf(given(parts)), 'INTERNAL'))

it('are declared by names that parts may have, without a dot or a colon', () => {
  for (const name of ['request', 'A', '', 'a.b', '__proto__', 'personal:', 'personal:a'])
    assert.throws(() => partsAmong('T', [name]), /cannot have parts of the name/)
  assert.not.ok(partsAmong('T')('personal'))
})

it.run()
