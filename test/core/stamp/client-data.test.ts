import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { decodeAuthenticatorData } from '../../../core/stamp/authenticator-data.ts'
import { decodeClientData, isChallenge, isFromOrigins } from '../../../core/stamp/client-data.ts'
import { anyPasskey } from '../world/software-passkey.ts'

const it = suite('client data')

const challenge = encodeUtf8('a challenge')
const { authenticatorData, clientData } = anyPasskey().assert(challenge)

/** Some of its bytes replaced, left out or added. */
const changed = (bytes: Uint8Array) =>
  fc
    .tuple(fc.nat(bytes.length), fc.nat(8), fc.uint8Array({ maxLength: 8 }))
    .map(([at, gone, more]) => Uint8Array.of(...bytes.subarray(0, at), ...more, ...bytes.subarray(at + gone)))

it('are read or not, and nothing ever throws: any bytes, and changed ones', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), changed(clientData)), (bytes) => {
      const read = decodeClientData(bytes)
      if (read === undefined) return
      isChallenge(read, challenge)
      isFromOrigins(read, new Set(['https://example.org']))
      // What is read is what a plain reader of JSON sees.
      const plain = JSON.parse(decodeUtf8(bytes) ?? '') as { readonly [member: string]: unknown }
      assert.equal([read.type, read.challenge, read.origin], [plain['type'], plain['challenge'], plain['origin']])
    }),
    { numRuns: 3_000 },
  )
})

it('are read as any object of JSON says, where its members are of the right kind', () => {
  const member = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer(), fc.constant(undefined))
  const object = fc.record({ type: member, challenge: member, origin: member, crossOrigin: member, topOrigin: member })
  fc.assert(
    fc.property(object, fc.dictionary(fc.string(), fc.jsonValue()), (known, more) => {
      const read = decodeClientData(encodeUtf8(JSON.stringify({ ...more, ...known })))
      const { type, challenge: text, origin, crossOrigin = false, topOrigin } = known
      const isRight =
        [type, text, origin].every((one) => typeof one === 'string') &&
        typeof crossOrigin === 'boolean' &&
        ['string', 'undefined'].includes(typeof topOrigin)
      if (isRight) assert.equal(read, { type, challenge: text, origin, crossOrigin, topOrigin })
      else assert.is(read, undefined)
    }),
    { numRuns: 2_000 },
  )
})

it('are not read where they are longer than any browser writes', () => {
  const long = { ...(JSON.parse(decodeUtf8(clientData) ?? '') as object), more: 'x'.repeat(16_384) }
  assert.is(decodeClientData(encodeUtf8(JSON.stringify(long))), undefined)
})

it('of any kind leave authenticator data alone, whose bytes never make a reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), changed(authenticatorData)), (bytes) => {
      const read = decodeAuthenticatorData(bytes)
      if (read !== undefined) assert.ok(bytes.length >= 37 && read.rpIdHash.length === 32)
    }),
    { numRuns: 3_000 },
  )
})

it.run()
