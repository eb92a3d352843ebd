import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compare, counted, type Run } from './compare.ts'
import { markdown } from './figures.ts'

const it = suite('comparing the bench of two commits')

const requests = (
  rates: readonly [own: string, verifying: string],
  cpu: readonly [own: number, verifying: number],
): Run => [
  {
    title: 'Stamped submits',
    says: 'One organization.',
    columns: ['connections', 'server', 'per second', 'refused', 'CPU µs', '× verifying'],
    rows: [
      [64, 'countersign', rates[0], 0, cpu[0], '0.41'],
      [64, 'a constant', rates[1], 0, cpu[1], '1.00'],
    ],
  },
]

const plain = (figure: string, what = 'replay'): Run => [
  { title: 'Replay', says: '', columns: ['what', 'events per second', 'peak memory'], rows: [[what, figure, '10 MB']] },
]

const rowsOf = (tables: Run): readonly (readonly (string | number)[])[] => tables.flatMap(({ rows }) => rows)

it('prints now ÷ before in the place of each figure', () => {
  const turn = { before: requests(['4,000', '10,000'], [400, 160]), now: requests(['5,000', '10,000'], [300, 160]) }
  assert.equal(rowsOf(compare([turn])), [
    [64, 'countersign', '1.25', '–', '0.75', '1.25'],
    [64, 'a constant', '1.00', '–', '1.00', '–'],
  ])
})

it('takes the ratio of ratios from the rates: the machine is half as fast, and the engine is as good as before', () => {
  const turn = { before: requests(['1,610', '10,000'], [400, 160]), now: requests(['805', '5,000'], [800, 320]) }
  assert.equal(rowsOf(compare([turn]))[0], [64, 'countersign', '0.50', '–', '2.00', '1.00'])
})

it('compares a row with the last row of 1.00 before it where first labels differ', () => {
  const log = (parse: string, replay: string): Run => [
    {
      title: 'Replay',
      says: '',
      columns: ['what', 'events per second', '× the least'],
      rows: [
        ['one core: parsing', parse, '1.00'],
        ['one core: replay', replay, '0.70'],
        ['all cores: parsing', '7', '1.00'],
      ],
    },
  ]
  const turn = { before: log('200,000', '100,000'), now: log('100,000', '100,000') }
  assert.equal(rowsOf(compare([turn]))[1], ['one core: replay', '1.00', '2.00'])
})

it('takes the median of the turns', () => {
  const turns = ['100', '101', '104', '103'].map((now) => ({ before: plain('100'), now: plain(now) }))
  assert.equal(rowsOf(compare(turns)), [['replay', '1.02', '1.00']])
})

it('marks a ratio whose turns differ by more than 5 %, and counts it', () => {
  const turns = ['100', '106'].map((now) => ({ before: plain('100'), now: plain(now) }))
  const compared = compare(turns)
  assert.equal(rowsOf(compared), [['replay', '? 1.00 to 1.06', '1.00']])
  assert.equal(counted(compared), { ratios: 2, unclear: 1 })
})

it('does not mind a machine that becomes slower while both are measured', () => {
  const turns = ['100', '50'].map((both) => ({ before: plain(both), now: plain(both) }))
  assert.equal(rowsOf(compare(turns)), [['replay', '1.00', '1.00']])
})

it('leaves out a row that only one of both has', () => {
  assert.equal(compare([{ before: plain('1', 'replay of then'), now: plain('1') }]), [])
  assert.equal(compare([{ before: [], now: plain('1') }]), [])
  assert.equal(compare([]), [])
})

it('prints a dash where there is nothing to compare, and does not count it', () => {
  const compared = compare([{ before: plain('no openssl here'), now: plain('100') }])
  assert.equal(rowsOf(compared), [['replay', '–', '1.00']])
  assert.equal(counted(compared), { ratios: 1, unclear: 0 })
  assert.equal(rowsOf(compare([{ before: plain('0'), now: plain('0') }])), [['replay', '–', '1.00']])
})

it('says where there was nothing before', () =>
  assert.equal(rowsOf(compare([{ before: plain('0'), now: plain('3') }])), [['replay', 'from 0', '1.00']]))

it('compares what a request uses, and prints a dash for a column that the other commit does not have', () => {
  const used = (columns: readonly string[], figures: readonly string[]): Run => [
    {
      title: 'Stamped submits',
      says: '',
      columns: ['connections', 'server', 'per second', ...columns],
      rows: [[64, 'countersign', '4,000', ...figures]],
    },
  ]
  const columns = ['CPU µs', 'main µs', 'garbage kB', 'written kB']
  const now = used(columns, ['300', '120', '32.0', 'not measured here'])
  const turn = { before: used(columns, ['300', '240', '64.0', '25.0']), now }
  assert.equal(rowsOf(compare([turn])), [[64, 'countersign', '1.00', '1.00', '0.50', '0.50', '–']])
  const older = { before: used(['CPU µs'], ['600']), now }
  assert.equal(rowsOf(compare([older])), [[64, 'countersign', '1.00', '0.50', '–', '–', '–']])
})

it('gives tables that can be printed', () =>
  assert.match(markdown(compare([{ before: plain('2'), now: plain('1') }])[0] ?? fail()), '| replay | 0.50 | 1.00 |'))

const fail = (): never => {
  throw new Error('there is no table')
}

it.run()
