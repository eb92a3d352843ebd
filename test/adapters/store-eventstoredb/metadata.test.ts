import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeMetadata, encodeMetadata, type EventMetadata } from '../../../adapters/store-eventstoredb/metadata.ts'
import { parseJson } from '../../../core/json/parse-json.ts'

const it = suite('EventStoreDB store: metadata')

/** Objects as literals make them. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(model, { noNullPrototype: true })

const name = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((text) => text.isWellFormed())
const standing = fc.oneof(record({ status: name }), record({ type: name, status: name }))
const metadata: fc.Arbitrary<EventMetadata> = record({
  activity: name,
  revision: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  id: fc.oneof(fc.constant(''), name),
  parts: fc.array(record({ name, chunks: fc.nat(1) }), { maxLength: 5 }),
  standing: fc.option(standing, { nil: undefined }),
}).map(({ standing: given, ...rest }) => (given === undefined ? rest : { ...rest, standing: given }))

it('reads what it has written', () =>
  fc.assert(fc.property(metadata, (one) => assert.equal(decodeMetadata(encodeMetadata(one)), one))))

it('is no JSON, so that nobody parses it', () =>
  fc.assert(
    fc.property(metadata, (one) => {
      assert.throws(() => parseJson(Buffer.from(encodeMetadata(one)).toString()))
    }),
  ))

it('reads nothing out of any other bytes, and does not throw', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, isBegun) => {
      const given = isBegun ? Uint8Array.of(0xf9, ...bytes) : bytes
      const read = decodeMetadata(given)
      if (read !== undefined) assert.equal(Buffer.from(encodeMetadata(read)), Buffer.from(given))
    }),
    { numRuns: 2_000 },
  ))

it('reads nothing out of bytes that were cut off, or go on', () =>
  fc.assert(
    fc.property(metadata, fc.nat(), (one, cut) => {
      const bytes = encodeMetadata(one)
      assert.is(decodeMetadata(bytes.subarray(0, cut % bytes.length)), undefined)
      assert.is(decodeMetadata(Buffer.concat([bytes, Buffer.of(cut % 256)])), undefined)
    }),
  ))

it.run()
