import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NOT_MEASURED, USAGE_COLUMNS, usageCells, type Used } from './usage-columns.ts'

const it = suite('the columns of what a request uses')

/** A round of a hundred answers. */
const round = (usage: Partial<Used['usage']> = {}, refused = 0): Used => ({
  answers: 100,
  refused,
  usage: {
    cpuUs: 33_700,
    mainUs: 14_100,
    writingUs: 10_400,
    restUs: 9_200,
    allocatedBytes: 6_400_000,
    writtenBytes: 2_500_000,
    ...usage,
  },
})

it('has a cell for each column, of one answer', () => {
  const cells = usageCells([round()], true)
  assert.equal(cells, ['337', '141', '104', '92', '64.0', '25.0'])
  assert.is(cells.length, USAGE_COLUMNS.length)
})

it('takes the median of the rounds', () =>
  assert.is(usageCells([round({ cpuUs: 10_000 }), round({ cpuUs: 90_000 }), round({ cpuUs: 30_000 })], true)[0], '300'))

it('counts written bytes for acknowledged activities only', () => {
  const [cpu, , , , , written] = usageCells([round({}, 50)], true)
  assert.equal([cpu, written], ['337', '50.0'])
})

it('has nothing to tell of a writing thread where a server has none', () =>
  assert.equal(usageCells([round({ writingUs: undefined, writtenBytes: undefined })], false), [
    '337',
    '141',
    '–',
    '92',
    '64.0',
    '–',
  ]))

it('says so where the system does not tell of threads', () => {
  const blind = round({ mainUs: undefined, writingUs: undefined, restUs: undefined, writtenBytes: undefined })
  assert.equal(usageCells([round(), blind], true), [
    '337',
    NOT_MEASURED,
    NOT_MEASURED,
    NOT_MEASURED,
    '64.0',
    NOT_MEASURED,
  ])
})

it.run()
