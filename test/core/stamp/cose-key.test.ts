import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, decodeHex } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { decodeFlatMap } from '../../../core/stamp/cbor.ts'
import { decodeCoseKey } from '../../../core/stamp/cose-key.ts'
import { softwarePasskey } from '../world/software-passkey.ts'
import { coseKeyOf, vectors } from './vectors.ts'

const it = suite('the public key of a passkey')

const hex = (text: string): Uint8Array => decodeHex(text) ?? new Uint8Array()
const messageOf = (bytes: Uint8Array): string => {
  const decoded = decodeCoseKey(bytes)
  return E.isLeft(decoded) ? decoded.left.message : 'read'
}

for (const vector of vectors())
  it(`is read where it is ES256 or RS256, and refused by its algorithm otherwise: ${vector.name}`, () => {
    const isSupported = /es256|rs256/.test(vector.name)
    const message = messageOf(coseKeyOf(vector))
    if (isSupported) assert.is(message, 'read')
    else assert.match(message, /has the algorithm -(?:35|36|8|53); expected ES256/)
  })

const ec = softwarePasskey({ algorithm: 'ES256', rpId: 'a' }).publicKey
const rsa = softwarePasskey({ algorithm: 'RS256', rpId: 'a' }).publicKey
const changed = (bytes: Uint8Array, at: number, to: string): Uint8Array =>
  concat([bytes.subarray(0, at), hex(to), bytes.subarray(at + to.length / 2)])

const wrong: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array()],
  ['no map', hex('01')],
  ['a byte behind it', concat([ec, hex('00')])],
  ['a missing byte', ec.subarray(0, -1)],
  ['a name twice', concat([hex('a6'), ec.subarray(1), ec.subarray(1, 3)])],
  ['another curve', changed(ec, 6, '02')],
  ['another type', changed(ec, 2, '03')],
  ['a point that is not on the curve', changed(ec, 20, '0000000000000000')],
  ['a coordinate as a number', concat([ec.subarray(0, 7), hex('2101'), ec.subarray(42)])],
  ['a length that is not in its shortest form', concat([ec.subarray(0, 8), hex('590020'), ec.subarray(10)])],
  ['an RSA key of 1,024 bits', concat([rsa.subarray(0, 8), hex('590080'), rsa.subarray(11, 139), rsa.subarray(267)])],
  ['a modulus with leading zeros', changed(rsa, 11, '00')],
  ['an even exponent', changed(rsa, rsa.length - 1, '00')],
]
for (const [name, bytes] of wrong)
  it(`is refused: ${name}`, () => assert.match(messageOf(bytes), /the public key of the passkey/))

it('never throws, whatever its bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.constantFrom(ec, rsa), fc.nat(), (noise, key, at) => {
      decodeCoseKey(noise)
      decodeCoseKey(concat([key.subarray(0, at % key.length), noise]))
      return true
    }),
    { numRuns: 2_000 },
  )
})

it('is a flat map of whole numbers and bytes, which any reader of CBOR reads in the same way', () => {
  const int = fc.integer({ min: -0xffff_ffff, max: 0xffff_ffff })
  const entry = fc.tuple(int, fc.oneof(int, fc.uint8Array({ maxLength: 300 })))
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([name]) => name, maxLength: 30 }), (entries) => {
      const bytes = concat([
        head(5, entries.length),
        ...entries.flatMap(([name, value]) => [number(name), written(value)]),
      ])
      assert.equal([...(decodeFlatMap(bytes) ?? [])], entries)
    }),
  )
})

const written = (value: number | Uint8Array): Uint8Array =>
  typeof value === 'number' ? number(value) : concat([head(2, value.length), value])
const number = (value: number): Uint8Array => (value < 0 ? head(1, -1 - value) : head(0, value))
const head = (type: number, value: number): Uint8Array => {
  const [length, short] = value < 24 ? [0, value] : value < 0x100 ? [1, 24] : value < 0x1_0000 ? [2, 25] : [4, 26]
  const digits = length === 0 ? '' : value.toString(16).padStart(2 * length, '0')
  return concat([Uint8Array.of((type << 5) | short), hex(digits)])
}

it.run()
