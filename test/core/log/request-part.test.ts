import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { decodeRequestPart, encodeRequestPart } from '../../../core/log/request-part.ts'
import { STAMP_HEADERS } from '../../../core/request.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('request part')

const anyText = fc.string({ unit: 'grapheme' })

it('reads what it wrote, whatever the stamp', () =>
  fc.assert(
    fc.property(fc.constantFrom(...STAMP_HEADERS), anyText, fc.uint8Array({ maxLength: 20 }), (header, stamp, body) => {
      const request = { header, stamp, body }
      assert.equal(right(decodeRequestPart(encodeRequestPart(request))), request)
    }),
  ))

it('reads a head in its usual form as it reads any other', () => {
  const piece = fc.constantFrom('abc', 'A-_=', '"', '\\"', '\\u0041', '","stamp":"', '","header":"', '}', 'é', '')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 3 }), (pieces) => {
      const head = `{"header":"X-Stamp","stamp":"${pieces.join('')}"}`
      const [usual, other] = [head, ` ${head}`].map((each) => decodeRequestPart(encodeUtf8(`${each}\n{}`)))
      assert.equal(usual, other)
    }),
    { numRuns: 500 },
  )
})

it('reads no head of another header', () => {
  for (const header of ['x-stamp', 'X-Stamp-Other', '', 'constructor'])
    assert.is(
      codeOf(decodeRequestPart(encodeUtf8(`${JSON.stringify({ header, stamp: 's' })}\n{}`))),
      'STORE_UNREADABLE',
    )
})

it.run()
