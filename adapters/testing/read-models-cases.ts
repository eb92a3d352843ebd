import type { Json } from '../../core/failure.ts'
import type { Facets, RowChange, RowSelection } from '../../core/ports/read-models.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { failsWith, right, same } from './expect.ts'
import { organization, snapshot, snapshotCases } from './snapshot-cases.ts'
import { storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const put = (key: string, order: bigint, value: Json = {}, facets: Facets = {}, to = organization): RowChange => ({
  _tag: 'put',
  organization: to,
  key,
  order,
  facets,
  value,
})
const merge = (key: string, value: { readonly [member: string]: Json }, facets: Facets = {}): RowChange => ({
  _tag: 'merge',
  organization,
  key,
  facets,
  value,
})
const remove = (key: string): RowChange => ({ _tag: 'delete', organization, key })

/** Applies changes after the earlier ones. */
const apply = async ({ readModels }: Pick<Storage, 'readModels'>, ...changes: readonly RowChange[]): Promise<void> => {
  const from = await right(readModels.checkpoint('p'))
  await right(readModels.move('p', from, from + 1n, changes))
}
const row = ({ readModels }: Pick<Storage, 'readModels'>, key: string) => right(readModels.row('p', organization, key))
const keys = async ({ readModels }: Pick<Storage, 'readModels'>, selection: Partial<RowSelection> = {}) =>
  (await right(readModels.rows('p', organization, { limit: 100, ...selection }))).map(({ key }) => key)

export const readModelsCases: readonly StoreCase[] = [
  storeCase('R1', 'starts a projection at 0, and names those that have moved', [], async ({ readModels }) => {
    same(await right(readModels.checkpoint('p')), 0n)
    same(await right(readModels.projections()), [])
    await right(readModels.move('p', 0n, 2n ** 53n + 1n, []))
    await right(readModels.move('a', 0n, 1n, []))
    same(await right(readModels.checkpoint('p')), 2n ** 53n + 1n)
    same(await right(readModels.projections()), ['a', 'p'])
  }),

  storeCase('R2', 'puts, replaces and deletes rows', [], async (opened) => {
    await apply(opened, put('a', 1n, 'old'), put('b', 2n))
    await apply(opened, put('a', 3n, 'new'), remove('b'), remove('c'))
    same(await row(opened, 'a'), 'new')
    same(await row(opened, 'b'), undefined)
    same(await right(opened.readModels.rows('p', organization, { limit: 9 })), [{ key: 'a', order: 3n, value: 'new' }])
  }),

  storeCase(
    'R3',
    'merges members into an object that is there, and nothing where there is none',
    [],
    async (opened) => {
      await apply(opened, put('a', 1n, { kept: 1, deep: { gone: true }, status: 'PENDING' }), put('text', 2n, 'text'))
      await apply(
        opened,
        merge('a', { deep: { new: true }, status: null }),
        merge('nobody', { a: 1 }),
        merge('text', { a: 1 }),
      )
      same(await row(opened, 'a'), { kept: 1, deep: { new: true }, status: null })
      same(await row(opened, 'nobody'), undefined)
      same(await row(opened, 'text'), 'text')
    },
  ),

  storeCase('R4', 'applies the changes of one move in order', [], async (opened) => {
    await apply(
      opened,
      put('a', 1n, { n: 1 }),
      merge('a', { m: 2 }),
      put('b', 1n),
      remove('b'),
      put('c', 1n, 'x'),
      remove('c'),
      put('c', 2n, 'y'),
    )
    same(await row(opened, 'a'), { n: 1, m: 2 })
    same(await row(opened, 'b'), undefined)
    same(await row(opened, 'c'), 'y')
    await apply(opened, merge('a', { m: 3 }), merge('a', { o: 4 }), remove('c'), merge('c', { z: 1 }))
    same(await row(opened, 'a'), { n: 1, m: 3, o: 4 })
    same(await row(opened, 'c'), undefined)
  }),

  storeCase('R5', 'lists rows by order, newest first or last, from a row on, up to a limit', [], async (opened) => {
    await apply(opened, put('b', 20n), put('a', 10n), put('d', 40n), put('c', 30n))
    same(await keys(opened), ['d', 'c', 'b', 'a'])
    same(await keys(opened, { ascending: true }), ['a', 'b', 'c', 'd'])
    same(await keys(opened, { after: 30n }), ['b', 'a'])
    same(await keys(opened, { after: 20n, ascending: true }), ['c', 'd'])
    same(await keys(opened, { after: 30n, limit: 1 }), ['b'])
    same(await keys(opened, { limit: 0 }), [])
  }),

  storeCase('R6', 'selects rows by facets: one of several, both, none', [], async (opened) => {
    const facets = [
      ['x', '1'],
      ['y', '1'],
      ['x', '2'],
      ['z', '2'],
      ['y', '3'],
    ] as const
    await apply(
      opened,
      ...facets.map(([first, second], i) => put(`${i}`, BigInt(i), {}, { first, second })),
      put('bare', 9n),
    )
    same(await keys(opened, { first: ['x'] }), ['2', '0'])
    same(await keys(opened, { first: ['x', 'y'] }), ['4', '2', '1', '0'])
    same(await keys(opened, { second: ['2', '2', 'nothing'] }), ['3', '2'])
    same(await keys(opened, { first: ['x', 'z'], second: ['1', '2'] }), ['3', '2', '0'])
    same(await keys(opened, { first: ['x', 'y'], limit: 2, ascending: true }), ['0', '1'])
    same(await keys(opened, { first: ['x', 'y'], limit: 2, after: 4n }), ['2', '1'])
    same(await keys(opened, { first: [] }), [])
  }),

  storeCase('R7', 'moves a row to other facets when a merge names them', [], async (opened) => {
    await apply(opened, put('a', 1n, {}, { first: 'PENDING', second: 'SIGN' }))
    await apply(opened, merge('a', { n: 1 }, { first: 'COMPLETED' }))
    same(await keys(opened, { first: ['PENDING'] }), [])
    same(await keys(opened, { first: ['COMPLETED'], second: ['SIGN'] }), ['a'])
    await apply(opened, put('a', 1n))
    same(await keys(opened, { second: ['SIGN'] }), [])
  }),

  storeCase('R8', 'keeps organizations and projections apart, and keys of any characters', [], async (opened) => {
    const odd = ['', 'a\0b', "'; --", '\u{1f512}', '__proto__']
    await apply(opened, ...odd.map((key, i) => put(key, BigInt(i), key)), put('a', 1n, 'other', {}, 'other'))
    await right(opened.readModels.move('q', 0n, 1n, [put('a', 1n, 'q')]))
    same(await keys(opened, { ascending: true }), odd)
    for (const key of odd) same(await row(opened, key), key)
    same(await row(opened, 'a'), undefined)
    same(await right(opened.readModels.row('p', 'other', 'a')), 'other')
    same(await right(opened.readModels.row('q', organization, 'a')), 'q')
  }),

  storeCase('R9', 'keeps values as JSON does', [], async (opened) => {
    const value = JSON.parse('{"__proto__":1,"b":[null,1.5,"\\u0000\\ud800"],"a":{"":{}},"z":12345678901}') as Json // what the wire may bring
    await apply(opened, put('a', 1n, value), put('b', 2n, null), put('c', 3n, false))
    same(JSON.stringify(await row(opened, 'a')), JSON.stringify(value))
    same(await row(opened, 'b'), null)
    same(await row(opened, 'c'), false)
  }),

  storeCase('R10', 'drops a projection whole, and no other', [], async (opened) => {
    await apply(opened, put('a', 1n))
    await right(opened.readModels.move('q', 0n, 1n, [put('a', 1n)]))
    await right(opened.readModels.drop('p'))
    await right(opened.readModels.drop('nothing'))
    same(await keys(opened), [])
    same(await right(opened.readModels.checkpoint('p')), 0n)
    same(await right(opened.readModels.projections()), ['q'])
    await apply(opened, put('b', 1n))
    same(await keys(opened), ['b'])
    same((await right(opened.readModels.rows('q', organization, { limit: 9 }))).length, 1)
  }),

  storeCase('R11', "keeps a follower's own rows apart from those of organizations", [], async ({ readModels }) => {
    const rowsOf = async (of: string, selection: Partial<RowSelection> = {}) =>
      (await right(readModels.rows('p', of, { limit: 9, ...selection }))).map(({ key, value }) => [key, value])
    const own = put('a', 1n, 'own', { first: 'x', second: 'y' }, '!own')
    await right(readModels.move('p', 0n, 1n, [own, put('a', 1n, 'row'), put('a', 2n, 'bare', {}, '!')]))
    await right(readModels.move('q', 0n, 1n, [put('a', 1n, 'other', {}, '!own')]))
    const more = [put('b', 3n, { n: 1 }, {}, '!own'), { ...merge('b', { m: 2 }), organization: '!own' }]
    await right(readModels.move('p', 1n, 1n, [...more, { ...remove('a'), organization: '!' }]))
    const [a, b] = [
      ['a', 'own'],
      ['b', { n: 1, m: 2 }],
    ]
    same(await rowsOf('!own', { ascending: true }), [a, b])
    same([await rowsOf('!own', { limit: 1 }), await rowsOf('!own', { after: 1n, ascending: true })], [[b], [b]])
    same(await rowsOf('!own', { first: ['x'], second: ['y'] }), [a])
    same([await rowsOf(organization), await rowsOf('!'), await rowsOf('own')], [[['a', 'row']], [], []])
    same(await right(readModels.row('p', '!own', 'a')), 'own')
    same(await right(readModels.row('p', '!', 'a')), undefined)
    await right(readModels.drop('p'))
    same([await rowsOf('!own'), await right(readModels.row('p', '!own', 'a'))], [[], undefined])
    same(await right(readModels.row('q', '!own', 'a')), 'other')
  }),

  storeCase('R12', 'moves a checkpoint backwards with changes', [], async ({ readModels }) => {
    await right(readModels.move('p', 0n, 9n, [put('a', 9n, 'a'), put('b', 8n, 'b')]))
    await right(readModels.move('p', 9n, 4n, [put('c', 3n, 'c'), remove('b')]))
    same(await right(readModels.checkpoint('p')), 4n)
    same(await keys({ readModels }), ['a', 'c'])
    await failsWith('CONFLICT', readModels.move('p', 9n, 10n, [put('d', 1n)]))
    await right(readModels.move('p', 4n, 0n, [put('e', 1n)]))
    same([await right(readModels.checkpoint('p')), await keys({ readModels })], [0n, ['a', 'c', 'e']])
    await right(readModels.move('p', 0n, 2n, [remove('a')]))
    same([await right(readModels.checkpoint('p')), await keys({ readModels })], [2n, ['c', 'e']])
  }),

  storeCase('R13', 'stores changes, and leaves the checkpoint where it is', [], async ({ readModels }) => {
    await right(readModels.move('p', 0n, 0n, [put('a', 1n, 'a')]))
    same([await right(readModels.checkpoint('p')), await keys({ readModels })], [0n, ['a']])
    await right(readModels.move('p', 0n, 7n, []))
    await right(readModels.move('p', 7n, 7n, [put('b', 2n), remove('a')]))
    same([await right(readModels.checkpoint('p')), await keys({ readModels })], [7n, ['b']])
  }),

  storeCase('R14', 'changes nothing where the checkpoint is another one', [], async ({ readModels }) => {
    const changes = [put('a', 1n, 'new'), put('b', 2n), put('c', 1n, {}, {}, '!own'), remove('d')]
    const unchanged = async (at: bigint) => {
      same([await right(readModels.checkpoint('p')), await keys({ readModels })], [at, at === 0n ? [] : ['d', 'a']])
      same(await right(readModels.row('p', '!own', 'c')), undefined)
    }
    for (const [from, to] of [
      [5n, 5n],
      [1n, 0n],
    ] as const)
      await failsWith('CONFLICT', readModels.move('p', from, to, changes))
    await unchanged(0n)
    await right(readModels.move('p', 0n, 7n, [put('a', 1n, 'old'), put('d', 4n)]))
    for (const [from, to] of [
      [0n, 0n],
      [0n, 7n],
      [6n, 6n],
      [8n, 8n],
      [8n, 7n],
      [0n, 8n],
    ] as const)
      await failsWith('CONFLICT', readModels.move('p', from, to, changes))
    await unchanged(7n)
    same(await row({ readModels }, 'a'), 'old')
  }),

  ...snapshotCases,

  storeCase(
    '53a',
    'keeps rows, checkpoints and snapshots when it is opened again',
    ['durable', 'reopen'],
    async (opened) => {
      await apply(opened, put('a', 1n, 'a'))
      await right(opened.readModels.saveSnapshot(snapshot))
      await right(opened.readModels.dropSnapshot('other'))
      const again = await opened.reopened()
      same(await row(again, 'a'), 'a')
      same(await right(again.readModels.checkpoint('p')), 1n)
      same(await right(again.readModels.snapshot(organization)), snapshot)
      same(await right(again.readModels.snapshotDrops('other')), 1n)
    },
  ),
]
