import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../../core/countersign-error.ts'
import { checkPolicies, type PolicyMistake } from '../../../core/policy-tools/check-policies.ts'

const it = suite('checking policies')

const policy = (more: object = {}) => ({ policyName: 'one', effect: 'EFFECT_ALLOW', ...more })
const mistakesIn = (...policies: readonly object[]): readonly PolicyMistake[] => checkPolicies(JSON.stringify(policies))
const codeOf = (text: string): string => {
  try {
    checkPolicies(text)
    return 'accepted'
  } catch (error) {
    return failureOf(error)?.code ?? 'thrown'
  }
}

/** A mistake as its place and the characters there. */
const shown = ({ policy: of, clause, place }: PolicyMistake) => [
  of?.number,
  clause,
  place?.line,
  place?.column,
  place?.text.slice(place.column - 1, place.column - 1 + place.length),
]

it('finds nothing in policies as they are created and listed', () => {
  assert.equal(mistakesIn(policy(), policy({ policyName: 'two', consensus: 'approvers.count() > 1', notes: '' })), [])
  const listed = policy({ policyId: '1', condition: '', createdAt: { seconds: '1', nanos: '0' }, updatedAt: null })
  assert.equal(checkPolicies(JSON.stringify({ policies: [listed] })), [])
  assert.equal(mistakesIn(policy({ time: "CronSpan('0 9 * * 1-5', '8h', 'UTC')" })), [])
})

it('finds every mistake of every clause, with its place', () => {
  const mistakes = mistakesIn(
    policy({ condition: "activity.resorce == 'USER' &&\n  activity.kind < 'A'", consensus: 'true' }),
    policy({ policyName: 'two', consensus: "approvers.any(user, user.id = 'a')", time: 'time.now' }),
  )
  assert.equal(mistakes.map(shown), [
    [1, 'condition', 1, 10, 'resorce'],
    [1, 'condition', 2, 12, 'kind'],
    [1, 'condition', 2, 19, "'A'"],
    [2, 'consensus', 1, 29, '='],
    [2, 'time', 1, 6, 'now'],
  ])
  assert.equal([mistakes[0]?.absent, mistakes[0]?.nearest], ['resorce', 'resource'])
})

it('finds what is wrong with a policy besides its expressions', () => {
  const messages = mistakesIn(policy(), policy(), policy({ policyName: 'three', conditon: '' }), {
    policyName: 'four',
  }).map(({ policy: of, message }) => [of?.number, of?.policyName, message])
  assert.equal(messages, [
    [2, 'one', 'policy label must be unique'],
    [3, 'three', 'a policy has no member conditon (did you mean condition?)'],
    [4, 'four', 'invalid policy at effect: missing field; expected EFFECT_ALLOW or EFFECT_DENY'],
  ])
})

it('finds every mistake of a policy, also besides those of its form', () => {
  const wrong = { policyName: 1, effect: 'allow', nots: '', xyz: '', condition: "activity.resorce == 'USER'", time: 1 }
  const mistakes = mistakesIn(wrong, policy({ policyName: '' }), policy({ consensus: 'true &&' }))
  assert.equal(
    mistakes.map(({ policy: of, clause, message }) => [of?.number, clause, message.slice(0, 44)]),
    [
      [1, undefined, 'a policy has no member nots (did you mean no'],
      [1, undefined, 'a policy has no member xyz'],
      [1, undefined, 'invalid policy at policyName: expected a lab'],
      [1, undefined, 'invalid policy at effect: expected EFFECT_AL'],
      [1, undefined, 'invalid policy at time: expected string'],
      [1, 'condition', 'Expression cannot be evaluated: field does n'],
      [2, undefined, 'invalid policy at policyName: expected a lab'],
      [3, 'consensus', 'expected an expression, found the end'],
    ],
  )
})

it('checks one bare expression', () => {
  assert.equal(checkPolicies('approvers.count() > 1\n', { clause: 'consensus' }), [])
  const [mistake] = checkPolicies('approvers.count() > 1', { clause: 'condition' })
  assert.equal([mistake?.policy, mistake?.clause, mistake?.place?.length], [undefined, 'condition', 9])
  const [atEnd] = checkPolicies('true &&', { clause: 'condition' })
  assert.equal([atEnd?.place?.column, atEnd?.place?.length], [8, 0])
})

it('refuses what is no list of policies', () => {
  for (const text of ['', '{', '1', '{}', '{"policies":1}', 'null', '"a"', '[1,]', '{"a":1,"a":2}'])
    assert.is(codeOf(text), 'REQUEST_INVALID', text)
})

it('reads any text without throwing anything else, and places every mistake inside', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.jsonValue().map((json) => JSON.stringify([json, { policies: json }])),
    fc
      .record(
        {
          policyName: fc.string(),
          effect: fc.constantFrom('EFFECT_DENY', 'x'),
          condition: fc.string({ unit: 'binary' }),
        },
        { requiredKeys: [] },
      )
      .map((one) => JSON.stringify([one, one])),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      assert.ok(['accepted', 'REQUEST_INVALID', 'REQUEST_TOO_LARGE'].includes(codeOf(text)))
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), mutated), (text) => {
      for (const { place } of checkPolicies(text, { clause: 'condition' })) {
        const line = text.split('\n')[(place?.line ?? 0) - 1]
        assert.is(place?.text, line)
        assert.ok((place?.column ?? 0) - 1 + (place?.length ?? 0) <= (line?.length ?? -1))
      }
    }),
    { numRuns: 2_000 },
  )
})

const mutated = fc
  .tuple(fc.nat(60), fc.string({ unit: 'binary', maxLength: 3 }))
  .map(([at, put]) => `${RIGHT.slice(0, at)}${put}${RIGHT.slice(at)}`)
const RIGHT = "activity.resource == 'USER' &&\n activity.params.ids.any(id, id != 'a')"

it.run()
