import type { GonePlace, SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { failsWith, right, same } from './expect.ts'
import { closed, storeCase, withSecond, type StoreCase } from './store-case.ts'

const sealedOf = ({ sealed }: Pick<Storage, 'sealed'>): SealedRows => {
  if (sealed === undefined) throw new Error('the adapter under test says that it has sealed rows')
  return sealed
}
const organization = 'acme'
const row = (id: string, given: Partial<SealedRow> = {}): SealedRow => ({
  ...{ organization, id, kind: 'wallet', dataKey: 'wrapped', bytes: Uint8Array.of(0, 255, 10) },
  ...given,
})
const gone = (id: string, of = organization): GonePlace => ({ organization: of, id, isGone: true })
const all = (sealed: SealedRows) => right(sealed.list(undefined, 1_000))
/** What came of several attempts at once, in no order. */
const counted = async (attempts: readonly Promise<string | boolean>[]): Promise<readonly string[]> =>
  (await Promise.all(attempts)).map(String).sort()

/** Each twist is another row than `row(id)`. */
const TWISTS: readonly Partial<SealedRow>[] = [
  { kind: 'wallet ' },
  { dataKey: '' },
  { bytes: Uint8Array.of(0, 255) },
  { bytes: Uint8Array.of(0, 255, 10, 0) },
  { bytes: new Uint8Array(0) },
]

/** In the order of their UTF-8 bytes, in which UTF-16 puts the last two the other way round. */
const NAMES = ['', ' ', "'; --", 'Z', 'a', 'a\0', 'a b', 'ab', '\u00e9', '\uffee', '\u{1f512}']

export const sealedRowsCases: readonly StoreCase[] = [
  storeCase('S1', 'puts a row where there is none, and leaves one that is there', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    same(await right(sealed.get(row('a'))), undefined)
    same(await right(sealed.put(row('a'))), 'put')
    for (const twist of [{}, ...TWISTS]) same(await right(sealed.put(row('a', twist))), 'there')
    same(await right(sealed.get({ organization, id: 'a' })), row('a'))
    for (const id of ['b', 'A', 'a ', '']) same(await right(sealed.get({ organization, id })), undefined)
    same(await right(sealed.get(row('a', { organization: 'other' }))), undefined)
  }),

  storeCase('S2', 'keeps every text and all bytes as they are', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => (n * n) % 251)
    const rows = NAMES.flatMap((name, n) => [
      row(`${n}`, { organization: name, kind: name, dataKey: name, bytes: bytes.subarray(0, n) }),
      row(name === '' ? 'long' : name, { organization: name, bytes, dataKey: name.repeat(500) }),
    ])
    for (const one of rows) same(await right(sealed.put(one)), 'put')
    for (const one of rows) same(await right(sealed.get(one)), one)
  }),

  storeCase('S3', 'copies bytes when it is given them, and when it gives them', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    const buffer = new Uint8Array(64).fill(7)
    const given = row('a', { bytes: buffer.subarray(16, 19) })
    await right(sealed.put(given))
    buffer.fill(8)
    const kept = row('a', { bytes: Uint8Array.of(7, 7, 7) })
    const read = await right(sealed.get(given))
    same([read, read?.bytes.byteLength], [kept, 3])
    read?.bytes.fill(9)
    const [listed] = await all(sealed)
    same(listed, kept)
    if (listed !== undefined && 'bytes' in listed) listed.bytes.fill(9)
    same(await right(sealed.get(given)), kept)
    same(await right(sealed.replace(kept, given)), true)
    buffer.fill(1)
    same(await right(sealed.get(given)), row('a', { bytes: Uint8Array.of(8, 8, 8) }))
  }),

  storeCase('S4', 'replaces a row only if all of it is as expected', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    const by = row('a', { kind: 'user', dataKey: 'another', bytes: Uint8Array.of(1) })
    same(await right(sealed.replace(row('a'), by)), false)
    await right(sealed.put(row('a')))
    await right(sealed.put(row('b')))
    for (const twist of TWISTS) same(await right(sealed.replace(row('a', twist), by)), false)
    same(await all(sealed), [row('a'), row('b')])
    same(await right(sealed.replace(row('a'), by)), true)
    same(await right(sealed.replace(row('a'), by)), false)
    same(await right(sealed.replace(by, by)), true)
    same(await all(sealed), [by, row('b')])
    await right(sealed.delete(by))
    for (const one of [by, row('a')]) same(await right(sealed.replace(one, by)), false)
    same(await all(sealed), [gone('a'), row('b')])
  }),

  storeCase(
    'S5',
    'never takes an id again that was deleted, also one that was never used',
    ['sealed'],
    async (opened) => {
      const sealed = sealedOf(opened)
      await right(sealed.put(row('a')))
      await right(sealed.put(row('c')))
      await right(sealed.put(row('a', { organization: 'other' })))
      for (const id of ['a', 'b', 'a']) await right(sealed.delete({ organization, id }))
      for (const id of ['a', 'b']) {
        same(await right(sealed.get(row(id))), undefined)
        same(await right(sealed.put(row(id))), 'gone')
      }
      same(await all(sealed), [gone('a'), gone('b'), row('c'), row('a', { organization: 'other' })])
    },
  ),

  storeCase('S6', 'closes an organization for all ids, and no other', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    const others = ['', 'acm', 'acme ', 'other'].map((of) => row('a', { organization: of }))
    for (const one of [row('a'), row('b'), ...others]) await right(sealed.put(one))
    await right(sealed.delete(row('b')))
    for (let n = 0; n < 2; n += 1) {
      await right(sealed.deleteAll(organization))
      await right(sealed.delete(row('c')))
      for (const id of ['a', 'b', 'c', 'd']) {
        same(await right(sealed.put(row(id))), 'gone')
        same(await right(sealed.get(row(id))), undefined)
        same(await right(sealed.replace(row(id), row(id))), false)
      }
      const [first, second, ...rest] = others
      same(await all(sealed), [first, second, gone(''), ...rest])
    }
    await right(sealed.deleteAll('empty'))
    same(await right(sealed.put(row('a', { organization: 'empty' }))), 'gone')
    for (const { organization: of } of others) same(await right(sealed.put(row('b', { organization: of }))), 'put')
  }),

  storeCase('S7', 'keeps the rows of the deployment as those of any organization', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    const own = (id: string) => row(id, { organization: '' })
    await right(sealed.put(own('a')))
    same(await right(sealed.put(own(''))), 'gone', 'an id is never empty')
    await right(sealed.delete({ organization: '', id: '' }))
    same(await right(sealed.put(own('b'))), 'put')
    await right(sealed.put(row('a')))
    await right(sealed.deleteAll(organization))
    same(await all(sealed), [own('a'), own('b'), gone('')])
    await right(sealed.deleteAll(''))
    same(await right(sealed.put(own('c'))), 'gone')
    same(await all(sealed), [gone('', ''), gone('')])
  }),

  storeCase('S8', 'lists rows and what is gone by UTF-8, page by page', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    same(await all(sealed), [])
    const expected: (SealedRow | GonePlace)[] = []
    for (const of of NAMES) {
      if (of === 'Z') expected.push(gone('', of))
      else
        for (const id of NAMES) if (id !== '') expected.push(id === 'ab' ? gone(id, of) : row(id, { organization: of }))
    }
    for (const entry of expected.toReversed()) {
      if (!('isGone' in entry)) await right(sealed.put(entry))
      else await right(entry.id === '' ? sealed.deleteAll(entry.organization) : sealed.delete(entry))
    }
    same(await all(sealed), expected)
    for (const limit of [1, 7, 1_000]) {
      const found: (SealedRow | GonePlace)[] = []
      for (let page = await right(sealed.list(undefined, limit)); page.length > 0;) {
        found.push(...page)
        page = await right(sealed.list(page.at(-1), limit))
      }
      same(found, expected)
    }
    same(await right(sealed.list({ organization: 'Z', id: 'nobody' }, 1)), [row(' ', { organization: 'a' })])
    same(await right(sealed.list(undefined, 0)), [])
  }),

  storeCase('S9', 'lets one of many win that put, or replace, the same row at once', ['sealed'], async (opened) =>
    raced(sealedOf(opened), sealedOf(opened)),
  ),

  storeCase(
    'S10',
    'lets one of two processes win that put, or replace, the same row at once',
    ['sealed', 'severalWriters', 'openBeside'],
    async (opened) => withSecond(opened, (one, two) => raced(sealedOf(one), sealedOf(two))),
  ),

  storeCase('S11', 'keeps no row that is put while its organization is closed', ['sealed'], async (opened) =>
    closing(sealedOf(opened), sealedOf(opened)),
  ),

  storeCase(
    'S12',
    'keeps no row that a process puts while another one closes its organization, or deletes it',
    ['sealed', 'severalWriters', 'openBeside'],
    async (opened) => withSecond(opened, (one, two) => closing(sealedOf(one), sealedOf(two))),
  ),

  storeCase(
    'S13',
    'has rows, and what is gone, when it is opened again',
    ['sealed', 'durable', 'reopen'],
    async (opened) => {
      const sealed = sealedOf(opened)
      for (const one of [row('a'), row('b'), row('a', { organization: 'other' })]) await right(sealed.put(one))
      await right(sealed.delete(row('b')))
      await right(sealed.deleteAll('other'))
      const again = sealedOf(await opened.reopened())
      same(await all(again), [row('a'), gone('b'), gone('', 'other')])
      for (const one of [row('b'), row('b', { organization: 'other' })]) same(await right(again.put(one)), 'gone')
    },
  ),

  storeCase('S14', 'leaves rows alone when read models are dropped', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    await right(sealed.put(row('a')))
    await right(opened.readModels.move('p', 0n, 1n, []))
    for (const projection of await right(opened.readModels.projections()))
      await right(opened.readModels.drop(projection))
    await right(opened.readModels.dropSnapshots())
    same(await all(sealed), [row('a')])
  }),

  storeCase('S15', 'answers nothing any more when it is closed', ['sealed'], async (opened) => {
    const sealed = sealedOf(opened)
    await right(sealed.put(row('a')))
    await closed(opened)
    await failsWith('UNAVAILABLE', sealed.put(row('b')))
    await failsWith('UNAVAILABLE', sealed.get(row('a')))
    await failsWith('UNAVAILABLE', sealed.replace(row('a'), row('a')))
    await failsWith('UNAVAILABLE', sealed.delete(row('a')))
    await failsWith('UNAVAILABLE', sealed.deleteAll(organization))
    await failsWith('UNAVAILABLE', sealed.list(undefined, 1))
  }),
]

