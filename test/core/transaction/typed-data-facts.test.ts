import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { messageOf } from '../../../core/keys/payload.ts'
import type { Fact } from '../../../core/policy/fact.ts'
import { ethereum } from '../../../core/policy/keywords/ethereum.ts'
import { isStruct, type Type } from '../../../core/policy/value-types.ts'
import { authorizationFacts, typedDataFacts } from '../../../core/transaction/typed-data-facts.ts'
import { anyTypedData, mail } from '../keys/typed-data.ts'
import { assertFits } from './fits.ts'

const it = suite('facts of typed data and authorizations')

const typeOf = (name: string): Type => {
  const type = isStruct(ethereum) ? ethereum.fields[name] : undefined
  if (type === undefined) throw new Error('expected a type')
  return type
}
const facts = (json: unknown): Fact | undefined => typedDataFacts(JSON.stringify(json))

/** Whether the payload has a digest. */
const isSigned = (payload: string, encoding: 'PAYLOAD_ENCODING_EIP712' | 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION') =>
  messageOf({ payload, encoding, hashFunction: 'HASH_FUNCTION_NO_OP' })._tag === 'Right'

it('shows the example of EIP-712', () => {
  const shown = facts(mail)
  assertFits(typeOf('eip_712'), shown)
  assert.equal(shown, {
    primary_type: 'Mail',
    domain: { name: 'Ether Mail', version: '1', chain_id: 1n, verifying_contract: `0x${'cc'.repeat(20)}` },
    message: {
      from: { name: 'Cow', wallet: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826' },
      to: { name: 'Bob', wallet: `0x${'bb'.repeat(20)}` },
      contents: 'Hello, Bob!',
    },
  })
})

it('shows nothing that is not signed', () => {
  const message = { ...mail.message, amount: 1, constructor: 2 }
  assert.equal(facts({ ...mail, message, more: 1 }), facts(mail))
})

/** A message with one member. */
const one = (type: string, value: unknown, types = {}): unknown => ({
  domain: {},
  types: { A: [{ name: 'a', type }], ...types },
  primaryType: 'A',
  message: { a: value },
})

const values: readonly (readonly [type: string, value: unknown, shown: Fact])[] = [
  ['uint8', 7, 7n],
  ['uint8', '7', 7n],
  ['uint8', '0x07', 7n],
  ['int8', '-7', -7n],
  ['uint256', `0x${'F'.repeat(64)}`, 2n ** 256n - 1n],
  ['bool', false, false],
  ['string', '0xAB', '0xAB'],
  ['string', '', ''],
  ['bytes', '0xAB', '0xab'],
  ['bytes', '0x', '0x'],
  ['bytes2', '0xABCD', '0xabcd'],
  ['address', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
  ['uint8[][2]', [[], ['1', 2]], [[], [1n, 2n]]],
]
for (const [type, value, shown] of values)
  it(`shows ${type} as ${typeof shown}, however JSON has it: ${JSON.stringify(value)}`, () =>
    assert.equal(facts(one(type, value)), { primary_type: 'A', domain: {}, message: { a: shown } }))

it('shows structs in lists', () => {
  const shown = facts(one('B[]', [{ b: 1, c: 2 }], { B: [{ name: 'b', type: 'uint8' }] }))
  assert.equal(shown, { primary_type: 'A', domain: {}, message: { a: [{ b: 1n }] } })
})

it('shows members of a domain that have the types of the standard, and no others', () => {
  const domainOf = (types: readonly (readonly [name: string, type: string])[], domain: unknown): Fact | undefined => {
    const EIP712Domain = types.map(([name, type]) => ({ name, type }))
    const shown = facts({ types: { EIP712Domain, A: [] }, primaryType: 'A', domain, message: {} })
    assertFits(typeOf('eip_712'), shown)
    return (shown as { readonly domain: Fact }).domain // as it fits
  }
  assert.equal(domainOf([['chainId', 'uint64']], { chainId: '0x1' }), { chain_id: 1n })
  assert.equal(domainOf([['chainId', 'string']], { chainId: '1' }), {})
  assert.equal(domainOf([['name', 'bytes32']], { name: `0x${'00'.repeat(32)}` }), {})
  assert.equal(domainOf([['verifyingContract', 'string']], { verifyingContract: 'x' }), {})
  assert.equal(domainOf([['version', 'uint8']], { version: 1 }), {})
  assert.equal(domainOf([['salt', 'bytes32']], { salt: `0x${'00'.repeat(32)}` }), {})
  assert.equal(domainOf([['chain_id', 'uint8']], { chain_id: 1 }), {})
})

it('has facts of what has a digest, and of nothing else', () =>
  fc.assert(
    fc.property(anyTypedData(), fc.nat(), fc.constantFrom('', '"', '1', ',', '{}', '-', 'null'), (data, at, put) => {
      const text = JSON.stringify(data)
      const changed = text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1)
      for (const payload of [text, changed])
        assert.is(typedDataFacts(payload) !== undefined, isSigned(payload, 'PAYLOAD_ENCODING_EIP712'), payload)
      assertFits(typeOf('eip_712'), typedDataFacts(text))
    }),
    { numRuns: 200 },
  ))

const unsigned: readonly string[] = [
  '',
  'x',
  '[]',
  '{}',
  '"\ud800"',
  ...[
    one('uint8', 256),
    one('uint8', undefined),
    one('uint8[2]', [1]),
    one('uint8[]', 1),
    one('bytes', '0x1'),
    one('string', 1),
    one('B', 1),
    one('B', [], { B: [] }),
  ].map((json) => JSON.stringify(json)),
]
for (const [i, payload] of unsigned.entries())
  it(`has no facts of what has no digest: ${i + 1}`, () => {
    assert.is(typedDataFacts(payload), undefined)
    assert.is(authorizationFacts(payload), undefined)
    assert.not(isSigned(payload, 'PAYLOAD_ENCODING_EIP712'))
  })

const address = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'

it('shows an authorization, also one for all chains', () => {
  for (const [chainId, nonce] of [
    [0, 0],
    [1, '0x7'],
    [`${2n ** 256n - 1n}`, `${2n ** 64n - 1n}`],
  ] as const) {
    const payload = JSON.stringify({ address, chainId, nonce })
    const shown = authorizationFacts(payload)
    assertFits(typeOf('eip_7702_authorization'), shown)
    assert.equal(shown, { address: address.toLowerCase(), chain_id: BigInt(chainId), nonce: BigInt(nonce) })
  }
})

it('has facts of an authorization that has a digest, and of no other', () => {
  const right = { address, chainId: 1, nonce: 1 }
  for (const json of [
    right,
    { ...right, address: address.slice(2) },
    { ...right, address: address.replace('E', 'e') },
    { ...right, chainId: -1 },
    { ...right, nonce: `${2n ** 64n}` },
    { ...right, more: 1 },
    { address, chainId: 1 },
  ]) {
    const payload = JSON.stringify(json)
    assert.is(authorizationFacts(payload) !== undefined, isSigned(payload, 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION'))
  }
})

it.run()
