import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { faultsOf, faultsOfSingle, RSS_MAX_BYTES, type Measured } from './verdict.ts'

const it = suite('the verdict on an attack')

const attack = { answers: [401] }
const statuses = new Map([
  [401, 1000],
  [429, 3],
  [503, 1],
])
const sound: Measured = {
  honest: new Map([
    [200, 80],
    [503, 1],
  ]),
  statuses,
  peakRssBytes: RSS_MAX_BYTES - 1,
  ended: undefined,
  errors: [],
}

it('finds nothing where everything was kept', () => assert.equal(faultsOf(attack, sound), []))

const broken: readonly (readonly [string, Partial<Measured>])[] = [
  ['an honest caller who is never answered', { honest: new Map([[503, 80]]) }],
  ['an honest caller who gets an error', { honest: new Map([...sound.honest, [500, 1]]) }],
  ['too much memory', { peakRssBytes: RSS_MAX_BYTES }],
  ['memory that nobody could read', { peakRssBytes: Number.NaN }],
  ['an answer that says that the server made a mistake', { statuses: new Map([[500, 1]]) }],
  ['an answer that is not documented', { statuses: new Map([[200, 1]]) }],
  ['silence where an answer is documented', { statuses: new Map([[0, 1]]) }],
  ['a process that ended', { ended: 'the server ended: SIGABRT' }],
  ['an error in the log', { errors: ['{"level":50,"msg":"thrown"}'] }],
]
for (const [name, one] of broken) it(`finds ${name}`, () => assert.is(faultsOf(attack, { ...sound, ...one }).length, 1))

it('finds a request that keeps all others waiting', () => {
  const faults = (blockMs: number, ended?: string) => faultsOfSingle(attack, { blockMs, ended, statuses }).length
  assert.is(faults(50), 0)
  assert.is(faults(51), 1)
  assert.is(faults(Number.NaN), 1)
  assert.is(faults(1, 'the server ended: SIGABRT'), 1)
  assert.is(faultsOfSingle(attack, { blockMs: 1, ended: undefined, statuses: new Map([[500, 1]]) }).length, 1)
})

it.run()
