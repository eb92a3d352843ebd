import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure, ordered } from '../../../core/failure.ts'
import { problemsOf, languageOf, type Clause } from '../../../core/policy/expression.ts'

const it = suite('refusals of expressions')

const language = languageOf({})
const messageOf = (clause: Clause, text: string): string => {
  const result = language[clause](text)
  return result._tag === 'Left' ? result.left.message : 'accepted'
}
const places = (clause: Clause, text: string): readonly string[] =>
  problemsOf(clause, text).map(({ line, column, message }) => `${line}:${column} ${message}`)

it('tell every problem, in the order of the text', () => {
  assert.equal(places('condition', "activity.resorce == 'USER' &&\n  eth.tx.valu < 5 &&\n  wallet.id == 1 && 'x'"), [
    '1:10 Expression cannot be evaluated: field does not exist: resorce (did you mean resource?)',
    '2:10 Expression cannot be evaluated: field does not exist: valu (did you mean value?)',
    '3:21 expected a boolean, found a string',
  ])
})

it('tell the expected and the found type beside the message', () => {
  const [problem] = problemsOf('condition', "wallet.imported == 'yes'")
  assert.equal(problem, {
    clause: 'condition',
    message: 'expected a boolean to compare with, found a string',
    expected: 'a boolean to compare with',
    found: 'a string',
    at: 19,
    line: 1,
    column: 20,
  })
})

it('keep the words of the wire, and join all problems in one message', () => {
  assert.is(
    messageOf('condition', "activity.resorce == 'USER' && !1"),
    'invalid policy condition: Expression cannot be evaluated: field does not exist: resorce (did you mean resource?), ' +
      'at line 1, column 10; line 1, column 32: expected a boolean, found a number',
  )
})

it('blame one mistake once, and not what follows from it', () => {
  assert.is(places('condition', "[nothing].all(x, x.a == 1 && x in ['a']) && nothing[nothing].b.count() < 1").length, 3)
  assert.is(places('consensus', "aprovers.filter(u, u.id == 'a' && u.tags.any(t, t == 1)).count() >= 2").length, 1)
})

it('name the clause of a keyword of another clause', () => {
  for (const [clause, text, other] of [
    ['condition', 'approvers.count() == 1', 'consensus'],
    ['condition', 'time.now == 1', 'time'],
    ['consensus', "wallet.id == ''", 'condition'],
    ['time', "activity.type == ''", 'condition'],
  ] as const)
    assert.match(messageOf(clause, text), `(it belongs in the ${other})`)
  assert.match(messageOf('condition', "CronSpan('0 9 * * *', '1h', 'UTC')"), /belong in the time of a policy/)
  assert.match(messageOf('consensus', "Timestamp('') == Timestamp('')"), /belong in the time of a policy/)
})

it('refuse controls by name', () => {
  assert.match(messageOf('condition', 'controls.daily'), /field does not exist: controls,/)
})

it('say which argument of a span is wrong', () => {
  assert.match(messageOf('time', "CronSpan('0 9 * *', '1h', 'UTC')"), /line 1, column 1: expected cron/)
  assert.match(messageOf('time', "true || CronSpan('0 9 * * *', '1w', 'UTC')"), /line 1, column 9: expected duration/)
  assert.match(messageOf('time', "CronSpan('0 9 * * *', '1h', '?')"), /time zone/)
})

it('name the members of a struct that is compared', () => {
  assert.match(
    messageOf('condition', "wallet == { id: 'x' }"),
    /expected a struct with the members id, imported, exported, label to compare with, found a struct/,
  )
  assert.match(messageOf('condition', '{ a: 1, a: 2 } == { a: 1 }'), /column 9: expected each member once/)
})

it('are short, however many problems there are', () => {
  const text = Array.from({ length: 500 }, (_, at) => `${'x'.repeat(20)}${at} == 1`).join(' || ')
  assert.is(problemsOf('condition', text).length, 20)
  assert.ok(messageOf('condition', text).length < 5000)
  assert.match(messageOf('condition', text), /; and perhaps more$/)
})

it('repeat no string of the text', () => {
  for (const [clause, text] of [
    ['time', "Timestamp('topsecret') == time.now"],
    ['time', "CronSpan('topsecret', 'topsecret', 'topsecret')"],
    ['condition', "eth.tx.contract_call_args['topsecret'].x == 'topsecret'"],
    ['condition', "{ a: 'topsecret' } == 'topsecret'"],
    ['condition', "wallet['topsecret'] == {"],
  ] as const)
    assert.not.match(messageOf(clause, text), /topsecret/)
})

it('go on the wire without their parts', () => {
  const result = language.condition('1')
  assert.ok(result._tag === 'Left')
  const { message, problems } = result.left
  assert.is(problems.length, 1)
  assert.equal(JSON.parse(JSON.stringify(result.left)), { code: 'REQUEST_INVALID', message })
  assert.equal(ordered(result.left), failure('REQUEST_INVALID', message))
})

it('have none for what is right', () => {
  assert.equal(problemsOf('time', "time.now < Timestamp('2026-01-31T09:00:00Z')"), [])
  assert.equal(problemsOf('consensus', ''), [])
})

it.run()
