import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode } from '../../../core/codec/codec.ts'
import * as t from '../../../core/codec/t.ts'
import { E } from '../../../core/prelude.ts'
import { Effect } from '../../../core/resources/policy/policy-rules.ts'
import { AddressFormatName } from '../../../core/resources/wallet/key-codecs.ts'

const it = suite('a codec of names')

const messageOf = (codec: t.Mixed, value: unknown): string => {
  const decoded = decode(t.fields({ it: codec }), 'parameters')({ it: value })
  return E.isLeft(decoded) ? decoded.left.message : 'accepted'
}

it('reads its names, and no others', () => {
  assert.is(messageOf(Effect, 'EFFECT_ALLOW'), 'accepted')
  for (const other of ['EFFECT', 'toString', 1, null]) assert.is.not(messageOf(Effect, other), 'accepted')
})

const refusals: readonly (readonly [codec: t.Mixed, value: unknown, says: string])[] = [
  [Effect, 'ALLOW', 'invalid parameters at it: expected EFFECT_ALLOW or EFFECT_DENY'],
  [Effect, undefined, 'invalid parameters at it: missing field; expected EFFECT_ALLOW or EFFECT_DENY'],
  [
    t.described(t.defaulted(Effect, 'EFFECT_DENY'), 'x'),
    1,
    'invalid parameters at it: expected EFFECT_ALLOW or EFFECT_DENY',
  ],
  [t.list(t.keyof({ A: null })), ['B'], 'invalid parameters at it.0: expected A'],
  [t.keyof({ A: null, B: null, C: null }), 'D', 'invalid parameters at it: expected A, B or C'],
]
for (const [codec, value, says] of refusals) {
  it(`names them: ${says}`, () => assert.is(messageOf(codec, value), says))
}

it('names the first of many', () => {
  const says = messageOf(AddressFormatName, 'x')
  assert.match(
    says,
    /^invalid parameters at it: expected ADDRESS_FORMAT_UNCOMPRESSED, (?:[A-Z0-9_]+,? ){11}or one of \d+ others$/,
  )
})

it.run()
