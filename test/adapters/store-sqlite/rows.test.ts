import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openForReading, openForWriting } from '../../../adapters/store-sqlite/connection.ts'
import { makePrivate } from '../../../adapters/store-sqlite/files.ts'
import { selectionQuery } from '../../../adapters/store-sqlite/read-rows.ts'
import { prepareForWriting } from '../../../adapters/store-sqlite/schema.ts'
import type { RowSelection } from '../../../core/ports/read-models.ts'
import { folder } from './any-file.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: rows')

it.before(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
  makePrivate(context.path)
  const db = openForWriting(context.path)
  prepareForWriting(db)
  db.close()
})
it.after(({ directory }) => folder.remove(directory))

it('walks an index for every selection, and sorts no more than the limit', ({ path }) => {
  const db = openForReading(path)
  const cases: readonly (readonly [Partial<RowSelection>, string])[] = [
    [{}, 'rows_by_order'],
    [{ after: 5n, ascending: true }, 'rows_by_order'],
    [{ first: ['a', 'b'] }, 'rows_by_first'],
    [{ second: ['a'] }, 'rows_by_second'],
    [{ first: ['a', 'b'], second: ['c', 'd'], after: 5n }, 'rows_by_both'],
  ]
  for (const [selection, index] of cases) {
    const { sql, values } = selectionQuery(1n, { limit: 10, ...selection })
    const plan = db.query(`EXPLAIN QUERY PLAN ${sql}`).all(values)
    const searches = plan.map((row) => String(row[3])).filter((step) => /^(SEARCH|SCAN) rows/.test(step))
    assert.ok(searches.length > 0)
    assert.equal(
      searches.filter((step) => !step.startsWith('SEARCH') || !step.includes(`INDEX ${index} `)),
      [],
    )
  }
  db.close()
})

it.run()
