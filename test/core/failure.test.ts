import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure, Failure, hostFailure, rowOf } from '../../core/failure.ts'
import { CountersignError, failureOf, orThrow } from '../../core/countersign-error.ts'
import { outcomeOf } from '../../core/definition/host-outcome.ts'
import { refusal } from '../../core/definition/refuse.ts'
import { dataGuards } from '../../core/log/event-guards.ts'
import { E } from '../../core/prelude.ts'

const it = suite('failures')

const poor = hostFailure('INSUFFICIENT_FUNDS', 'CONFLICT', 'the account has less', [{ least: 5 }])

it('may have a code of the host, which has the form of one of ours on the wire', () => {
  assert.is(poor.code, 'INSUFFICIENT_FUNDS')
  assert.is(rowOf(poor), rowOf(failure('CONFLICT', '')))
  assert.ok(Failure.is(poor))
  assert.equal(Failure.decode(JSON.parse(JSON.stringify(poor))), E.right(poor))
  const refused = outcomeOf('execute', () => {
    throw refusal(poor)
  })
  assert.equal(refused, E.left(poor), 'as it enters the log')
})

it('refuse codes that nobody could tell from ours, or that are no codes', () => {
  for (const code of ['CONFLICT', 'lower', '', 'A'.repeat(65), 'WITH SPACE', 'Ä', '__proto__'])
    assert.throws(() => hostFailure(code, 'CONFLICT', ''), /expected a code/)
})

it('of a log are read by their guard as by their codec', () => {
  const failures = [
    poor,
    failure('INTERNAL', 'x'),
    { code: 'FROM_LATER', message: '' },
    { code: 'lower', message: '', like: 'CONFLICT' },
    { code: 'FROM_LATER', message: '', like: 'FROM_LATER' },
    { code: 'toString', message: '' },
    { code: 7, message: '' },
    { code: 'A_HOST', message: '', like: null },
  ]
  for (const one of failures)
    assert.is(dataGuards.ActivityFailed({ failure: one, revision: 1 }), Failure.is(one), JSON.stringify(one))
  assert.equal(failures.map((one) => Failure.is(one)).filter(Boolean).length, 2)
})

it('are errors at the door, and values again', () => {
  for (const one of [poor, failure('INTERNAL', 'x')]) {
    const error = new CountersignError(one)
    assert.equal([error.name, error.code, error.message], ['CountersignError', one.code, one.message])
    assert.equal(failureOf(error), one)
  }
  assert.is(failureOf(new Error('another')), undefined)
  assert.is(orThrow(E.right(7)), 7)
  const cause = new TypeError('behind it')
  assert.throws(
    () => orThrow(E.left({ ...poor, cause })),
    (error: unknown) => error instanceof CountersignError && error.cause === cause,
  )
})

it.run()
