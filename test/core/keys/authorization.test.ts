import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getAddress } from 'viem'
import { hashAuthorization } from 'viem/utils'
import { encodeHex } from '../../../core/bytes.ts'
import { messageOf } from '../../../core/keys/payload.ts'
import { anyBytes } from './keys.ts'

const it = suite('authorization of EIP-7702')

const ADDRESS = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'

const digestOf = (json: unknown): string => {
  const payload = typeof json === 'string' ? json : JSON.stringify(json)
  const result = messageOf({
    payload,
    encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  })
  return result._tag === 'Right' ? `0x${result.right.message}` : `${result.left.member}: ${result.left.expected}`
}

const anyNumber = (): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(0, 1, 127, 128, 255, 256, 65_535, 65_536, Number.MAX_SAFE_INTEGER), fc.maxSafeNat())

it('has the digest that viem has', () =>
  fc.assert(
    fc.property(anyBytes(20), anyNumber(), anyNumber(), (bytes, chainId, nonce) => {
      const address = getAddress(`0x${encodeHex(bytes)}`)
      const digest = hashAuthorization({ address, chainId, nonce })
      assert.is(digestOf({ address, chainId, nonce }), digest)
      assert.is(
        digestOf({ address: address.toLowerCase(), chainId: `${chainId}`, nonce: `0x${nonce.toString(16)}` }),
        digest,
      )
    }),
  ))

it('takes the largest numbers', () =>
  assert.match(
    digestOf({ address: ADDRESS, chainId: `0x${'f'.repeat(64)}`, nonce: `${2n ** 64n - 1n}` }),
    /^0x[0-9a-f]{64}$/,
  ))

it('names the member that has a fault', () => {
  const right = { address: ADDRESS, chainId: 1, nonce: 0 }
  for (const address of ['', 'x', ADDRESS.slice(2), ADDRESS.replace('E', 'e'), ADDRESS.toUpperCase(), null, 1])
    assert.match(digestOf({ ...right, address }), /^payload: .* at address$/)
  for (const number of [-1, 1.5, '', '-1', '1.0', '1e3', ' 1', '01', null, true, '0x', '9'.repeat(79), 2 ** 53]) {
    assert.match(digestOf({ ...right, chainId: number }), /^payload: .* at chainId$/)
    assert.match(digestOf({ ...right, nonce: number }), /^payload: .* at nonce$/)
  }
  assert.match(digestOf({ ...right, nonce: `${2n ** 64n}` }), /at nonce$/)
  for (const json of [[], null, {}, { ...right, more: 1 }, { address: ADDRESS, chainId: 1 }, 'no JSON'])
    assert.match(digestOf(json), /^payload: (an object of address|JSON)/)
  assert.match(digestOf('{"address":"0x","chainId":1,"chainId":2,"nonce":0}'), /^payload: JSON/)
})

it.run()
