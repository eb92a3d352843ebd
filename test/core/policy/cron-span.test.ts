import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseCronSpan } from '../../../core/policy/cron-span.ts'

const it = suite('cron span')

it('reads numbers, ranges and lists, sorted and once each', () => {
  assert.equal(parseCronSpan('30,0 9-11,10 1,15 * 1-5', '1d12h5m', 'europe/Berlin'), {
    _tag: 'Right',
    right: {
      minutes: [0, 30],
      hours: [9, 10, 11],
      daysOfMonth: [1, 15],
      months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      daysOfWeek: [1, 2, 3, 4, 5],
      durationMs: ((24 + 12) * 60 + 5) * 60_000,
      zone: 'europe/Berlin',
    },
  })
})

it('keeps apart a day that is not given and a list of all days', () => {
  const span = parseCronSpan('0 0 * * 0-6', '1m', 'UTC')
  assert.equal(span._tag === 'Right' && [span.right.daysOfMonth, span.right.daysOfWeek?.length], [undefined, 7])
})

const CRONS: readonly (readonly [string, string])[] = [
  ['0 0 * *', 'cron: expected five fields: minute, hour, day of month, month, day of week'],
  ['0 0 0 * * *', 'cron: expected five fields: minute, hour, day of month, month, day of week'],
  ['@daily', 'cron: expected five fields: minute, hour, day of month, month, day of week'],
  ['60 0 * * *', 'cron: minute: expected *, or numbers from 0 to 59, with ranges (1-3) and lists (1,3)'],
  ['*/5 0 * * *', 'cron: minute: expected *, or numbers from 0 to 59, with ranges (1-3) and lists (1,3)'],
  ['0-30/5 0 * * *', 'cron: minute: expected *, or numbers from 0 to 59, with ranges (1-3) and lists (1,3)'],
  ['0 24 * * *', 'cron: hour: expected *, or numbers from 0 to 23, with ranges (1-3) and lists (1,3)'],
  ['0 17-9 * * *', 'cron: hour: expected *, or numbers from 0 to 23, with ranges (1-3) and lists (1,3)'],
  ['0 9,* * * *', 'cron: hour: expected *, or numbers from 0 to 23, with ranges (1-3) and lists (1,3)'],
  ['0 9, * * *', 'cron: hour: expected *, or numbers from 0 to 23, with ranges (1-3) and lists (1,3)'],
  ['0 0 0 * *', 'cron: day of month: expected *, or numbers from 1 to 31, with ranges (1-3) and lists (1,3)'],
  ['0 0 L * *', 'cron: day of month: expected *, or numbers from 1 to 31, with ranges (1-3) and lists (1,3)'],
  ['0 0 * 13 *', 'cron: month: expected *, or numbers from 1 to 12, with ranges (1-3) and lists (1,3)'],
  ['0 0 * JAN *', 'cron: month: expected *, or numbers from 1 to 12, with ranges (1-3) and lists (1,3)'],
  ['0 0 * * 7', 'cron: day of week: expected *, or numbers from 0 to 6, with ranges (1-3) and lists (1,3)'],
  ['0 0 * * MON', 'cron: day of week: expected *, or numbers from 0 to 6, with ranges (1-3) and lists (1,3)'],
]

for (const [cron, message] of CRONS)
  it(`refuses the cron expression ${cron}`, () =>
    assert.equal(parseCronSpan(cron, '1h', 'UTC'), { _tag: 'Left', left: message }))

for (const duration of ['', '8', 'h', '8 h', '1.5h', '-1h', '1w', '30s', '1m1h', '1h1h', '1H', '123456m'])
  it(`refuses the duration '${duration}'`, () =>
    assert.equal(parseCronSpan('* * * * *', duration, 'UTC'), {
      _tag: 'Left',
      left: 'duration: expected whole days, hours and minutes, for example 8h, 90m or 1d12h',
    }))

for (const duration of ['0m', '0d0h0m', '8d', '7d1m', '10081m', '169h'])
  it(`refuses the duration ${duration}, which is too short or too long`, () =>
    assert.equal(parseCronSpan('* * * * *', duration, 'UTC'), {
      _tag: 'Left',
      left: 'duration: expected more than 0 and at most 7 days',
    }))

for (const duration of ['7d', '168h', '10080m', '6d23h60m', '1m', '00001m'])
  it(`takes the duration ${duration}`, () => assert.is(parseCronSpan('* * * * *', duration, 'UTC')._tag, 'Right'))

for (const zone of ['', '+01:00', '-05', 'Europe/', '/Berlin', 'Europe Berlin', 'Europe//Berlin', 'a'.repeat(65)])
  it(`refuses the time zone '${zone}'`, () =>
    assert.equal(parseCronSpan('* * * * *', '1h', zone), {
      _tag: 'Left',
      left: 'time zone: expected the name of an IANA time zone, for example Europe/Berlin',
    }))

it('answers to every text, with a message that does not repeat it', () => {
  const field = fc.string({ unit: fc.constantFrom(...Array.from('0123456789,-*/ \t@LW#?JANmdh')), maxLength: 30 })
  const known = new Set(CRONS.map(([, message]) => message))
  const text = fc.oneof(field, fc.string(), fc.constant('0 9 * * 1-5'), fc.constant('8h'))
  fc.assert(
    fc.property(text, text, text, (cron, duration, zone) => {
      const span = parseCronSpan(cron, duration, zone)
      if (span._tag === 'Left') return known.has(span.left) || /^(?:duration|time zone): expected /.test(span.left)
      const { durationMs, minutes, hours } = span.right
      return durationMs % 60_000 === 0 && minutes.length > 0 && hours.length > 0
    }),
    { numRuns: 5000 },
  )
})

it.run()
