import { CronExpressionParser } from 'cron-parser'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { isWithin, parseCronSpan, type CronSpan } from '../../../core/policy/cron-span.ts'
import { long, sampled } from '../../long.ts'
import { insideByWalk, walked, type Walked } from './cron-walk.ts'

const it = suite('cron spans in time')

const zones = intlTimeZones()

const spanOf = (cron: string, duration: string, zone: string): CronSpan => {
  const span = parseCronSpan(cron, duration, zone)
  if (span._tag === 'Left') throw new Error(span.left)
  return span.right
}

const at = (cron: string, duration: string, zone: string) => {
  const span = spanOf(cron, duration, zone)
  return (instant: string): boolean | undefined => isWithin(span, Date.parse(instant), zones)
}

it('is inside from the fire on, and not any more after the duration', () => {
  const office = at('0 9 * * 1-5', '8h', 'Europe/Berlin')
  assert.is(office('2024-07-01T06:59:59.999Z'), false)
  assert.is(office('2024-07-01T07:00:00.000Z'), true)
  assert.is(office('2024-07-01T14:59:59.999Z'), true)
  assert.is(office('2024-07-01T15:00:00.000Z'), false)
  assert.is(office('2024-07-06T08:00:00.000Z'), false) // a Saturday
  assert.is(office('2024-01-01T08:00:00.000Z'), true) // an hour later in winter
})

it('goes on while spans overlap', () => {
  const overlapping = at('0,20,40 10 * * *', '30m', 'UTC')
  assert.is(overlapping('2024-05-05T10:59:59Z'), true)
  assert.is(overlapping('2024-05-05T11:09:59Z'), true)
  assert.is(overlapping('2024-05-05T11:10:00Z'), false)
})

it('begins no span at a local time that clocks skip', () => {
  const skipped = at('30 2 10 3 *', '1h', 'America/New_York')
  for (let minute = 0; minute < 24 * 60; minute += 10)
    assert.is(skipped(new Date(Date.UTC(2024, 2, 10, 0, minute)).toISOString()), false)
})

it('begins a span once at a local time that clocks show twice, the first time', () => {
  const twice = at('30 1 * * *', '10m', 'America/New_York')
  assert.is(twice('2024-11-03T05:30:00Z'), true)
  assert.is(twice('2024-11-03T05:40:00Z'), false)
  assert.is(twice('2024-11-03T06:30:00Z'), false)
})

it('lets elapsed time pass over a change of the clock', () => {
  const night = at('0 0 * * *', '12h', 'America/New_York')
  assert.is(night('2024-03-10T16:59:59Z'), true) // 12:59 local: an hour was skipped
  assert.is(night('2024-03-10T17:00:00Z'), false)
})

it('knows the day that Samoa did not have', () => {
  const friday = at('0 12 30 12 *', '1h', 'Pacific/Apia')
  assert.is(friday('2010-12-30T23:30:00Z'), false)
  assert.is(friday('2010-12-30T22:30:00Z'), true) // UTC-10 in that summer
  for (let hour = 0; hour < 72; hour += 1)
    assert.is(friday(new Date(Date.UTC(2011, 11, 29, hour, 30)).toISOString()), false)
})

it('takes either day where both are given, and both stars as every day', () => {
  const either = at('0 0 13 * 5', '1d', 'UTC')
  assert.is(either('2024-09-13T12:00:00Z'), true)
  assert.is(either('2024-09-20T12:00:00Z'), true) // a Friday
  assert.is(either('2024-10-13T12:00:00Z'), true) // a Sunday
  assert.is(either('2024-10-14T12:00:00Z'), false)
  assert.is(at('* * * * *', '1m', 'UTC')('2024-10-14T12:00:00.001Z'), true)
})

it('ends for expressions that never match, in any zone', () => {
  for (const zone of ['UTC', 'Australia/Lord_Howe'])
    assert.is(isWithin(spanOf('* * 31 2 *', '7d', zone), Date.parse('2024-03-02T00:00:00Z'), zones), false)
})

it('does not know what the data does not have', () => {
  const [span, atMs] = [spanOf('* * * * *', '1m', 'Europe/Atlantis'), Date.parse('2024-03-02T00:00:00Z')]
  assert.is(isWithin(span, atMs, zones), undefined)
  assert.is(isWithin({ ...span, zone: 'utc' }, atMs, { offsetMs: () => undefined }), true)
})

const field = (min: number, max: number): fc.Arbitrary<string> => {
  const number = fc.integer({ min, max })
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  const list = fc.array(fc.oneof(number.map(String), range), { minLength: 1, maxLength: 3 }).map((one) => one.join(','))
  return fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, list, number.map(String))
}
const crons = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map((all) => all.join(' '))
const durations = fc
  .oneof(fc.integer({ min: 1, max: 180 }), fc.integer({ min: 1, max: 10_080 }))
  .map((all) => `${all}m`)

