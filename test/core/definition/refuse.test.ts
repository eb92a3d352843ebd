import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CountersignError, failureOf } from '../../../core/countersign-error.ts'
import { outcomeOf } from '../../../core/definition/host-outcome.ts'
import { isRefusal, refusal, Refusal, refuse, valueOf } from '../../../core/definition/refuse.ts'
import { failure, Failure, fieldViolations, hostFailure, rowOf } from '../../../core/failure.ts'
import { initial } from '../../../core/organization/state.ts'
import { E } from '../../../core/prelude.ts'
import { causeOf, withCause } from '../../../core/telemetry/cause.ts'

const it = suite('refuse')

/** What an engine makes of what a function of a definition throws. */
const thrownIn = (thrown: unknown): E.Either<Failure, never> =>
  outcomeOf('execute', () => {
    throw thrown
  })

const violation = (field: string, description: string) => [
  { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] },
]
const organization = initial('an-organization')

const helpers: readonly (readonly [name: string, made: Refusal, is: Failure])[] = [
  ['a code', refuse('CONFLICT', 'again'), { code: 'CONFLICT', message: 'again' }],
  [
    'a code with details',
    refuse('REQUEST_INVALID', 'too much', [{ most: 10 }]),
    { code: 'REQUEST_INVALID', message: 'too much', details: [{ most: 10 }] },
  ],
  [
    'a code of the host',
    refuse.as('INSUFFICIENT_FUNDS', 'CONFLICT', 'the account has less', [{ least: 5 }]),
    { code: 'INSUFFICIENT_FUNDS', like: 'CONFLICT', message: 'the account has less', details: [{ least: 5 }] },
  ],
  [
    'a field',
    refuse.field('users.0.email', 'an address'),
    {
      code: 'REQUEST_INVALID',
      message: 'invalid parameters at users.0.email: expected an address',
      details: violation('users.0.email', 'expected an address'),
    },
  ],
  [
    'a thing that is not there',
    refuse.notFound('user', 'ada', organization),
    { code: 'RESOURCE_NOT_FOUND', message: 'unable to find user ada in organization an-organization' },
  ],
  [
    'a second thing',
    refuse.notUnique('userName'),
    {
      code: 'REQUEST_INVALID',
      message: 'invalid parameters at userName: This field must be unique.',
      details: violation('userName', 'This field must be unique.'),
    },
  ],
  [
    'a second thing, in other words',
    refuse.notUnique('publicKey', 'this key is taken'),
    {
      code: 'REQUEST_INVALID',
      message: 'this key is taken',
      details: violation('publicKey', 'This field must be unique.'),
    },
  ],
  [
    'too many things',
    refuse.overQuota(100, 'user tags'),
    {
      code: 'RESOURCE_EXHAUSTED',
      message:
        'this organization cannot execute activities because it is over its allotted quota: at most 100 user tags',
    },
  ],
  [
    'a part of the API that is not offered',
    refuse.unsupported('OAuth providers'),
    { code: 'UNSUPPORTED', message: 'OAuth providers are not supported' },
  ],
]
for (const [name, made, is] of helpers) {
  it(`makes a refusal for ${name}, as the log has it and as an error`, () => {
    assert.equal(thrownIn(made), E.left(is))
    assert.equal([made.code, made.message, made.details, made.like], [is.code, is.message, is.details ?? [], is.like])
    assert.equal(failureOf(made), is)
    assert.ok(made instanceof CountersignError && made instanceof Error && isRefusal(made))
    assert.ok(Failure.is(made))
  })
}

it('takes a code of the host for one that has its form on the wire, and refuses codes that are none', () => {
  const poor = thrownIn(refuse.as('INSUFFICIENT_FUNDS', 'CONFLICT', ''))
  assert.is(E.isLeft(poor) && rowOf(poor.left), rowOf(failure('CONFLICT', '')))
  for (const code of ['CONFLICT', 'lower', ''])
    assert.throws(
      () => refuse.as(code, 'CONFLICT', ''),
      (thrown: unknown) => !isRefusal(thrown) && /expected a code/.test(String(thrown)),
    )
})

it('makes one of any failure', () => {
  for (const one of [
    hostFailure('POOR', 'CONFLICT', 'no', [1]),
    fieldViolations('no', [{ field: 'a', description: 'b' }]),
  ])
    assert.equal(thrownIn(refusal(one)), E.left(one))
})

it('has no stack, and leaves those of other errors as they are', () => {
  const before = Error.stackTraceLimit
  assert.not.match(refuse('CONFLICT', 'no').stack ?? '', /^\s+at /m)
  assert.is(Error.stackTraceLimit, before)
  const unmade: Failure = {
    code: 'CONFLICT',
    get message(): string {
      throw new RangeError('no message')
    },
  }
  assert.throws(() => refusal(unmade), /no message/)
  assert.is(Error.stackTraceLimit, before)
  assert.match(new Error('after').stack ?? '', /^\s+at .*refuse\.test/m)
})

it('is known by its mark in every copy of the package, and not by its class', async () => {
  const another = '../../../core/definition/refuse.ts?another-copy'
  const copy = (await import(another)) as {
    readonly refuse: typeof refuse
    readonly isRefusal: typeof isRefusal
    readonly Refusal: typeof Refusal
  }
  assert.is.not(copy.Refusal, Refusal)
  const theirs = copy.refuse('CONFLICT', 'of the other copy', [{ most: 10 }])
  assert.not.ok(theirs instanceof Refusal)
  assert.ok(isRefusal(theirs) && copy.isRefusal(refuse('CONFLICT', 'of this copy')))
  assert.equal(thrownIn(theirs), E.left(failure('CONFLICT', 'of the other copy', [{ most: 10 }])))
})

it('is no refusal without the mark: another error of the package, or what looks like a failure, is a bug', () => {
  const of = failure('CONFLICT', 'no')
  for (const thrown of [
    new CountersignError(of),
    Object.assign(new Error('no'), of),
    of,
    E.left(of),
    'CONFLICT',
    undefined,
    null,
  ]) {
    assert.not.ok(isRefusal(thrown))
    try {
      thrownIn(thrown)
      assert.unreachable()
    } catch (again) {
      assert.is(again, thrown)
    }
  }
})

it('keeps its cause beside it for the operator, up to the failure, and none of it in the failure', () => {
  const cause = { status: 503 }
  const caused = withCause(refuse('UNAVAILABLE', 'the bank does not answer'), () => cause)
  assert.ok(isRefusal(caused) && caused instanceof Refusal)
  assert.is(caused.message, 'the bank does not answer')
  const made = refusal(withCause(failure('UNAVAILABLE', 'the bank does not answer'), () => cause))
  for (const one of [caused, made]) {
    const outcome = thrownIn(one)
    assert.equal(outcome, E.left(failure('UNAVAILABLE', 'the bank does not answer')))
    assert.is(E.isLeft(outcome) ? causeOf(outcome.left) : undefined, cause)
  }
  const uncaused = thrownIn(refuse('UNAVAILABLE', 'the bank does not answer'))
  assert.is(E.isLeft(uncaused) ? causeOf(uncaused.left) : cause, undefined)
})

it('gives the value of an outcome, or throws its failure', () => {
  const cause = { status: 503 }
  assert.is(valueOf(E.right(7)), 7)
  const failed = withCause(failure('CONFLICT', 'no', [1]), () => cause)
  const outcome = outcomeOf('execute', () => valueOf(E.left(failed)))
  assert.equal(outcome, E.left(failure('CONFLICT', 'no', [1])))
  assert.is(E.isLeft(outcome) ? causeOf(outcome.left) : undefined, cause)
})

it.run()
