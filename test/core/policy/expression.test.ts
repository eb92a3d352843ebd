import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  compileCondition,
  compileConsensus,
  evaluate,
  TEXT_LENGTH_MAX,
  type Facts,
} from '../../../core/policy/expression.ts'
import { anyCredentialFact, anyFacts, anyUserFact, compiled } from './any.ts'

const it = suite('policy expression')

const condition = (text: string, facts: Facts = anyFacts()): boolean | 'error' => {
  const evaluated = evaluate(compiled(compileCondition(text)), facts)
  return evaluated._tag === 'value' ? evaluated.value : 'error'
}

const consensus = (text: string, facts: Facts = anyFacts()): boolean | 'error' => {
  const evaluated = evaluate(compiled(compileConsensus(text)), facts)
  return evaluated._tag === 'value' ? evaluated.value : 'error'
}

const withParams = (params: Facts['activity']['params']): Facts => anyFacts({ activity: { params } })

const refusal = (text: string, compile = compileCondition): string => {
  const result = compile(text)
  return result._tag === 'Left' ? `${result.left.code} ${result.left.message}` : 'accepted'
}

const ada = anyUserFact({ id: 'ada', tags: ['red', 'blue'], email: 'ada@example.org', alias: 'Ada' })
const grace = anyUserFact({ id: 'grace', tags: ['red'], alias: 'Grace' })
const both = anyFacts({
  approvers: [ada, grace],
  credentials: [
    anyCredentialFact(),
    anyCredentialFact({ id: 'grace-key-1', user_id: 'grace', type: 'CREDENTIAL_TYPE_API_KEY_ED25519' }),
  ],
})

it('is always true where it is empty', () => {
  assert.is(condition(''), true)
  assert.is(consensus(''), true)
  assert.match(refusal('  '), /expected an expression/)
})

it('reads the fields of the activity', () => {
  assert.is(condition("activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'"), true)
  assert.is(condition("activity.kind == 'CREATE_USER_TAG'"), true)
  assert.is(condition("activity.resource == 'USER' && activity.action == 'CREATE'"), true)
  assert.is(condition("activity.resource == 'POLICY' || activity.action in ['CREATE', 'DELETE']"), true)
  assert.is(condition("activity.action != 'CREATE'"), false)
})

it('reads the fields of approvers', () => {
  assert.is(consensus("approvers.any(user, user.id == 'grace')", both), true)
  assert.is(consensus("approvers.any(user, user.id == 'joan')", both), false)
  assert.is(consensus("approvers.all(user, user.tags.contains('red'))", both), true)
  assert.is(consensus("approvers.all(user, 'blue' in user.tags)", both), false)
  assert.is(consensus("approvers[0].email == 'ada@example.org' && approvers[1].email == ''", both), true)
  assert.is(consensus("approvers[0].alias == 'Ada'", both), true)
})

it('reads the fields of credentials', () => {
  assert.is(
    consensus("credentials.any(c, c.type == 'CREDENTIAL_TYPE_API_KEY_ED25519' && c.user_id == 'grace')", both),
    true,
  )
  assert.is(consensus("credentials.all(c, c.credential_id == '' && c.public_key == '02aa')", both), true)
  assert.is(consensus("credentials.any(c, c.id == 'ada-key-1')", both), true)
})

it('counts, filters, nests and chains', () => {
  assert.is(consensus('approvers.count() == 2', both), true)
  assert.is(consensus('approvers.count >= 2', both), true)
  assert.is(consensus("approvers.filter(u, u.tags.contains('blue')).count() >= 2", both), false)
  assert.is(consensus("approvers.filter(u, u.tags.contains('blue')).filter(u, u.id == 'ada').count == 1", both), true)
  assert.is(consensus('approvers.all(a, credentials.any(c, c.user_id == a.id))', both), true)
  assert.is(consensus("approvers.any(u, u.tags.any(u, u == 'blue'))", both), true)
})

it('finds nothing in an empty list, and nothing against it', () => {
  assert.is(consensus("approvers.any(u, u.id == 'ada')"), false)
  assert.is(consensus("approvers.all(u, u.id == 'ada')"), true)
  assert.is(condition('activity.type in []'), false)
  assert.is(condition('[].count() == 0'), true)
  assert.is(condition("[['a'], []][1].contains('a')"), false)
})

it('compares numbers, strings and booleans', () => {
  assert.is(condition('1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && -1 < 0'), true)
  assert.is(condition(`${2n ** 256n - 1n} > ${2n ** 127n}`), true)
  assert.is(condition('true == !false && true != false'), true)
  assert.is(condition("'a' == 'A'"), false)
})

