import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Notice } from '../../../core/ports/notice.ts'
import { troubles, type Ending } from '../../../core/telemetry/troubles.ts'
import { testClock } from '../world/world.ts'

const it = suite('troubles')

const MINUTE = 60_000

const scene = (endsBy: Ending = 'success') => {
  const clock = testClock()
  const notices: Notice[] = []
  const told = troubles({ clock, tell: (notice) => void notices.push(notice) }, endsBy)
  return {
    ...told,
    clock,
    notices,
    fails: (cause = 'full') =>
      told.note(cause, () => ({ level: 'error', message: cause, context: { at: clock.now() } })),
    said: () => notices.splice(0).map(({ message, context }) => [message, context?.['times']]),
  }
}

it('are told when they begin, while they last and when they are over, however often they come', () => {
  const { fails, wentWell, clock, said } = scene()
  for (let n = 0; n < 1_000; n += 1) fails()
  assert.equal(said(), [['full', undefined]])
  clock.pass(MINUTE)
  assert.equal(said(), [['still: full', 999]])
  for (let n = 0; n < 1_000; n += 1) fails()
  clock.pass(MINUTE)
  assert.equal(said(), [], 'the pause has doubled')
  clock.pass(MINUTE)
  assert.equal(said(), [['still: full', 1_000]])
  wentWell()
  wentWell()
  assert.equal(said(), [['over: full', 2_000]])
  clock.pass(100 * MINUTE)
  fails()
  assert.equal(said(), [['full', undefined]], 'the next one is told at once')
})

it('are not told again while nobody meets them, and are over only by a success', () => {
  const { fails, wentWell, clock, said } = scene()
  fails()
  said()
  for (let n = 0; n < 60; n += 1) clock.pass(MINUTE)
  assert.equal(said(), [])
  wentWell()
  assert.equal(said(), [['over: full', 1]])
})

it('that come and go are told a few times a minute, with their number', () => {
  const { fails, wentWell, clock, said } = scene()
  let lines = 0
  for (let minute = 0; minute < 30; minute += 1) {
    for (let n = 0; n < 500; n += 1) {
      fails()
      wentWell()
    }
    clock.pass(MINUTE)
    const now = said()
    assert.ok(now.length <= 3, JSON.stringify(now))
    lines += now.length
  }
  assert.ok(lines >= 5)
})

it('of different causes are told apart, up to a bound', () => {
  const { fails, said, wentWell } = scene()
  fails('full')
  fails('read-only')
  assert.equal(said().length, 2)
  for (let n = 0; n < 1_000; n += 1) fails(`cause ${n}`)
  assert.equal(said().length, 31)
  wentWell()
  assert.equal(said().length, 33)
})

it('end without a word when they do not come for a while, where nothing says that they are over', () => {
  const { fails, clock, said, wentWell } = scene('silence')
  fails()
  wentWell()
  clock.pass(MINUTE)
  assert.equal(said(), [['full', undefined]])
  fails()
  assert.equal(said(), [['full', undefined]])
})

it('describe themselves as they are when they are told', () => {
  const { fails, clock, notices } = scene()
  fails()
  clock.pass(MINUTE / 2)
  fails()
  clock.pass(MINUTE / 2)
  assert.equal(
    notices.map(({ context }) => context?.['at']),
    [clock.now() - MINUTE, clock.now()],
  )
})

it('of one kind can end alone', () => {
  const { fails, wentWell, said } = scene()
  fails('pay UNAVAILABLE')
  fails('mail UNAVAILABLE')
  said()
  wentWell('pay ')
  assert.equal(said(), [['over: pay UNAVAILABLE', 1]])
})

it('are not told any more when they are closed', () => {
  const { fails, clock, said, close } = scene()
  fails()
  fails()
  close()
  fails('other')
  clock.pass(100 * MINUTE)
  assert.equal(said(), [['full', undefined]])
})

it('never tell more than a bounded number of times a minute, and count each trouble once, whatever happens', () => {
  const step = fc.constantFrom('fails', 'fails', 'fails', 'wentWell', 'passes')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const { fails, wentWell, clock, notices } = scene()
      let [failures, minutes] = [0, 1]
      for (const each of steps) {
        if (each === 'fails') {
          fails()
          failures += 1
        } else if (each === 'wentWell') wentWell()
        else {
          clock.pass(MINUTE)
          minutes += 1
        }
      }
      assert.ok(notices.length <= 3 * minutes, `${notices.length} in ${minutes} minutes`)
      const begun = notices.filter(({ message }) => message === 'full').length
      const repeated = notices.filter(({ message }) => /^(?:still|again)/.test(message))
      const counted = repeated.reduce((sum, { context }) => sum + Number(context?.['times']), begun)
      assert.ok(counted <= failures)
      if (failures > 0) assert.is(notices[0]?.message, 'full')
    }),
  )
})

it.run()
