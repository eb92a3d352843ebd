import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { requestBody } from '../../../../../adapters/console/page/request/request-body.ts'
import type { Json } from '../../../../../core/failure.ts'

const it = suite('the body of a request')

const about = { type: 'ACTIVITY_TYPE_A', timestampMs: 1_767_225_600_000, organizationId: 'o' }

it('says what is asked for, in lines', () =>
  assert.is(
    requestBody({ ...about, parameters: { a: ['b'] } }),
    `{
  "type": "ACTIVITY_TYPE_A",
  "timestampMs": "1767225600000",
  "organizationId": "o",
  "parameters": {
    "a": [
      "b"
    ]
  }
}`,
  ))

it('shows what cannot be seen', () => {
  const body = requestBody({ ...about, parameters: { a: 'x\u202Ey\u200B\u{E0041}\u2028\n\u00ADé😀' } })
  assert.ok(body.includes(String.raw`"x\u202ey\u200b\udb40\udc41\u2028\n\u00adé😀"`))
})

it('is JSON of the same parameters, and has nothing unseen but its line feeds', () =>
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const parameters = value as Json // JSON is what it makes
      const body = requestBody({ ...about, parameters })
      assert.is(
        JSON.stringify(JSON.parse(body)),
        JSON.stringify({ ...about, timestampMs: String(about.timestampMs), parameters }),
      )
      assert.not.match(body.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
    }),
  ))

it.run()
