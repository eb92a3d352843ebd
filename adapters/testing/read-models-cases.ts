import type { Json } from '../../core/failure.ts'
import type { Facets, RowChange, RowSelection, Snapshot, SnapshotPart } from '../../core/ports/read-models.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { failsWith, right, same } from './expect.ts'
import { storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'
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

const part = (name: string, ...bytes: readonly number[]): SnapshotPart => ({
  name,
  version: 1,
  bytes: Uint8Array.of(...bytes),
})
const parts = [part('tags', 0, 255, 10), part('users')]
const snapshot: Snapshot = { organization, sequence: 7n, hash: 'ab', version: 'v1', parts }

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

  storeCase('53', "replaces an organization's snapshot, and drops all of them", [], async ({ readModels }) => {
    same(await right(readModels.snapshot(organization)), undefined)
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other' }))
    await right(readModels.saveSnapshot(snapshot))
    same(await right(readModels.snapshot(organization)), snapshot)
    await right(readModels.saveSnapshot({ ...snapshot, sequence: 9n, version: 'v2' }))
    same(await right(readModels.snapshot(organization)), { ...snapshot, sequence: 9n, version: 'v2' })
    await right(readModels.dropSnapshots())
    same(await right(readModels.snapshot('other')), undefined)
    await right(readModels.saveSnapshot({ ...snapshot, parts: [] }))
    same(await right(readModels.snapshot(organization)), { ...snapshot, parts: [] })
  }),

  storeCase('53b', 'keeps the parts of a snapshot that the next one does not name', [], async ({ readModels }) => {
    const next = { ...snapshot, sequence: 9n, hash: 'cd' }
    await failsWith('CONFLICT', readModels.saveSnapshot(next, snapshot))
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other' }))
    await right(readModels.saveSnapshot(snapshot))
    await right(readModels.saveSnapshot({ ...next, parts: [part('users', 1), part('apples', 2)] }, snapshot))
    const merged = { ...next, parts: [part('apples', 2), parts[0], part('users', 1)] }
    same(await right(readModels.snapshot(organization)), merged)
    for (const keeps of [snapshot, { ...next, hash: 'ef' }, { ...next, sequence: 8n }])
      await failsWith('CONFLICT', readModels.saveSnapshot({ ...next, sequence: 10n, parts: [] }, keeps))
    same(await right(readModels.snapshot(organization)), merged)
    same(await right(readModels.snapshot('other')), { ...snapshot, organization: 'other' })
    await right(readModels.saveSnapshot({ ...next, parts: [part('users')] }))
    same((await right(readModels.snapshot(organization)))?.parts, [part('users')])
  }),

  storeCase('53d', 'keeps the snapshots of two versions apart, and lets the oldest go', [], async ({ readModels }) => {
    const saved = async (version?: string) => right(readModels.snapshot(organization, version))
    const [one, two] = [snapshot, { ...snapshot, sequence: 9n, version: 'v2', parts: [part('users', 2)] }]
    await right(readModels.saveSnapshot(one))
    same(await saved('v2'), one)
    await right(readModels.saveSnapshot(two))
    same([await saved('v1'), await saved('v2'), await saved('v3'), await saved()], [one, two, two, two])
    await failsWith('CONFLICT', readModels.saveSnapshot({ ...one, sequence: 10n }, two))
    const next = { ...one, sequence: 10n, hash: 'cd', parts: [part('users', 3)] }
    await right(readModels.saveSnapshot(next, one))
    const merged = { ...next, parts: [parts[0], part('users', 3)] }
    same([await saved('v1'), await saved('v2'), await saved()], [merged, two, merged])
    await right(readModels.saveSnapshot({ ...one, organization: 'other', version: 'v3' }))
    await right(readModels.saveSnapshot({ ...one, version: 'v3' }))
    same(
      [await saved('v1'), await saved('v3'), await saved('v2')],
      [merged, { ...one, version: 'v3' }, { ...one, version: 'v3' }],
    )
    await failsWith('CONFLICT', readModels.saveSnapshot({ ...two, sequence: 11n }, two))
    await right(readModels.dropSnapshot(organization))
    same([await saved('v1'), await saved('v3'), await saved()], [undefined, undefined, undefined])
    same((await right(readModels.snapshot('other')))?.version, 'v3')
  }),

  storeCase('53c', "drops one organization's snapshot, and no other", [], async ({ readModels }) => {
    await right(readModels.dropSnapshot(organization))
    await right(readModels.saveSnapshot(snapshot, undefined, 1n))
    for (const id of ['other', 'acm', 'acme/']) await right(readModels.saveSnapshot({ ...snapshot, organization: id }))
    await right(readModels.dropSnapshot(organization))
    await right(readModels.dropSnapshot(organization))
    await right(readModels.dropSnapshot('nobody'))
    same(await right(readModels.snapshot(organization)), undefined)
    for (const id of ['other', 'acm', 'acme/'])
      same(await right(readModels.snapshot(id)), { ...snapshot, organization: id })
    await failsWith('CONFLICT', readModels.saveSnapshot({ ...snapshot, sequence: 9n }, snapshot))
    await right(readModels.saveSnapshot({ ...snapshot, sequence: 9n }, undefined, 3n))
    same(await right(readModels.snapshot(organization)), { ...snapshot, sequence: 9n })
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other', parts: [part('users', 1)] }, snapshot))
    same((await right(readModels.snapshot('other')))?.parts[1], part('users', 1))
    await right(readModels.dropSnapshots())
    same(await right(readModels.snapshot('acm')), undefined)
  }),

  storeCase('53e', 'refuses a snapshot of events that were read before the last drop', [], async ({ readModels }) => {
    const later = { ...snapshot, sequence: 99n, version: 'v2' }
    same(await right(readModels.snapshotDrops(organization)), 0n)
    await right(readModels.saveSnapshot(snapshot, undefined, 0n))
    await failsWith('CONFLICT', readModels.saveSnapshot(later, undefined, 1n))
    await right(readModels.dropSnapshot(organization))
    same(await right(readModels.snapshotDrops(organization)), 1n)
    for (const one of [snapshot, later]) await failsWith('CONFLICT', readModels.saveSnapshot(one, undefined, 0n))
    await failsWith('CONFLICT', readModels.saveSnapshot(later))
    same(await right(readModels.snapshot(organization)), undefined)
    await right(readModels.saveSnapshot(snapshot, undefined, 1n))
    await failsWith('CONFLICT', readModels.saveSnapshot(later, snapshot, 0n))
    await right(readModels.saveSnapshot({ ...snapshot, sequence: 8n }, snapshot, 1n))
    same(await right(readModels.snapshot(organization)), { ...snapshot, sequence: 8n })
    same(await right(readModels.snapshotDrops('other')), 0n)
    await right(readModels.saveSnapshot({ ...snapshot, organization: 'other' }))
    await right(readModels.dropSnapshots())
    same(await right(readModels.snapshotDrops(organization)), 1n)
    await failsWith('CONFLICT', readModels.saveSnapshot(snapshot))
  }),

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
