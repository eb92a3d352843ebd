import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { explain, type Explained } from '../../../core/policy/explain.ts'
import { evaluatorOf, STEPS_MAX, type Run } from '../../../core/policy/evaluator.ts'
import type { Facts } from '../../../core/policy/expression.ts'
import { parse } from '../../../core/policy/parser.ts'
import { printNode } from '../../../core/policy/print-node.ts'
import type { Node } from '../../../core/policy/syntax.ts'
import { anyCredentialFact, anyFacts, anyUserFact } from './any.ts'
import { anyNode, tagIds, userIds } from './arbitrary.ts'
import { caseOf } from './generated.ts'
import { naiveEvaluate } from './naive.ts'

/* The explaining evaluator, beside the compiled and the naive one. */
const it = suite('explaining an expression')

const runOn = (facts: Facts, stepsMax = STEPS_MAX): Run => ({
  facts,
  variables: [],
  stepsMax,
  textShift: 4,
  steps: 0,
  reason: undefined,
  isExhausted: false,
})

const nodeOf = (text: string): Node => {
  const parsed = parse(text)
  if (parsed._tag === 'Left') throw new Error(parsed.left.message)
  return parsed.right
}

const explained = (text: string, facts: Facts = anyFacts()): Explained => explain(nodeOf(text), runOn(facts))

const someFacts: fc.Arbitrary<Facts> = fc
  .record({
    people: fc.subarray([...userIds]),
    tags: fc.subarray([...tagIds]),
    params: fc.record(
      {
        amount: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constantFrom('2', 'x', 0.5)),
        ids: fc.array(fc.constantFrom(...userIds), { maxLength: 3 }),
        address: fc.constantFrom('0xabcdef', '0xABCDEF', 'other'),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ people, tags, params }) =>
    anyFacts({
      activity: { params },
      approvers: people.map((id) => anyUserFact({ id, alias: id, tags })),
      credentials: people.map((id) => anyCredentialFact({ id: `${id}-key-1`, user_id: id })),
    }),
  )

/** `POLICY_CASES` makes it more. */
const CASES = Number(process.env['POLICY_CASES'] ?? 20_000)
const RUNS = Math.min(CASES, 20_000)

it('agrees with the compiled evaluator in value, error and steps on trees of any shape', () => {
  let failed = 0
  fc.assert(
    fc.property(anyNode, someFacts, fc.constantFrom(STEPS_MAX, 40, 7), (node, facts, stepsMax) => {
      const [one, other] = [runOn(facts, stepsMax), runOn(facts, stepsMax)]
      const value = evaluatorOf(node)(one)
      const tree = explain(node, other)
      assert.equal(tree.value, value)
      assert.equal([other.reason, other.isExhausted], [one.reason, one.isExhausted])
      assert.is(other.steps, one.steps)
      assert.is(countOf(tree, 'error'), one.reason === undefined ? 0 : 1)
      failed += one.reason === undefined ? 0 : 1
    }),
    { numRuns: RUNS },
  )
  assert.ok(failed > RUNS / 100)
})

const countOf = ({ state, parts }: Explained, wanted: Explained['state']): number =>
  parts.reduce((sum, part) => sum + countOf(part, wanted), state === wanted ? 1 : 0)

// In parts, because each test has a limit of time.
const PART = 50_000

for (let first = 1; first <= CASES; first += PART) {
  const count = Math.min(PART, CASES + 1 - first)
  it(`agrees with the compiled and the naive evaluator on the ${count} generated expressions from ${first}`, () => {
    const seen = { true: 0, false: 0, error: 0 }
    for (let seed = first; seed < first + count; seed += 1) {
      const { text, facts } = caseOf(seed)
      const node = nodeOf(text)
      const [one, other] = [runOn(facts), runOn(facts)]
      const value = evaluatorOf(node)(one)
      const tree = explain(node, other)
      const given = typeof tree.value === 'boolean' ? tree.value : 'error'
      seen[`${given}`] += 1
      assert.is(tree.value, value, text)
      assert.is(other.reason, one.reason, text)
      assert.is(other.steps, one.steps, text)
      assert.is(given, naiveEvaluate(text, facts), text)
    }
    for (const times of Object.values(seen)) assert.ok(times > count / 20, JSON.stringify(seen))
  })
}