it('compares a number with its decimal digits', () => {
  assert.is(condition("1 == '1' && '2' == 2 && 3 != '4' && '-1' == -1"), true)
  assert.is(consensus("approvers.count() == '2'", both), true)
  assert.match(refusal("1 == 'one'"), /expected a number to compare with, found a string$/)
  assert.match(refusal("1 < '2'"), /expected a number, found a string$/)
  assert.is(condition('activity.type == 1'), 'error')
})

it('compares addresses without regard to capitals, and nothing else', () => {
  assert.is(condition("'0xAbC' == '0xaBc' && '0xA' in ['0xa'] && ['0xa'].contains('0xA')"), true)
  assert.is(condition("'0xA09bC' == '0xa09Bc' && '0xA1' != '0xa2'"), true)
  assert.is(condition("'0xAbC' != '0xaBc'"), false)
  assert.is(condition("'0xAbG' == '0xabg'"), false)
  assert.is(condition("'0XAB' == '0xab'"), false)
  assert.is(condition("'TXyz' == 'txyz'"), false)
})

it('takes parameters as they come', () => {
  const facts = withParams({ length: 6, digits: '6', ids: ['a', 'b'], flag: true, amounts: [1, 2], count: 3 })
  assert.is(
    condition("activity.params.length == 6 && activity.params.length == '6' && activity.params.length < 7", facts),
    true,
  )
  assert.is(condition("activity.params.digits == 6 && activity.params.digits == '6'", facts), true)
  assert.is(condition("activity.params.ids.contains('a') && activity.params.ids.count() == 2", facts), true)
  assert.is(condition("activity.params.ids[1] == 'b' && activity.params.ids[0..1].count == 1", facts), true)
  assert.is(condition('activity.params.amounts.all(x, x > 0) && 2 in activity.params.amounts', facts), true)
  assert.is(condition('activity.params.amounts[activity.params.amounts[0]] == 2', facts), true)
  assert.is(condition('activity.params.flag == true && activity.params.count == 3', facts), true)
})

it('errs where a parameter is missing or of another type', () => {
  const facts = withParams({ text: 'a', nothing: null, half: 0.5, huge: 2 ** 60, struct: { a: 1 }, mixed: ['a', 1] })
  assert.is(condition("activity.params.other == 'a'", facts), 'error')
  assert.is(condition("activity.params.constructor == 'a'", facts), 'error')
  assert.is(condition("activity.params.nothing == 'a'", facts), 'error')
  assert.is(condition('activity.params.half == 0', facts), 'error')
  assert.is(condition('activity.params.huge > 0', facts), 'error')
  assert.is(condition("activity.params.struct == 'a'", facts), 'error')
  assert.is(condition('activity.params.text < 1', facts), 'error')
  assert.is(condition('activity.params.text == 1', facts), 'error')
  assert.is(condition('activity.params.text.count() == 1', facts), 'error')
  assert.is(condition("activity.params.mixed.contains('a')", facts), 'error')
  for (const part of ['[activity.params.text]', '[activity.params.text..1]', '[0..activity.params.text]'])
    assert.is(condition(`[['a', 'b']${part}].count() == 1`, facts), 'error', part)
})

it('errs as a whole where one clause errs, wherever that stands', () => {
  assert.is(condition("true || activity.params.other == 'a'"), 'error')
  assert.is(condition("false && activity.params.other == 'a'"), 'error')
  assert.is(condition("activity.params.other == 'a' || true"), 'error')
  assert.is(consensus("approvers.any(user, user.id == 'ada' || approvers[2].id == 'x')", both), 'error')
  assert.is(consensus("approvers.any(user, user.tags[1] == 'blue')", both), 'error')
})

it('takes items and slices of lists and strings, within their length', () => {
  assert.is(condition("activity.kind[0] == 'C' && activity.kind[0..6] == 'CREATE'"), true)
  assert.is(condition("activity.kind[0..0] == '' && ['a', 'b'][0..2].count == 2"), true)
  for (const part of ["''[0]", "'a'[1]", "'a'[-1]", "'a'[0..2]", "'abc'[2..1]", "'a'[-1..0]", "'abc'[1..3][2]"]) {
    assert.is(condition(`${part} == ''`), 'error', part)
  }
  assert.is(condition(`['a'][${2n ** 200n}] == ''`), 'error')
})

