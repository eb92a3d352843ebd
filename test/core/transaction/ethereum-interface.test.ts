import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Fact } from '../../../core/policy/fact.ts'
import { callFacts, readEthereumInterface } from '../../../core/transaction/ethereum-interface.ts'
import { bytes } from '../keys/keys.ts'
import { factsOf, transactionHex } from './ethereum-account.ts'
import { TO, transfer, transferOf, word } from './ethereum-calls.ts'

const it = suite('interfaces of Ethereum contracts')

type Parameter = { readonly name?: unknown; readonly type?: unknown; readonly components?: unknown }

const functionOf = (...inputs: readonly Parameter[]) => ({ type: 'function', name: 'f', inputs, outputs: [] })
const textOf = (...inputs: readonly Parameter[]): string => JSON.stringify([functionOf(...inputs)])

const left = (hex: string): string => hex.padEnd(64, '0')
const transferTo = transferOf(5)

/** What a call of the one function of these inputs shows; its selector is not looked at. */
const argsOf = (inputs: readonly Parameter[], words: string): Readonly<Record<string, Fact>> | undefined => {
  const contract = readEthereumInterface(textOf(...inputs))
  if (contract._tag === 'Left') throw new Error(contract.left)
  const [selector = ''] = contract.right.keys()
  return callFacts(contract.right, bytes(selector + words))?.contract_call_args
}

const problemOf = (text: string): string => {
  const read = readEthereumInterface(text)
  return read._tag === 'Left' ? read.left : 'read'
}

it('shows the function and its arguments by name', async () => {
  const text = JSON.stringify([{ type: 'constructor', inputs: [] }, transfer, { type: 'event', name: 'x', inputs: [] }])
  const { function_name, function_signature, contract_call_args } = await factsOf(
    transactionHex(undefined, [0n, 0n, 0n, `0x${'cd'.repeat(20)}`, 0n, `0x${transferTo}`]),
    (address) => (address === `0x${'cd'.repeat(20)}` ? text : undefined),
  )
  assert.is(function_name, 'transfer')
  assert.is(function_signature, '0xa9059cbb')
  assert.equal(contract_call_args, { to: `0x${TO}`, amount: 5n })
})

it('shows nothing of a call that does not fit', async () => {
  const text = JSON.stringify([transfer])
  for (const data of [
    '',
    'a9059c',
    'a9059cbb',
    `a9059cbc${transferTo.slice(8)}`,
    transferTo.slice(0, -2),
    `${transferTo}00`,
    transferTo + word(0),
    transferTo.replace('a9059cbb00', 'a9059cbb01'), // an address of more than 20 bytes
  ]) {
    const facts = await factsOf(
      transactionHex(undefined, [0n, 0n, 0n, `0x${'cd'.repeat(20)}`, 0n, `0x${data}`]),
      () => text,
    )
    for (const name of ['function_name', 'function_signature', 'contract_call_args'])
      assert.not(Object.hasOwn(facts, name), data)
  }
})

it('shows nothing where the text is no interface', async () =>
  assert.not(
    'function_name' in
      (await factsOf(transactionHex(undefined, [0n, 0n, 0n, `0x${TO}`, 0n, `0x${transferTo}`]), () => '{}')),
  ))

it('tells overloads apart by their selector', () => {
  const short = { ...transfer, inputs: transfer.inputs.slice(0, 1) }
  const contract = readEthereumInterface(JSON.stringify([short, transfer]))
  if (contract._tag === 'Left') throw new Error(contract.left)
  assert.equal(callFacts(contract.right, bytes(transferTo))?.contract_call_args, { to: `0x${TO}`, amount: 5n })
  const selector = [...contract.right.keys()].find((one) => one !== 'a9059cbb') ?? ''
  assert.equal(callFacts(contract.right, bytes(selector + transferTo.slice(8, 72)))?.contract_call_args, {
    to: `0x${TO}`,
  })
})

it('names a parameter without a name by its place', () =>
  assert.equal(
    argsOf([{ type: 'bool' }, { name: '', type: 'bool' }, { name: 'c', type: 'bool' }], word(1) + word(0) + word(1)),
    {
      0: true,
      1: false,
      c: true,
    },
  ))