it('prints what parses to the same tree', () => {
  fc.assert(
    fc.property(anyNode, (node) => {
      const printed = printNode(node)
      const again = parse(printed)
      if (again._tag === 'Right') assert.is(printNode(again.right), printed)
      if (again._tag === 'Right') assert.equal(withoutPlaces(again.right), withoutPlaces(node))
      else assert.match(again.left.message, /at most 64 levels/)
    }),
  )
})

/** The tree without places: those of the text are others. */
const withoutPlaces = (node: Node): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value: unknown) =>
      key === 'at' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
    ),
  )

it('writes parentheses where they are needed, and nowhere else', () => {
  for (const text of [
    '(a || b) && c',
    'a || b && !(c || d)',
    '!(a == b) && (a == b) == c',
    '(a in b).c[1..2].any(x, x == 1 || !x)',
    "{ a: [1, -2], b: 'x' } == c",
    '(a && b) && c',
  ])
    assert.is(printNode(nodeOf(text)), text)
})

it('marks the first error, and says which member was missing', () => {
  const facts = anyFacts({ activity: { params: { amount: 5, user_id: 'ada' } } })
  const tree = explained("activity.params.amont > 3 && activity.kind == 'X' || true", facts)
  const pathTo = (part: Explained): readonly Explained[] => {
    if (part.state === 'error') return [part]
    const below = part.parts.map(pathTo).find((path) => path.length > 0)
    return below === undefined ? [] : [part, ...below]
  }
  const path = pathTo(tree)
  const error = path.at(-1)
  assert.is(error?.reason, 'missing field: amont')
  assert.is(error?.hint, 'activity.params has no amont; it has amount, user_id (did you mean amount?)')
  assert.equal(
    path.map(({ state, node }) => [state, node._tag]),
    [
      ['failed', 'logic'],
      ['failed', 'logic'],
      ['failed', 'compare'],
      ['error', 'field'],
    ],
  )
  assert.is(countOf(tree, 'not-reached'), 2)
})

it('says what was wrong with an index and with types', () => {
  const facts = anyFacts({ activity: { params: { ids: ['a'], text: 'x', map: { known: 1 } } } })
  const hintOf = (text: string): string | undefined => {
    const find = (part: Explained): string | undefined =>
      part.hint ?? part.parts.map(find).find((hint) => hint !== undefined)
    return find(explained(text, facts))
  }
  assert.is(hintOf('activity.params.ids[1] == 1'), 'activity.params.ids has 1 item, counted from 0')
  assert.is(hintOf('activity.params.text > 1'), 'a string was compared with a number')
  assert.is(
    hintOf("activity.params.map['knwn'] == 1"),
    'activity.params.map has no knwn; it has known (did you mean known?)',
  )
  assert.is(hintOf("wallet.label == 'x'"), 'this activity has no wallet; it has approvers, credentials, activity')
})

it('keeps what each part was worth, with the variables of each element', () => {
  const facts = anyFacts({ approvers: [anyUserFact({ id: 'ada' }), anyUserFact({ id: 'grace' })] })
  const tree = explained("approvers.any(user, user.id == 'grace')", facts)
  assert.is(tree.value, true)
  const [list, ...each] = tree.parts
  assert.is(list?.state, 'value')
  assert.equal(
    each.map(({ value, variable, parts }) => [value, variable?.name, parts[0]?.value]),
    [
      [false, 'user', 'ada'],
      [true, 'user', 'grace'],
    ],
  )
})

it('keeps no more parts than it may, and evaluates all of them', () => {
  const approvers = userIds.map((id) => anyUserFact({ id }))
  const run = runOn(anyFacts({ approvers }))
  const tree = explain(nodeOf("approvers.all(user, user.id != 'nobody')"), run, { partsMax: 4 })
  const sizeOf = ({ parts }: Explained): number => parts.reduce((sum, part) => sum + sizeOf(part), parts.length)
  assert.is(sizeOf(tree), 4)
  assert.is(tree.value, true)
})

it.run()
