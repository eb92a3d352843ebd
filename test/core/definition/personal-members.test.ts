import fc from 'fast-check'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { fields, list } from '../../../core/codec/fields.ts'
import { personal, subject } from '../../../core/codec/personal.ts'
import { personalMembers, type Outcome } from '../../../core/definition/personal-members.ts'
import type { Json } from '../../../core/failure.ts'
import type { PartBytes } from '../../../core/log/event.ts'
import { noParts, type Parts } from '../../../core/log/parts.ts'
import { encodePersonal, personalPart, personOf } from '../../../core/log/personal-part.ts'
import { eraseUser, erasure } from '../../../core/resources/erasure/erasure.ts'
import { texts } from '../resources/all-examples.ts'
import { PERSONAL } from '../resources/example.ts'
import { textMembersOf } from '../resources/text-members.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('personal members of an operation')

/** A codec, and values that it accepts. */
type Shape = { readonly codec: t.Mixed; readonly value: fc.Arbitrary<Json> }

const people = ['ada', 'grace', 'eve']
const canary = fc.string({ maxLength: 4 }).map((text) => `canary ${text}`)

/** The personal members that stand in each object with a subject, and in objects inside of it. */
const own = { name: personal(t.string, ''), numbers: personal(t.array(t.number), [0]) }
const ownValues = { name: canary, numbers: fc.array(fc.integer(), { maxLength: 3 }) }
const ownOptional = { mail: personal(t.string), maybe: personal(t.union([t.string, t.null]), null) }
const ownOptionalValues = { mail: canary, maybe: canary }
const plain = { text: fc.string({ maxLength: 3 }), none: fc.constant(null) }

const recordOf = (
  required: { [member: string]: fc.Arbitrary<Json> },
  optional: { [member: string]: fc.Arbitrary<Json> },
) => fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true })

const person = (inside: Shape): Shape => ({
  codec: fields(
    { of: subject(t.string), ...own, text: t.string, none: t.null },
    { ...ownOptional, inside: inside.codec },
  ),
  value: recordOf(
    { of: fc.constantFrom(...people), ...ownValues, ...plain },
    { ...ownOptionalValues, inside: inside.value },
  ),
})

const leaf: Shape = { codec: t.array(t.union([t.number, t.null])), value: fc.array(fc.constantFrom(1, null)) }

const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape; person: Shape }>((tie) => ({
  person: tie('shape').map(person),
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(leaf),
    tie('person'),
    tie('person').map(({ codec, value }): Shape => ({ codec: list(codec), value: fc.array(value, { maxLength: 3 }) })),
    tie('shape').map(({ codec, value }): Shape => ({
      codec: t.record(t.string, codec),
      value: fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__'), value, { maxKeys: 3, noNullPrototype: true }),
    })),
    fc.tuple(tie('person'), tie('shape')).map(([one, other]): Shape => ({
      codec: fields({ one: one.codec }, { other: other.codec }),
      value: recordOf({ one: one.value }, { other: other.value }),
    })),
  ),
})).shape

/** Codecs of a change and a result, with values; each value as the log gives it back. */
const scene = fc.tuple(shape, shape).chain(([change, result]) =>
  fc.record({
    codecs: fc.constant({ change: change.codec, result: result.codec }),
    outcome: fc.record({ change: change.value, result: result.value }, { noNullPrototype: true }).map(parsed),
  }),
)

function parsed(outcome: Outcome): Outcome {
  return JSON.parse(JSON.stringify(outcome)) as Outcome // just written
}

const partsAs = (parts: PartBytes, erased: readonly string[] = []): Parts =>
  new Map(
    Object.entries(parts).map(([name, bytes]) => [name, erased.includes(personOf(name) ?? '') ? 'erased' : bytes]),
  )

/** What is read of a value once the data of these persons is gone: told once more, without the codecs. */
const without = (value: Json, erased: readonly string[], outer = ''): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => without(one, erased, outer))
  if (typeof value !== 'object' || value === null) return value
  const members = value as { readonly [member: string]: Json }
  const isPerson = Object.hasOwn(members, 'of')
  const of = typeof members['of'] === 'string' ? members['of'] : outer
  const left = Object.entries(members).flatMap(([name, one]): (readonly [string, Json])[] => {
    if (!isPerson || !erased.includes(of)) return [[name, without(one, erased, of)]]
    if (name === 'mail') return []
    if (name === 'name') return [[name, '']]
    if (name === 'numbers') return [[name, [0]]]
    return [[name, name === 'maybe' ? null : without(one, erased, of)]]
  })
  return Object.fromEntries(left)
}

/** All persons in a value. */
const peopleIn = (value: Json): readonly string[] =>
  people.filter((one) => JSON.stringify(value).includes(`"of":"${one}"`))

const read = (found: ReturnType<typeof personalMembers>, line: Outcome, parts: Parts): Outcome => ({
  change: found.change(line.change, parts),
  result: found.result(line.result, parts),
})

it('are taken out of a line and put back: nothing is lost, and nothing stays in the line', () =>
  fc.assert(
    fc.property(scene, ({ codecs, outcome }) => {
      const before = structuredClone(outcome)
      const found = personalMembers('T', codecs)
      const { outcome: line, parts } = right(found.taken(outcome))
      assert.equal(outcome, before, 'it is copied')
      assert.not.match(JSON.stringify(line), 'canary')
      assert.equal(
        Object.keys(parts)
          .map((name) => personOf(name) ?? '')
          .toSorted(),
        peopleIn([outcome.change, outcome.result]).toSorted(),
      )
      assert.equal(read(found, parsed(line), partsAs(parts)), outcome)
    }),
    { numRuns: 1000 },
  ))

