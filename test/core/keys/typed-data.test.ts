import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hashTypedData } from 'viem'
import { messageOf } from '../../../core/keys/payload.ts'
import { vectorFolder } from '../../vectors.ts'
import { anyTypedData, mail, type TypedData } from './typed-data.ts'

const it = suite('typed data')

const digestOf = (json: unknown): string => {
  const payload = typeof json === 'string' ? json : JSON.stringify(json)
  const result = messageOf({ payload, encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' })
  return result._tag === 'Right' ? `0x${result.right.message}` : `${result.left.member}: ${result.left.expected}`
}

const byViem = (data: TypedData): string => hashTypedData(data as Parameters<typeof hashTypedData>[0])
const byEthers = ({ domain, types, message }: TypedData): string => TypedDataEncoder.hash(domain, types, message)

/** The types of the example without that of its domain. */
const { Person, Mail } = mail.types
const types = { Person, Mail }

it('has the digest of the example of EIP-712', () =>
  assert.is(digestOf(mail), '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'))

type Vector = Omit<TypedData, 'message'> & { readonly data: TypedData['message']; readonly digest: string }

it('has the digests of the test cases of ethers', () => {
  const folder = vectorFolder('ethers-testcases')
  if (folder === undefined) return
  const text = gunzipSync(readFileSync(join(folder, 'typed-data.json.gz'))).toString()
  const vectors = JSON.parse(text) as readonly Vector[]
  assert.is(vectors.length, 130)
  for (const { domain, types, primaryType, data: message, digest } of vectors)
    assert.is(digestOf({ domain, types, primaryType, message }), digest)
})

it('has the digest that viem and ethers have', () =>
  fc.assert(
    fc.property(anyTypedData(), (data) => {
      const digest = digestOf(data)
      assert.is(digest, byViem(data))
      assert.is(digest, byEthers(data))
    }),
    { numRuns: 60 },
  ))

it('makes the type of a domain of its members', () => {
  assert.is(digestOf({ ...mail, types }), digestOf(mail))
  // viem writes a chain id that is a bigint as a text
  assert.is(digestOf({ ...mail, types, domain: { ...mail.domain, chainId: '1' } }), digestOf(mail))
  const { domain } = mail
  const reordered = Object.fromEntries(Object.entries(domain).toReversed())
  assert.is(digestOf({ ...mail, types, domain: reordered }), digestOf(mail))
  assert.is(digestOf({ ...mail, types, domain: {} }), byViem({ ...mail, types, domain: {} }))
})

it('takes the type of a domain as it is given', () => {
  const EIP712Domain = [
    { name: 'chainId', type: 'uint256' },
    { name: 'name', type: 'string' },
  ]
  const data = { ...mail, types: { ...mail.types, EIP712Domain }, domain: { name: 'x', chainId: 1 } }
  assert.is(digestOf(data), byViem(data))
})

it('takes the names that chains write into types', () => {
  const primaryType = 'HyperliquidTransaction:UsdSend'
  const data = {
    domain: mail.domain,
    types: { [primaryType]: [{ name: 'time', type: 'uint64' }] },
    primaryType,
    message: { time: 1, type: 'usdSend' },
  }
  assert.is(digestOf(data), byViem(data))
  assert.is(digestOf(data), byEthers(data))
})

const person = { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' }

/** Changes of the example that have no digest, each with the place that the problem names. */
const refused: readonly (readonly [name: string, json: unknown, place: RegExp])[] = [
  ['text', 'no JSON', /JSON \(invalid JSON at offset 0/],
  ['list', [], /an object of domain/],
  ['member twice', '{"domain":{},"domain":{}}', /JSON/],
  ['no domain', { ...mail, domain: undefined }, /at domain$/],
  ['domain that is null', { ...mail, domain: null }, /at domain$/],
  [
    'unknown member of the domain',
    { ...mail, domain: { ...mail.domain, salt: '0x' } },
    /at domain that types.EIP712Domain/,
  ],
  ['missing member of the domain', { ...mail, domain: { name: 'x' } }, /at domain\.version$/],
  ['no types', { ...mail, types: undefined }, /at types$/],
  [
    'too many types',
    { ...mail, types: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`T${i}`, []])) },
    /at types$/,
  ],
  ['no message', { ...mail, message: undefined }, /type Mail at message$/],
  ['message that is a list', { ...mail, message: [] }, /type Mail at message$/],
  ['no primary type', { ...mail, primaryType: undefined }, /at primaryType$/],
  ['unknown primary type', { ...mail, primaryType: 'Letter' }, /at primaryType$/],
  ['inherited primary type', { ...mail, primaryType: 'constructor' }, /at primaryType$/],
  ['domain as the primary type', { ...mail, primaryType: 'EIP712Domain' }, /at primaryType$/],
  ['missing member', { ...mail, message: { ...mail.message, to: { name: 'Bob' } } }, /at message\.to\.wallet$/],
  ['null for a struct', { ...mail, message: { ...mail.message, to: null } }, /at message\.to$/],
  ['wrong checksum', withPerson({ ...person, wallet: person.wallet.replace('bB', 'Bb') }), /at message\.to\.wallet$/],
  ['address without 0x', withPerson({ ...person, wallet: person.wallet.slice(2) }), /at message\.to\.wallet$/],
  ['number for a text', withPerson({ ...person, name: 1 }), /at message\.to\.name$/],
]

function withPerson(to: unknown): unknown {
  return { ...mail, message: { ...mail.message, to } }
}

for (const [name, json, place] of refused)
  it(`refuses what has no digest: ${name}`, () => {
    assert.match(digestOf(json), place)
    assert.match(digestOf(json), /^payload: /)
  })

it('derives no type of a domain on which libraries differ', () => {
  assert.match(digestOf({ ...mail, types, domain: { version: '' } }), /at domain\.version$/)
  assert.match(digestOf({ ...mail, types, domain: { name: 'x', more: 1 } }), /at domain that EIP-712/)
})

const member = (type: string, name = 'a') => [{ name, type }]

for (const [name, types] of Object.entries({
  'unknown type': { A: member('B') },
  'alias of an integer': { A: member('uint') },
  'integer of an odd width': { A: member('uint7') },
  'integer that is too wide': { A: member('int264') },
  'bytes that are too long': { A: member('bytes33') },
  'list of no length': { A: member('uint8[0]') },
  'list inside out': { A: member('uint8]1[') },
  'type that contains itself': { A: member('A') },
  'list of itself': { A: member('A[]') },
  'circle of two': { A: member('B'), B: member('A[2]') },
  'circle aside': { A: member('uint8'), B: member('C'), C: member('B') },
  'member twice': { A: [...member('uint8'), ...member('uint8')] },
  'name that ends a member': { A: member('uint8', 'a,uint8 b') },
  'name of a struct that is a type': { A: member('uint8'), uint256: member('uint8') },
  'name of a struct that is nearly a type': { A: member('bytes33'), bytes33: member('uint8') },
  'name of a struct with brackets': { 'A(uint8 a)B': member('uint8'), A: member('uint8') },
  'struct that is no list': { A: {} },
  'member that is no object': { A: ['uint8'] },
  'member with more': { A: [{ name: 'a', type: 'uint8', more: 1 }] },
  'long name': { A: member('uint8', 'a'.repeat(129)) },
  'long definitions': { A: Array.from({ length: 300 }, (_, i) => ({ name: `${'a'.repeat(120)}${i}`, type: 'uint8' })) },
}))
  it(`refuses types: ${name}`, () =>
    assert.match(digestOf({ domain: {}, types, primaryType: 'A', message: { a: 1 } }), / at types\b/))

it('takes values of their types and no others', () => {
  const isTaken = (type: string, value: unknown): boolean => {
    const digest = digestOf({ domain: {}, types: { A: member(type) }, primaryType: 'A', message: { a: value } })
    assert.match(digest, /^0x[0-9a-f]{64}$|^payload: a (?:list|list of 2|value of type \w+) at message\.a(?:\[\d\])*$/)
    return digest.startsWith('0x')
  }
  const cases: readonly (readonly [type: string, right: readonly unknown[], wrong: readonly unknown[]])[] = [
    [
      'uint8',
      [0, 255, '0', '255', '0x0', '0xfF', 1.0],
      [-1, 256, '256', '0x100', 1.5, '', '1.0', '-0', '1n', true, null, [1]],
    ],
    ['int8', [-128, 127, '-128', '127', '0x7f'], [-129, 128, '128', '0x80', '-0x1', '--1']],
    [
      'uint256',
      [`${2n ** 256n - 1n}`, `0x${'f'.repeat(64)}`, 2 ** 53 - 1],
      [`${2n ** 256n}`, 2 ** 53, 1e300, '9'.repeat(90)],
    ],
    ['int256', [`${-(2n ** 255n)}`, `${2n ** 255n - 1n}`], [`${-(2n ** 255n) - 1n}`, `${2n ** 255n}`]],
    ['bool', [true, false], [0, 1, 'true', null]],
    ['bytes2', ['0x1234', '0xaBcD'], ['0x', '0x12', '0x123', '0x123456', '1234', 4660, null]],
    ['bytes', ['0x', '0x12', '0xAB'], ['', '12', '0x1', '0xzz', [18], null]],
    ['string', ['', 'é🚀'], [1, null, {}, []]],
    ['uint8[]', [[], [1, 2]], [null, {}, '', [256], [null]]],
    ['uint8[2]', [[1, 2]], [[], [1], [1, 2, 3]]],
    ['uint8[2][]', [[], [[1, 2]]], [[[1]], [1, 2]]],
    ['uint8[][2]', [[[], [1]]], [[[]], []]],
  ]
  for (const [type, right, wrong] of cases) {
    for (const value of right) assert.ok(isTaken(type, value), `${type} ${JSON.stringify(value)}`)
    for (const value of wrong) assert.not(isTaken(type, value), `${type} ${JSON.stringify(value)}`)
  }
})

it('refuses a number that a parser may have changed', () => {
  const json = (number: string): string =>
    `{"domain":{},"types":{"A":[{"name":"a","type":"uint256"}]},"primaryType":"A","message":{"a":${number}}}`
  assert.match(digestOf(json('9007199254740991')), /^0x/)
  for (const number of ['9007199254740992', '9007199254740993', '1e16', '123456789012345678901234567890', '0.5'])
    assert.match(digestOf(json(number)), /uint256 at message\.a$/)
})

it('never tells of a value', () =>
  fc.assert(
    fc.property(anyTypedData(), fc.nat(), (data, at) => {
      const text = JSON.stringify(data)
      const changed = `${text.slice(0, at % text.length)}\u0001SECRET${text.slice(at % text.length)}`
      const escaped = text.replaceAll('0x', 'SECRET')
      for (const payload of [changed, escaped]) assert.not.match(digestOf(payload), /SECRET/)
    }),
  ))

it('takes little time for types that need each other', () => {
  const names = Array.from({ length: 100 }, (_, i) => `T${i}`)
  const types = Object.fromEntries(
    names.map((name, i) => [name, names.slice(i + 1).map((other) => ({ name: other, type: `${other}[]` }))]),
  )
  const message = Object.fromEntries(names.slice(1).map((name) => [name, []]))
  assert.match(digestOf({ domain: {}, types, primaryType: 'T0', message }), / at types$/)
  const fewer = Object.fromEntries(Object.entries(types).slice(60))
  const inside = Object.fromEntries(names.slice(61).map((name) => [name, []]))
  assert.match(digestOf({ domain: {}, types: fewer, primaryType: 'T60', message: inside }), /^0x/)
})

it.run()
