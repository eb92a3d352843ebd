import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { readSolanaInterface } from '../../../core/transaction/solana-interface.ts'
import { arg, defined, idlOf, point, structOf } from './anchor-idls.ts'

const it = suite('refused Anchor IDLs')

const variants = (...list: readonly Json[]): Json => [{ name: 'E', type: { kind: 'enum', variants: list } }]
const chain = Array.from({ length: 40 }, (_, at) => structOf(`T${at}`, at === 0 ? ['u8'] : [defined(`T${at - 1}`)]))
const instruction = (discriminator: Json, name = 'go'): Json => ({ name, discriminator, accounts: [], args: [] })
const many = (...instructions: readonly Json[]): string => JSON.stringify({ instructions, types: [] })
const NOT_JSON = 'JSON, each member once, and at most 32 lists and objects inside each other'

const refusals: readonly (readonly [string, string, string])[] = [
  ['no JSON', '{', NOT_JSON],
  ['a member twice', '{"types":[],"types":[],"instructions":[]}', NOT_JSON],
  ['a member named __proto__', '{"types":[],"instructions":[],"__proto__":{}}', NOT_JSON],
  ['nested lists', `{"types":${'['.repeat(190_000)}${']'.repeat(190_000)}}`, NOT_JSON],
  ['a megabyte', ' '.repeat(2 ** 20), 'at most 400000 characters'],
  ['a list', '[]', 'an object with instructions and types'],
  ['no types', '{"instructions":[]}', 'a list, which may be empty, at types'],
  ['no instructions', '{"types":[]}', 'a list at instructions'],
  ['a type without a name', idlOf([], [{}]), 'an object with a name at types[0]'],
  ['two types of one name', idlOf([], [point, point]), 'a name that no other type has at types[1].name'],
  [
    'an instruction without a name',
    many({ accounts: [], args: [] }),
    'an instruction with a name of letters, digits and _ at instructions[0]',
  ],
  [
    'a name with a quote',
    many(instruction([1], "a'b")),
    'an instruction with a name of letters, digits and _ at instructions[0]',
  ],
  ['no accounts', many({ name: 'a', args: [] }), 'a list at instructions[0].accounts'],
  ['no arguments', many({ name: 'a', accounts: [] }), 'a list at instructions[0].args'],
  ['an empty discriminator', many(instruction([])), '1 to 32 bytes as numbers at instructions[0].discriminator'],
  ['a discriminator of 256', many(instruction([256])), '1 to 32 bytes as numbers at instructions[0].discriminator'],
  [
    'a long discriminator',
    many(instruction(Array(33).fill(1))),
    '1 to 32 bytes as numbers at instructions[0].discriminator',
  ],
  [
    'two instructions with one discriminator',
    many(instruction([1]), instruction([1], 'b')),
    'discriminators of which none is the beginning of another, at instructions',
  ],
  [
    'a discriminator that begins another',
    many(instruction([1, 2, 3]), instruction([2]), instruction([1, 2], 'b')),
    'discriminators of which none is the beginning of another, at instructions',
  ],
  [
    'two instructions of one name',
    many({ name: 'a', accounts: [], args: [] }, { name: 'a', accounts: [], args: [] }),
    'discriminators of which none is the beginning of another, at instructions',
  ],
  [
    'two arguments with one name',
    idlOf([...(arg('u8') as readonly Json[]), ...(arg('u8') as readonly Json[])]),
    'a name that no other field has at instructions[0].args[1].name',
  ],
  [
    'an argument without a name',
    idlOf([{ type: 'u8' }]),
    'a field with a name of letters, digits and _ at instructions[0].args[0]',
  ],
  [
    'an account without a name',
    idlOf([], [], [{}]),
    'an account with a name of letters, digits and _ at instructions[0].accounts[0]',
  ],
  [
    'two accounts with one name',
    idlOf([], [], [{ name: 'a' }, { name: 'a' }]),
    'the name of each account once at instructions[0].accounts',
  ],
  ['an unknown type', idlOf(arg('u256')), 'a type that arguments can have at instructions[0].args[0].type'],
  ['no type', idlOf([{ name: 'x' }]), 'a type that arguments can have at instructions[0].args[0].type'],
  ['a map', idlOf(arg({ hashMap: ['u8', 'u8'] })), 'a type that arguments can have at instructions[0].args[0].type'],
  [
    'two types in one',
    idlOf(arg({ vec: 'u8', option: 'u8' })),
    'a type that arguments can have at instructions[0].args[0].type',
  ],
  [
    'an array without a length',
    idlOf(arg({ array: ['u8'] })),
    'a type and a length at instructions[0].args[0].type.array',
  ],
  [
    'an array of a negative length',
    idlOf(arg({ array: ['u8', -1] })),
    'a type and a length at instructions[0].args[0].type.array',
  ],
  [
    'an array of a generic length',
    idlOf(arg({ array: ['u8', { generic: 'N' }] })),
    'a type and a length at instructions[0].args[0].type.array',
  ],
  [
    'an option of an option',
    idlOf(arg({ option: { option: 'u8' } })),
    'a type other than option at instructions[0].args[0].type.option',
  ],
  [
    'a type that is not there',
    idlOf(arg(defined('T'))),
    'the name of a type in types at instructions[0].args[0].type.defined',
  ],
  [
    'a type of Object.prototype',
    idlOf(arg(defined('toString'))),
    'the name of a type in types at instructions[0].args[0].type.defined',
  ],
  [
    'generics',
    idlOf(arg({ defined: { name: 'Point', generics: [{ kind: 'type', type: 'u8' }] } }), [point]),
    'a type without generics at instructions[0].args[0].type.defined',
  ],
  [
    'items that take no bytes',
    idlOf(arg({ vec: defined('N') }), [structOf('N')]),
    'a type that takes bytes at instructions[0].args[0].type.vec',
  ],
  [
    'items of an array of none',
    idlOf(arg({ array: [{ array: ['u8', 0] }, 9] })),
    'a type that takes bytes at instructions[0].args[0].type.array',
  ],
  [
    'a type that contains itself',
    idlOf(arg(defined('A')), [structOf('A', [{ vec: defined('A') }])]),
    'no type that contains itself at types[0]',
  ],
  [
    'two types that contain each other',
    idlOf(arg(defined('A')), [structOf('A', [defined('B')]), structOf('B', [{ option: defined('A') }])]),
    'no type that contains itself at types[0]',
  ],
  [
    'a long chain of types',
    idlOf(arg(defined('T39')), chain),
    'at most 32 types inside each other at types[8].type.fields[0]',
  ],
  [
    'a long chain of types, read from below',
    JSON.stringify({
      instructions: [
        {
          name: 'a',
          discriminator: [1],
          accounts: [],
          args: [
            { name: 'a', type: defined('T20') },
            { name: 'b', type: defined('T39') },
          ],
        },
      ],
      types: chain,
    }),
    'at most 32 types inside each other at types[31].type',
  ],
  [
    'a long chain of names',
    idlOf(
      arg(defined('A0')),
      Array.from({ length: 5000 }, (_, at) => ({
        name: `A${at}`,
        type: { kind: 'alias', value: defined(`A${at + 1}`) },
      })),
    ),
    'at most 32 types inside each other at types[31].type.value',
  ],
  [
    'another way to write',
    idlOf(arg(defined('Z')), [{ name: 'Z', serialization: 'bytemuck', type: { kind: 'struct', fields: ['u8'] } }]),
    'borsh at types[0].serialization',
  ],
  [
    'a kind that is not there',
    idlOf(arg(defined('Z')), [{ name: 'Z', type: { kind: 'union' } }]),
    'struct, enum, alias or type at types[0].type.kind',
  ],
  ['no kind', idlOf(arg(defined('Z')), [{ name: 'Z' }]), 'a definition with its kind at types[0].type'],
  [
    'fields that are no list',
    idlOf(arg(defined('Z')), [structOf('Z', {})]),
    'a list of fields at types[0].type.fields',
  ],
  [
    'a field twice',
    idlOf(arg(defined('Z')), [structOf('Z', [...(arg('u8') as readonly Json[]), ...(arg('u8') as readonly Json[])])]),
    'a name that no other field has at types[0].type.fields[1].name',
  ],
  ['no variants', idlOf(arg(defined('E')), variants()), '1 to 256 variants at types[0].type.variants'],
  [
    '257 variants',
    idlOf(arg(defined('E')), variants(...Array.from({ length: 257 }, (_, at) => ({ name: `V${at}` })))),
    '1 to 256 variants at types[0].type.variants',
  ],
  [
    'a variant twice',
    idlOf(arg(defined('E')), variants({ name: 'A' }, { name: 'A' })),
    'a name other than "name" that no other variant has at types[0].type.variants[1].name',
  ],
  [
    'a variant named name',
    idlOf(arg(defined('E')), variants({ name: 'name' })),
    'a name other than "name" that no other variant has at types[0].type.variants[0].name',
  ],
]
for (const [name, text, expected] of refusals)
  it(`refuses ${name}`, () => {
    const read = readSolanaInterface(text)
    assert.is(read._tag === 'Left' ? read.left : 'read', expected)
  })

it('reads types that stand 32 deep inside each other', () =>
  assert.is(readSolanaInterface(idlOf(arg(defined('T30')), chain))._tag, 'Right'))

it.run()
