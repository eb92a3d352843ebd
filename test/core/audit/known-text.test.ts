import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HeadsFile, headOfText, headsFileOf, headsIn, headText, pinOfText } from '../../../core/audit/known-text.ts'

const it = suite('what an auditor knows from elsewhere, as text')

const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
const heads = fc.record({ organization: fc.uuid(), sequence: fc.bigInt(1n, 10n ** 19n - 1n), hash })

it('reads the text of a head that it has written, and no other text', () => {
  fc.assert(fc.property(heads, (head) => assert.equal({ ...headOfText(headText(head)) }, { ...head })))
  fc.assert(fc.property(fc.string(), (text) => headOfText(text) === undefined))
})

it('reads a pin, also in capitals, and neither a head nor another text', () => {
  fc.assert(
    fc.property(heads, ({ organization, hash: genesis, ...head }) => {
      assert.equal(pinOfText(`${organization}=${genesis}`.toUpperCase()), [organization, genesis])
      assert.is(pinOfText(headText({ organization, hash: genesis, ...head })), undefined)
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => pinOfText(text) === undefined))
})

it('reads the file of heads that it has written', () => {
  fc.assert(
    fc.property(fc.array(heads), (all) => {
      const written: unknown = JSON.parse(JSON.stringify(headsFileOf(all)))
      assert.ok(HeadsFile.is(written))
      assert.equal(
        headsIn(written),
        all.map(({ ...head }) => head),
      )
    }),
  )
})

it.run()
