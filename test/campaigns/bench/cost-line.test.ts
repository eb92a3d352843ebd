import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { costLine, tablesIn } from './cost-line.ts'
import { markdown, type Table } from './figures.ts'
import { SERVER_NAMES, SUBMITS } from './server-names.ts'

const it = suite('the cost of a submit in one line')

const submits = (engine: number, floor: number): Table => ({
  title: SUBMITS,
  says: 'One organization.',
  columns: ['connections', 'server', 'per second', 'CPU µs'],
  rows: [
    [1, SERVER_NAMES.engine, '694', 1198],
    [1, SERVER_NAMES.floor, '819', 778],
    [64, SERVER_NAMES.engine, '3,702', engine],
    [64, SERVER_NAMES.floor, '5,784', floor],
  ],
})

const PAGE = `# Benchmarks\n\nWords.\n\n${markdown(submits(366, 232))}\nMore words.\n`

it('tells the cost of this run beside the published one', () =>
  assert.is(
    costLine([submits(304, 200)], PAGE),
    'a durable submit costs 1.52 × the CPU of the floor (published: 1.58)',
  ))

it('tells it where nothing was published', () => {
  const says = 'a durable submit costs 1.52 × the CPU of the floor (not published)'
  for (const page of ['', '# Benchmarks\n', markdown({ ...submits(1, 1), title: 'Others' })])
    assert.is(costLine([submits(304, 200)], page), says)
})

it('has nothing to tell of a run without submits', () => {
  assert.is(costLine([], PAGE), undefined)
  assert.is(costLine([{ ...submits(304, 200), rows: [] }], PAGE), undefined)
})

it('reads the tables that it prints', () => {
  const [table] = tablesIn(markdown(submits(366, 232)))
  assert.equal([table?.title, table?.columns], [SUBMITS, submits(0, 0).columns])
  assert.equal(table?.rows[2], ['64', SERVER_NAMES.engine, '3,702', '366'])
})

it('finds the published cost on the page on benchmarks', () => {
  const page = readFileSync('test/campaigns/reports/benchmarks.md', 'utf8')
  assert.match(costLine([submits(304, 200)], page) ?? '', /\(published: [1-9]\.\d\d\)$/)
})

it.run()