const RACES = 10

const raced = async (one: SealedRows, two: SealedRows): Promise<void> => {
  for (let n = 0; n < RACES; n += 1) {
    const rows = [one, two, one, two].map((on, by) => ({ on, by: row(`${n}`, { bytes: Uint8Array.of(by) }) }))
    same(await counted(rows.map(({ on, by }) => right(on.put(by)))), ['put', 'there', 'there', 'there'])
    const [won] = await Promise.all([right(two.get(row(`${n}`))), right(one.get(row(`${n}`)))])
    if (won === undefined) throw new Error('one of them was put')
    const replaced = rows.map(({ on, by }) => right(on.replace(won, { ...by, kind: 'replaced' })))
    same(await counted(replaced), ['false', 'false', 'false', 'true'])
    same((await right(two.get(won)))?.kind, 'replaced')
  }
}

const closing = async (one: SealedRows, two: SealedRows): Promise<void> => {
  for (let n = 0; n < RACES; n += 1) {
    const of = `closing ${n}`
    const put = (id: string) => right(one.put(row(id, { organization: of })))
    await put('a')
    await Promise.all([put('b'), put('c'), right(two.deleteAll(of)), put('d'), put('e')])
    const left = (await right(two.list({ organization: of, id: '' }, 10))).filter((one) => one.organization === of)
    same(left, [])
    same(await put('f'), 'gone')
    const deleted = row(`${n}`, { organization: 'deleting' })
    await Promise.all([right(one.put(deleted)), right(two.delete(deleted)), right(one.put(deleted))])
    same([await right(one.get(deleted)), await right(one.put(deleted))], [undefined, 'gone'])
  }
}
