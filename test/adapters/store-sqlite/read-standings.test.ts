import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openForReading, openForWriting, type Value } from '../../../adapters/store-sqlite/connection.ts'
import { makePrivate } from '../../../adapters/store-sqlite/files.ts'
import { nearQuery, PAIRS, standingsQuery } from '../../../adapters/store-sqlite/read-standings.ts'
import { prepareForWriting } from '../../../adapters/store-sqlite/schema.ts'
import { folder } from './any-file.ts'

const it = suite('SQLite store: standings')

it('walk an index for every list, and look at no other event', async () => {
  const directory = await folder.make()
  const path = join(directory, 'store.db')
  makePrivate(path)
  const made = openForWriting(path)
  prepareForWriting(made)
  made.close()
  const db = openForReading(path)
  const searches = (sql: string, values: readonly Value[]): readonly string[] =>
    db
      .query(`EXPLAIN QUERY PLAN ${sql}`)
      .all(values)
      .map((row) => String(row[3]))
      .filter((step) => /^(SEARCH|SCAN) (events|e)\b/.test(step))
      .map((step) => step.replace(/ (COVERING )?INDEX/, ' INDEX'))
  const pairs = [
    ['a', 'b'],
    ['c', 'd'],
  ] as const
  const byStanding = 'SEARCH events USING INDEX events_by_standing (organization=? AND type=? AND status=?'
  for (const [ascending, sign] of [
    [false, '<'],
    [true, '>'],
  ] as const) {
    const { sql, values } = standingsQuery(1n, pairs, { limit: 10, ascending, after: 5n })
    const position = 'SEARCH e USING INTEGER PRIMARY KEY (rowid=?)'
    assert.equal(searches(sql, values), [...pairs.map(() => `${byStanding} AND sequence${sign}?)`), position])
    const near = nearQuery(1n, { limit: 10, ascending, after: 5n })
    const bySequence = `SEARCH events USING INDEX events_by_sequence (organization=? AND sequence${sign}?)`
    assert.equal(searches(near.sql, near.values), [bySequence, position])
  }
  for (const step of searches(PAIRS, [1n])) assert.match(step, /events_by_standing|INTEGER PRIMARY KEY/)
  db.close()
  await folder.remove(directory)
})

it.run()
