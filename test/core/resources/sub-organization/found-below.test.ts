import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RowSelection } from '../../../../core/ports/read-models.ts'
import { selectRows } from '../../../../core/ports/row-selection.ts'
import { foundBelow, notEnded, type ReadRows } from '../../../../core/resources/sub-organization/found-below.ts'

const it = suite('what is found below an organization')

/** So many rows of each organization, in the order in which they began. */
const rowsOf = (...counts: readonly number[]) =>
  counts.flatMap((count, n) =>
    Array.from({ length: count }, (_, i) => ({
      key: `${n} ${i}`,
      order: BigInt(n + 1),
      facets: { first: i % 2 === 0 ? 'even' : 'odd', second: `${n}` },
      value: { organizationId: `${n}`, position: `${n + 1}` },
    })),
  )

const reading = (...counts: readonly number[]) => {
  const rows = rowsOf(...counts)
  const asked: RowSelection[] = []
  const readRows: ReadRows = async (selection) => {
    asked.push(selection)
    return selectRows(rows, selection).map(({ value }) => value)
  }
  return { readRows, asked }
}

const pages = async (readRows: ReadRows, more: { readonly ascending?: boolean; readonly after?: bigint } = {}) => {
  const all: (readonly string[])[] = []
  for await (const page of foundBelow(readRows, { first: 'even', ...more })) all.push(page)
  return all
}

it('comes in the order of the beginnings, each once, by a facet', async () => {
  const { readRows } = reading(1, 4, 2, 0, 3)
  assert.equal(await pages(readRows), [['4', '2', '1', '0']])
  assert.equal(await pages(readRows, { ascending: true }), [['0', '1', '2', '4']])
  assert.equal(await pages(readRows, { after: 3n }), [['1', '0']])
  assert.equal(await pages(readRows, { after: 2n, ascending: true }), [['2', '4']])
})

it('is read in pages, of which none begins with the organization of the page before', async () => {
  const { readRows, asked } = reading(2, 700, 150, 60) // half of them are even
  assert.equal(await pages(readRows), [['3', '2'], ['1'], ['0']])
  assert.equal(
    asked.map(({ limit, after }) => [limit, after]),
    [
      [100, undefined],
      [100, 3n],
      [100, 2n],
    ],
  )
})

it('is asked at once which of them have not ended', async () => {
  const asked: RowSelection[] = []
  const readRows: ReadRows = async (selection) => {
    asked.push(selection)
    return [
      { organizationId: 'a', position: '1' },
      { organizationId: 'c', position: '3' },
    ]
  }
  assert.equal(await notEnded(readRows, ['c', 'b', 'a']), ['c', 'a'])
  assert.equal(asked, [{ limit: 3, first: ['EACH'], second: ['c', 'b', 'a'] }])
  assert.equal(await notEnded(readRows, []), [])
  assert.is(asked.length, 1)
})

it.run()