it('give their fallbacks where a part is erased, and the values of all others', () =>
  fc.assert(
    fc.property(scene, fc.subarray(people), ({ codecs, outcome }, erased) => {
      const found = personalMembers('T', codecs)
      const { outcome: line, parts } = right(found.taken(outcome))
      const expected = { change: without(outcome.change, erased), result: without(outcome.result, erased) }
      const again = read(found, parsed(line), partsAs(parts, erased))
      assert.equal(again, expected)
      assert.ok(codecs.change.is(again.change), 'the codec of the change reads the fallbacks')
      assert.ok(codecs.result.is(again.result), 'the codec of the result reads the fallbacks')
    }),
    { numRuns: 1000 },
  ))

it('stay in a line that has them, from before its operation marked them: it reads as it is', () =>
  fc.assert(
    fc.property(scene, fc.subarray(people), ({ codecs, outcome }, erased) => {
      const found = personalMembers('T', codecs)
      assert.equal(read(found, outcome, noParts), outcome)
      // An event of then may have parts, but never one of these.
      const bundle: Parts = new Map([['bundle', erased.length > 0 ? 'erased' : encodeUtf8('{}')]])
      assert.equal(read(found, outcome, bundle), outcome)
    }),
    { numRuns: 300 },
  ))

const User = fields({ userId: subject(t.string), userName: personal(t.string, '-') }, { userEmail: personal(t.string) })
const created = personalMembers('T', { change: fields({ users: list(User) }), result: fields({ users: list(User) }) })
const twenty = Array.from({ length: 20 }, (_, n) => ({ userId: `u${n}`, userName: `name ${n}`, userEmail: `${n}@x` }))

it('have a part for each of twenty users: without the one of the seventh, nineteen have their names', () => {
  const { outcome, parts } = right(created.taken({ change: { users: twenty }, result: { users: [] } }))
  assert.equal(
    Object.keys(parts),
    twenty.map(({ userId }) => `personal:${userId}`),
  )
  const left = created.change(outcome.change, partsAs(parts, ['u7']))
  assert.equal(left, { users: twenty.with(7, { userId: 'u7', userName: '-' } as never) })
})

it('keep the values of change and result apart, in the order in which they stand', () => {
  const ada = (userName: string) => ({ userId: 'ada', userName })
  const outcome = { change: { users: [ada('one'), ada('two')] }, result: { users: [ada('three')] } }
  const { outcome: line, parts } = right(created.taken(outcome))
  assert.is(decodeUtf8(parts['personal:ada'] ?? new Uint8Array()), '{"change":["one","two"],"result":["three"]}')
  assert.equal(created.result(line.result, partsAs(parts)), outcome.result)
  assert.equal(created.change(line.change, partsAs(parts)), outcome.change)
})

const line = { users: [{ userId: 'ada', userName: null, userEmail: null }] }
const partOf = (bytes: Uint8Array): Parts => new Map([[personalPart('ada'), bytes]])
const damages: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['no JSON', encodeUtf8('{')],
  ['no UTF-8', Uint8Array.of(0xff)],
  ['another form', encodeUtf8('["Ada","a@x"]')],
  ['fewer values', encodePersonal({ change: ['Ada'] })],
  ['none of the values', encodePersonal({ result: ['Ada', 'a@x'] })],
  ['more values', encodePersonal({ change: ['Ada', 'a@x', 'Eve'] })],
]
for (const [name, bytes] of damages)
  it(`are not read from a part with ${name}`, () => assert.throws(() => created.change(line, partOf(bytes)), TypeError))

it('stay null where the event has no part of their person', () => {
  assert.equal(created.change(line, noParts), line)
  assert.equal(created.change(line, new Map([[personalPart('eve'), encodePersonal({ change: [] })]])), line)
})

it('are refused where their subject cannot be in the name of a part', () => {
  for (const userId of ['', 'a b', 'ä', 'a:b', 'x'.repeat(81)])
    assert.is(codeOf(created.taken({ change: { users: [{ userId, userName: 'Ada' }] }, result: {} })), 'INTERNAL')
})

it('are none where the codecs have none: outcomes are what they are', () => {
  const found = personalMembers('T', { change: t.null, result: fields({ userId: t.string }) })
  const outcome = { change: null, result: { userId: 'ada' } }
  assert.is(found.areThere, false)
  assert.is(created.areThere, true)
  const taken = right(found.taken(outcome))
  assert.is(taken.outcome, outcome)
  assert.equal(taken.parts, {})
  assert.is(found.change(outcome.change, partOf(encodePersonal({}))), outcome.change)
})

it('say at the start of which operation, and where, one is wrong', () => {
  const codecs = { change: t.null, result: fields({ userName: personal(t.string, '') }) }
  assert.throws(() => personalMembers('ACTIVITY_TYPE_X', codecs), /^the result of ACTIVITY_TYPE_X: .*needs a subject/)
})

it('are there in each operation of the catalogue that has a text of which the examples say that it is personal', () => {
  const operations = [...publicApi, ...erasure, ...webhookOperations].flatMap(({ operations: routed, unrouted }) => [
    ...routed,
    ...unrouted,
  ])
  const areThere = operations.filter(({ personal: of }) => of.areThere).map(({ type }) => type)
  const named = operations.filter((one) => {
    const { personal: marked, others } = textMembersOf([one])
    return [...marked, ...others].some((member) => texts[member] === PERSONAL)
  })
  assert.ok(areThere.length >= 9)
  assert.equal(areThere, named.map(({ type }) => type)) // prettier-ignore
  assert.is(eraseUser.personal.areThere, false, 'an erasure leaves no personal data of its own')
})

it.run()