/** Years in which the clocks of the zone were changed, both ways. */
const WALKS: readonly (readonly [string, number])[] = [
  ['UTC', 2024],
  ['America/New_York', 2024],
  ['Australia/Lord_Howe', 2024], // half an hour
  ['Pacific/Apia', 2011], // without 30 December
  ['America/Sao_Paulo', 2017], // at midnight
]

const register = sampled<string>(it, 'Australia/Lord_Howe')
for (const [zone, year] of WALKS)
  register(zone, `agrees with a walk minute by minute over two years, in ${zone}`, async () => {
    const walk = walkOf(zone, year)
    const sizes = fc.integer({ min: 0, max: 2 ** 30 })
    fc.assert(
      fc.property(crons, durations, fc.array(sizes, { minLength: 100, maxLength: 100 }), (cron, duration, places) => {
        const span = spanOf(cron, duration, zone)
        const inside = insideByWalk(walk, span)
        for (const minute of momentsOf(walk, inside, places)) {
          const atMs = walk.fromMs + minute * 60_000
          const [first, last] = [isWithin(span, atMs, zones), isWithin(span, atMs + 59_999, zones)]
          if (first !== last || first !== (inside[minute] === 1)) {
            assert.unreachable(`${cron}, ${duration}: ${new Date(atMs).toISOString()} is inside: ${inside[minute]}`)
          }
        }
      }),
      { numRuns: 25 },
    )
  })

/** A walk takes seconds. */
const walks = new Map<string, Walked>()
const walkOf = (zone: string, year: number): Walked => {
  const walk = walks.get(zone) ?? walked(zone, year)
  walks.set(zone, walk)
  return walk
}

/** Minutes around each change of the clock, around edges of spans, and anywhere. */
const momentsOf = (walk: Walked, inside: Uint8Array, places: readonly number[]): ReadonlySet<number> => {
  const minutes = new Set<number>()
  const add = (minute: number): void => {
    if (minute >= walk.lead && minute < inside.length) minutes.add(minute)
  }
  for (const change of walk.changes) for (let by = -180; by <= 26 * 60; by += 15) add(change + by)
  const edges: number[] = []
  for (let minute = walk.lead + 1; minute < inside.length; minute += 1)
    if (inside[minute] !== inside[minute - 1]) edges.push(minute)
  const nearChange = edges.filter((edge) => walk.changes.some((change) => Math.abs(edge - change) < 8 * 24 * 60))
  for (const edge of nearChange.slice(0, 400)) for (const by of [-1, 0]) add(edge + by)
  for (const place of places) {
    add(walk.lead + (place % (inside.length - walk.lead)))
    if (edges.length > 0) for (const by of [-1, 0]) add((edges[place % edges.length] ?? 0) + by)
  }
  return minutes
}

long(it)('walks zones whose clocks were changed in those years', async () => {
  assert.equal(
    WALKS.map(([zone, year]) => walkOf(zone, year).changes.length),
    [0, 4, 4, 5, 4],
  )
})

it('fires as cron-parser says, where the clocks are not changed', () => {
  const fromMs = Date.UTC(2024, 4, 1)
  const toMs = Date.UTC(2024, 5, 10)
  // It refuses lists that name a number twice, and reads a list of all numbers as a star.
  const some = (min: number, max: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant('*'),
      fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 5 }).map((list) => list.join(',')),
      fc.integer({ min, max: max - 2 }).map((from) => `${from}-${from + 1}`),
    )
  const cronsOfBoth = fc
    .tuple(some(0, 59), some(0, 23), some(1, 31), some(5, 7), some(0, 6))
    .map((all) => all.join(' '))
  fc.assert(
    fc.property(cronsOfBoth, fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu'), (cron, zone) => {
      const span = spanOf(cron, '1m', zone)
      const ours: number[] = []
      for (let atMs = fromMs; atMs < toMs && ours.length < FIRES_MAX; atMs += 60_000)
        if (isWithin(span, atMs, zones) === true) ours.push(atMs)
      assert.equal(ours, firesBySecondOpinion(cron, zone, fromMs, toMs))
    }),
    { numRuns: 20 },
  )
})

const FIRES_MAX = 200

const firesBySecondOpinion = (cron: string, tz: string, fromMs: number, toMs: number): readonly number[] => {
  const options = { currentDate: new Date(fromMs - 1), endDate: new Date(toMs - 1), tz }
  const fires: number[] = []
  try {
    const expression = CronExpressionParser.parse(cron, options)
    while (fires.length < FIRES_MAX) fires.push(expression.next().getTime())
  } catch (error) {
    // Its iterator ends by throwing.
    if (!String(error).includes('Out of the time span range')) throw error
  }
  return fires
}

it.run()
