import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { fits, hashFunctions, messageOf, payloadEncodings, type Payload } from '../../../core/keys/payload.ts'
import { bytes } from './keys.ts'

const it = suite('payload')

const DIGEST = 'AB'.repeat(32)

const payloadOf = (payload: Partial<Payload>): Payload => ({
  payload: DIGEST,
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
  ...payload,
})
const messageIn = (payload: Partial<Payload>): string | undefined => {
  const result = messageOf(payloadOf(payload))
  return result._tag === 'Right' ? result.right.message : undefined
}
const problemIn = (payload: Partial<Payload>): string => {
  const result = messageOf(payloadOf(payload))
  return result._tag === 'Left' ? `${result.left.member}: expected ${result.left.expected}` : 'none'
}
const isDigest = (payload: Partial<Payload>): boolean | undefined => {
  const result = messageOf(payloadOf(payload))
  return result._tag === 'Right' ? result.right.isDigest : undefined
}

it('reads hex with and without 0x, in any case', () => {
  for (const payload of [DIGEST, `0x${DIGEST}`, `0X${DIGEST}`, DIGEST.toLowerCase(), `0x${'aB'.repeat(32)}`])
    assert.is(messageIn({ payload }), DIGEST.toLowerCase())
})

for (const payload of ['0', '0x0', 'abc', 'zz', '0x0x00', ' 00', '00 ', '00\n', '0x', '', '１１'])
  it(`takes no digest from ${JSON.stringify(payload)}`, () => assert.is(messageIn({ payload }), undefined))

it('takes a digest of 32 bytes without a hash function, and says so', () => {
  assert.is(isDigest({}), true)
  for (const payload of ['', 'ab', 'ab'.repeat(31), 'ab'.repeat(33)])
    assert.is(problemIn({ payload }), 'payload: expected a 32-bytes-long digest')
  assert.is(messageIn({ encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', payload: 'é'.repeat(16) }), 'c3a9'.repeat(16))
})

it('hashes the bytes of hex and of texts', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const hex = Buffer.from(text, 'utf8').toString('hex')
      const sha256 = createHash('sha256').update(text, 'utf8').digest('hex')
      const keccak = encodeHex(keccak_256(bytes(hex)))
      for (const [payload, encoding] of [
        [hex, 'PAYLOAD_ENCODING_HEXADECIMAL'],
        [text, 'PAYLOAD_ENCODING_TEXT_UTF8'],
      ] as const) {
        assert.is(messageIn({ payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' }), sha256)
        assert.is(messageIn({ payload, encoding, hashFunction: 'HASH_FUNCTION_KECCAK256' }), keccak)
        assert.is(messageIn({ payload, encoding, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }), hex)
        assert.is(isDigest({ payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' }), true)
        assert.is(isDigest({ payload, encoding, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }), false)
      }
    }),
  ))

it('takes an empty message as one', () => {
  for (const payload of ['', '0x']) {
    assert.is(messageIn({ payload, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }), '')
    assert.is(messageIn({ payload, hashFunction: 'HASH_FUNCTION_SHA256' }), createHash('sha256').digest('hex'))
  }
})

it('refuses halves of characters, which have no UTF-8', () => {
  for (const encoding of payloadEncodings)
    for (const hashFunction of hashFunctions)
      assert.is(problemIn({ payload: '\ud800', encoding, hashFunction }).slice(0, 8), 'payload:')
})

it('takes no hash function beside the one that an encoding has', () => {
  for (const encoding of ['PAYLOAD_ENCODING_EIP712', 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION'] as const)
    for (const hashFunction of hashFunctions)
      if (hashFunction !== 'HASH_FUNCTION_NO_OP')
        assert.match(
          problemIn({ payload: '{}', encoding, hashFunction }),
          /^hashFunction: expected HASH_FUNCTION_NO_OP/,
        )
})

it('fits a hash function to each curve', () => {
  for (const hashFunction of hashFunctions) {
    const isRaw = hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE'
    assert.is(fits('CURVE_ED25519', hashFunction), isRaw)
    assert.is(fits('CURVE_SECP256K1', hashFunction), !isRaw)
    assert.is(fits('CURVE_P256', hashFunction), !isRaw)
  }
})

it.run()