it('has names of objects as names like others', () => {
  const args = argsOf(
    [
      { name: '__proto__', type: 'uint8' },
      { name: 'constructor', type: 'uint8' },
    ],
    word(1) + word(2),
  )
  assert.equal(Object.entries(args ?? {}), [
    ['__proto__', 1n],
    ['constructor', 2n],
  ])
})

const tuple = (type: string, ...components: readonly Parameter[]): Parameter => ({ name: 'a', type, components })
const x = (type: string): Parameter => ({ name: 'x', type })

/** Values of one parameter, with the words that stand for them. */
const values: readonly (readonly [parameter: Parameter, words: string, value: Fact])[] = [
  [x('uint8'), word(255), 255n],
  [x('uint256'), word(-1), 2n ** 256n - 1n],
  [x('int8'), word(-128), -128n],
  [x('int256'), word(-(2n ** 255n)), -(2n ** 255n)],
  [x('bool'), word(0), false],
  [x('address'), word(1), `0x${'00'.repeat(19)}01`],
  [x('bytes3'), left('abcdef'), '0xabcdef'],
  [x('bytes32'), 'ab'.repeat(32), `0x${'ab'.repeat(32)}`],
  [x('function'), left('ab'.repeat(24)), `0x${'ab'.repeat(24)}`],
  [x('bytes'), word(32) + word(0), '0x'],
  [x('bytes'), word(32) + word(3) + left('abcdef'), '0xabcdef'],
  [x('bytes'), word(32) + word(33) + 'ab'.repeat(33).padEnd(128, '0'), `0x${'ab'.repeat(33)}`],
  [x('string'), word(32) + word(4) + left('f09f9a80'), '🚀'],
  [x('uint8[2]'), word(1) + word(2), [1n, 2n]],
  [x('uint8[]'), word(32) + word(0), []],
  [x('uint8[]'), word(32) + word(2) + word(1) + word(2), [1n, 2n]],
  [
    x('uint8[2][]'),
    word(32) + word(2) + word(1) + word(2) + word(3) + word(4),
    [
      [1n, 2n],
      [3n, 4n],
    ],
  ],
  [x('uint8[][2]'), word(32) + word(64) + word(96) + word(0) + word(1) + word(9), [[], [9n]]],
  [tuple('tuple', x('bool'), x('uint8')), word(1) + word(7), [true, 7n]],
  [tuple('tuple[2]', x('bool')), word(1) + word(0), [[true], [false]]],
  [tuple('tuple', x('string'), x('uint8')), word(32) + word(64) + word(7) + word(1) + left('61'), ['a', 7n]],
  [tuple('tuple[]', x('bytes')), word(32) + word(1) + word(32) + word(32) + word(1) + left('ff'), [['0xff']]],
]
for (const [parameter, words, value] of values)
  it(`reads ${String(parameter.type)} and no other form of it`, () => {
    const name = String(parameter.name)
    assert.equal(argsOf([parameter], words), { [name]: value })
    assert.equal(argsOf([parameter, { name: 'last', type: 'bool' }], '')?.[name], undefined)
    for (const other of [words.slice(0, -2), `${words}00`, words + word(0), words.slice(64)])
      assert.is(argsOf([parameter], other), undefined, other)
  })