it('refuses a keyword or field that does not exist, in the words of the wire', () => {
  const absent = 'Expression cannot be evaluated: field does not exist'
  assert.is(
    refusal("toppings == 'x'"),
    `REQUEST_INVALID invalid policy condition: ${absent}: toppings, at line 1, column 1`,
  )
  assert.is(
    refusal("activity.name == 'x'"),
    `REQUEST_INVALID invalid policy condition: ${absent}: name, at line 1, column 10`,
  )
  assert.is(
    refusal('approvers.count() == 1'),
    `REQUEST_INVALID invalid policy condition: ${absent}: approvers (it belongs in the consensus), at line 1, column 1`,
  )
  assert.is(
    refusal("activity.type == 'x'", compileConsensus),
    `REQUEST_INVALID invalid policy consensus: ${absent}: activity (it belongs in the condition), at line 1, column 1`,
  )
  assert.is(
    refusal("approvers.any(u, u.name == 'x')", compileConsensus),
    `REQUEST_INVALID invalid policy consensus: ${absent}: name, at line 1, column 20`,
  )
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.match(refusal(`${name} == 'x'`), absent)
    assert.match(refusal(`activity.${name} == 'x'`), absent)
  }
  assert.is(refusal(`${'x'.repeat(5000)} == 1`).length < 200, true)
})

it('refuses what does not fit together, with the place', () => {
  assert.is(
    refusal("activity.type ==\n  activity.type && 'a'"),
    'REQUEST_INVALID invalid policy condition: line 2, column 20: expected a boolean, found a string',
  )
  const refused = [
    'activity.type',
    'activity.params.x',
    'activity == activity',
    "activity.type < 'a'",
    "'a' in 'abc'",
    "1 in ['a']",
    "['a', 1].count() == 2",
    "['a'].contains(1)",
    "['a'] == ['a']",
    'activity.type.count() == 1',
    'activity.type.any(x, true)',
    "['a'].any(x, x)",
    "['a'].filter(x, true)",
    "!'a'",
    'true && 1',
    "['a']['a'] == 'a'",
    "activity.params.x.y == 'a'",
  ]
  for (const text of refused) assert.match(refusal(text), /^REQUEST_INVALID invalid policy condition: /, text)
})

it('refuses a variable that has the name of a keyword', () => {
  assert.match(refusal('approvers.any(approvers, true)', compileConsensus), /not a keyword/)
  assert.match(refusal('approvers.any(credentials, true)', compileConsensus), /not a keyword/)
  assert.match(refusal('[1].any(true, true)'), /not a keyword/)
  assert.is(refusal('[1].any(any, any == 1)'), 'accepted')
})

it('repeats no string of the text in its refusal', () => {
  for (const text of ["'topsecret' == 1", "activity.type == 'topsecret' 'topsecret'", "('topsecret'", "'topsecret"]) {
    assert.not.match(refusal(text), /topsecret/)
  }
})

it('refuses a long text at once', () => {
  assert.is(refusal(`true${' '.repeat(TEXT_LENGTH_MAX - 4)}`), 'accepted')
  assert.match(refusal(`true${' '.repeat(TEXT_LENGTH_MAX - 3)}`), /at most 16384 characters/)
  assert.match(refusal('('.repeat(10_000_000)), /at most 16384 characters/)
})

it('takes a chain of many clauses, which is flat', () => {
  const clauses = Array.from({ length: 400 }, (_, index) => `approvers.any(u, u.id == 'u${index}')`)
  assert.is(consensus(clauses.join(' || '), both), false)
})

it('refuses a chain of many calls, which is deep', () => {
  assert.match(
    refusal(`approvers${'.filter(u, true)'.repeat(100)}.count() == 1`, compileConsensus),
    /at most 64 levels/,
  )
})

it('stops an evaluation that takes too many steps', () => {
  const facts = withParams({ ids: Array.from({ length: 400 }, (_, index) => `${index}`) })
  const nested = 'activity.params.ids.any(a, activity.params.ids.any(b, activity.params.ids.any(c, a == c)))'
  assert.is(condition(nested, facts), 'error')
  assert.is(condition("activity.params.ids.any(a, a == '399')", facts), true)
})

it('counts the length of strings as steps', () => {
  const long = '0x'.padEnd(1_000_000, 'A')
  const facts = withParams({ long, other: long.toLowerCase(), list: Array.from({ length: 1000 }, () => long) })
  assert.is(condition('activity.params.long == activity.params.other', facts), true)
  assert.is(condition('activity.params.list.all(x, x == activity.params.other)', facts), 'error')
})

it('compiles a text once while it is in use, and forgets it after many others', () => {
  const text = "activity.type == 'in use'"
  const first = compiled(compileCondition(text))
  assert.is(compiled(compileCondition(text)), first)
  for (let i = 0; i < 200; i += 1) compileCondition(`'${'x'.repeat(10_000)}' == '${i}'`)
  assert.is.not(compiled(compileCondition(text)), first)
})

it.run()
