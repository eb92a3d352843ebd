import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { faultsOf, faultsOfSingle, isSlowOnly, P99_MAX_MS, RSS_MAX_BYTES, type Measured } from './verdict.ts'

const it = suite('the verdict on an attack')

const attack = { answers: [401] }
const fast = Array.from({ length: 200 }, () => 5)
const measured = ({ latencies = fast, status = 200, ...more }: Partial<Measured> & Honest = {}): Measured => ({
  honest: { latencies, statuses: new Map([[status, latencies.length]]), ownDelayP99Ms: 1 },
  statuses: new Map([
    [401, 1000],
    [429, 3],
    [503, 1],
  ]),
  peakRssBytes: RSS_MAX_BYTES - 1,
  ended: undefined,
  errors: [],
  ...more,
})
type Honest = { readonly latencies?: readonly number[]; readonly status?: number }
/** Two slow answers of 200: more than one of a hundred. */
const slow = (ms: number): readonly number[] => [...fast.slice(2), ms, ms]

it('finds nothing where everything was kept', () => assert.equal(faultsOf(attack, measured()), []))

it('lets one answer of a hundred be late', () =>
  assert.equal(faultsOf(attack, measured({ latencies: [...fast.slice(1), 5000] })), []))

const broken: readonly (readonly [string, Measured])[] = [
  ['an honest caller who waits', measured({ latencies: slow(P99_MAX_MS) })],
  ['an honest caller who gets no answer', measured({ latencies: slow(Infinity) })],
  ['an honest caller who was not heard at all', measured({ latencies: [] })],
  ['an honest caller who gets an error', measured({ status: 500 })],
  ['too much memory', measured({ peakRssBytes: RSS_MAX_BYTES })],
  ['memory that nobody could read', measured({ peakRssBytes: Number.NaN })],
  ['an answer that says that the server made a mistake', measured({ statuses: new Map([[500, 1]]) })],
  ['an answer that is not documented', measured({ statuses: new Map([[200, 1]]) })],
  ['silence where an answer is documented', measured({ statuses: new Map([[0, 1]]) })],
  ['a process that ended', measured({ ended: 'the server ended: SIGABRT' })],
  ['an error in the log', measured({ errors: ['{"level":50,"msg":"thrown"}'] })],
]
for (const [name, one] of broken) it(`finds ${name}`, () => assert.is(faultsOf(attack, one).length, 1))

it('measures again where nothing is wrong but a wait', () => {
  assert.ok(isSlowOnly(attack, measured({ latencies: slow(300) })))
  assert.not.ok(isSlowOnly(attack, measured()))
  assert.not.ok(isSlowOnly(attack, measured({ latencies: slow(300), peakRssBytes: RSS_MAX_BYTES })))
})

it('finds a request that keeps all others waiting', () => {
  const { statuses } = measured()
  const faults = (blockMs: number, ended?: string) => faultsOfSingle(attack, { blockMs, ended, statuses }).length
  assert.is(faults(50), 0)
  assert.is(faults(51), 1)
  assert.is(faults(Number.NaN), 1)
  assert.is(faults(1, 'the server ended: SIGABRT'), 1)
  assert.is(faultsOfSingle(attack, { blockMs: 1, ended: undefined, statuses: new Map([[500, 1]]) }).length, 1)
})

it.run()