/** Bytes that another decoder may take for a value. */
const refused: readonly (readonly [name: string, parameter: Parameter, words: string])[] = [
  ['integer that is too large', x('uint8'), word(256)],
  ['integer that is not extended', x('int8'), word(128)],
  ['integer that is extended too far', x('int8'), word(2n ** 255n)],
  ['bool of 2', x('bool'), word(2)],
  ['bytes with dirty padding', x('bytes3'), left('abcdef01')],
  ['long bytes with dirty padding', x('bytes'), word(32) + word(3) + left('abcdef01')],
  ['bytes without padding', x('bytes'), `${word(32) + word(3)}abcdef`],
  ['bytes with a word too many', x('bytes'), word(32) + word(3) + left('abcdef') + word(0)],
  ['bytes behind the end', x('bytes'), word(32) + word(33) + left('abcdef')],
  ['length of 2^256', x('bytes'), word(32) + word(-1)],
  ['length of 2^53', x('uint8[]'), word(32) + word(2n ** 53n)],
  ['array behind the end', x('uint8[]'), word(32) + word(3) + word(1) + word(2)],
  ['gap before the bytes', x('bytes'), word(64) + word(0) + word(0)],
  ['distance to itself', x('bytes'), word(0)],
  ['distance to itself, with an array', x('uint8[]'), word(0)],
  ['distance of 2^256', x('bytes'), word(-32) + word(0)],
  ['text that is no UTF-8', x('string'), word(32) + word(1) + left('ff')],
  ['text with half a character', x('string'), word(32) + word(3) + left('eda080')],
  ['bytes that two share', x('bytes[2]'), word(32) + word(64) + word(64) + word(0)],
  ['bytes in another order', x('bytes[2]'), word(32) + word(96) + word(64) + word(0) + word(0)],
  ['array of 999,999', x('uint8[999999]'), word(1)],
  ['array of more than there are numbers', x(`uint8${'[999999]'.repeat(32)}`), word(1)],
]
for (const [name, parameter, words] of refused)
  it(`shows nothing for ${name}`, () => assert.is(argsOf([parameter], words), undefined))

it('reads lists that point to themselves again and again no more than once', () => {
  const parameter = x(`uint8${'[]'.repeat(20)}`)
  // Each list has a hundred members, all of which are the list itself: a decoder that follows them reads 100^20 lists.
  const words = word(32) + word(100) + word(0).repeat(100)
  assert.is(argsOf([parameter], words), undefined)
  assert.is(argsOf([parameter], word(32) + word(4000) + word(32).repeat(4000)), undefined)
})

it('reads 128 kB of values', () => {
  const integers = Array.from({ length: 4000 }, () => 7n)
  assert.equal(argsOf([x('uint256[]')], word(32) + word(4000) + word(7).repeat(4000)), { x: integers })
  const places = Array.from({ length: 2000 }, (_, i) => word(32 * (2000 + i))).join('')
  const lists = Array.from({ length: 2000 }, () => [])
  assert.equal(argsOf([x('uint8[][]')], word(32) + word(2000) + places + word(0).repeat(2000)), { x: lists })
})

it('shows the bytes of a multicall, and not what is in them', () => {
  const words = word(32) + word(1) + word(32) + word(68) + transferTo.padEnd(192, '0')
  assert.equal(argsOf([{ name: 'data', type: 'bytes[]' }], words), { data: [`0x${transferTo}`] })
})

const nested = (depth: number): Parameter => {
  let inner: Parameter = x('uint8')
  for (let i = 0; i < depth; i += 1) inner = tuple('tuple', inner)
  return inner
}

const faults: readonly (readonly [name: string, text: string, problem: RegExp])[] = [
  ['no JSON', 'x', /^JSON /],
  ['half a character', '["\ud800"]', /^a text without halves/],
  ['member twice', '[{"type":"function","name":"f","name":"g","inputs":[]}]', /^JSON /],
  ['object', '{}', /^a list of functions/],
  ['artifact of a compiler', JSON.stringify({ abi: [transfer] }), /^a list of functions/],
  ['entry that is a text', '["function f()"]', /^an object at \[0\]$/],
  ['unknown kind of entry', '[{"type":"funtion"}]', / at \[0\]\.type$/],
  ['no name', JSON.stringify([transfer, { type: 'function', inputs: [] }]), /^the name of a function at \[1\]\.name$/],
  ['name with a bracket', JSON.stringify([{ ...transfer, name: 'f(uint8)' }]), /\[0\]\.name$/],
  ['no inputs', '[{"type":"function","name":"f"}]', /^a list at \[0\]\.inputs$/],
  ['parameter that is a text', '[{"name":"f","inputs":["uint8"]}]', /^an object at \[0\]\.inputs\[0\]$/],
  ['name of a parameter with a bracket', textOf({ name: 'a)', type: 'bool' }), /\[0\]\.inputs\[0\]\.name$/],
  ['name that is a number', textOf({ name: 1, type: 'bool' }), /\[0\]\.inputs\[0\]\.name$/],
  ['name twice', textOf(x('bool'), x('bool')), /each parameter once at \[0\]\.inputs$/],
  ['function twice', JSON.stringify([transfer, transfer]), /no other function with the selector 0xa9059cbb at \[1\]$/],
  ['no type', textOf({ name: 'a' }), /\[0\]\.inputs\[0\]\.type$/],
  ['alias', textOf(x('uint')), /\[0\]\.inputs\[0\]\.type$/],
  ['odd width', textOf(x('uint7')), /\.type$/],
  ['width of 0', textOf(x('uint0')), /\.type$/],
  ['width that is too large', textOf(x('uint264')), /\.type$/],
  ['width with a zero before it', textOf(x('uint08')), /\.type$/],
  ['bytes33', textOf(x('bytes33')), /\.type$/],
  ['bytes0', textOf(x('bytes0')), /\.type$/],
  ['type of an object', textOf(x('constructor')), /\.type$/],
  ['space', textOf(x('uint8 ')), /\.type$/],
  ['array of length 0', textOf(x('uint8[0]')), /\.type$/],
  ['bracket alone', textOf(x('uint8[')), /\.type$/],
  ['array of 33 dimensions', textOf(x(`uint8${'[]'.repeat(33)}`)), /\[0\]\.inputs\[0\]/],
  [
    'deep arrays in tuples',
    textOf(tuple(`tuple${'[]'.repeat(20)}`, x(`uint8${'[]'.repeat(20)}`))),
    /in each other at .*components\[0\]$/,
  ],
  ['deep tuples', textOf(nested(40)), /^JSON .* nesting/],
  ['tuple without components', textOf(x('tuple')), /^a list at \[0\]\.inputs\[0\]\.components$/],
  ['empty tuple', textOf(tuple('tuple[]')), /^a component at \[0\]\.inputs\[0\]\.components$/],
  ['fault in a tuple', textOf(tuple('tuple', x('uint8'), x('u'))), /\[0\]\.inputs\[0\]\.components\[1\]\.type$/],
  ['lists in lists', '['.repeat(400_000), /^JSON /],
  ['many values', `[${'1,'.repeat(199_000)}1]`, /^JSON /],
]
for (const [name, text, problem] of faults)
  it(`refuses an interface: ${name}`, () => assert.match(problemOf(text), problem))

it('refuses two functions whose selectors collide', () => {
  // Both have the selector 42966c68.
  const [burn, other] = [
    { name: 'burn', inputs: [x('uint256')] },
    { name: 'collate_propagate_storage', inputs: [x('bytes16')] },
  ]
  assert.is(problemOf(JSON.stringify([burn])), 'read')
  assert.match(problemOf(JSON.stringify([burn, other])), /no other function with the selector 0x42966c68 at \[1\]$/)
})

it('takes the default of the standard, tuples in tuples, and an interface of 400,000 characters', () => {
  assert.is(problemOf('[{"name":"f","inputs":[]}]'), 'read')
  assert.is(problemOf('[]'), 'read')
  assert.is(problemOf(textOf(nested(13))), 'read')
  const many = JSON.stringify(
    Array.from({ length: 5000 }, (_, i) => ({ name: `f${i}`, inputs: [x('uint256'), { type: 'bool' }] })),
  )
  assert.ok(many.length < 400_000)
  assert.match(problemOf(many), /^read$/)
  const wide = textOf(...Array.from({ length: 9000 }, (_, i) => ({ name: `a${i}`, type: 'string[]' })))
  assert.is(problemOf(wide), 'read')
})

it('tells of no text', () => {
  for (const text of [textOf(x('SECRET')), textOf({ name: 'SECRET(', type: 'bool' }), '[{"SECRET":'])
    assert.not.match(problemOf(text), /SECRET|read/)
})

it('calls a function without parameters with its selector alone', () => {
  assert.equal(argsOf([], ''), {})
  assert.is(argsOf([], '00'), undefined)
})

it.run()
