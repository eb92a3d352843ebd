import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refined, Uuid } from '../../../core/codec/codec.ts'
import { defaulted } from '../../../core/codec/defaulted.ts'
import { described } from '../../../core/codec/described.ts'
import { fields, list } from '../../../core/codec/fields.ts'
import { mapOf } from '../../../core/codec/map-of.ts'
import { personal, personalMembersOf, subject, type PersonalValue } from '../../../core/codec/personal.ts'
import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('personal members of a codec')

const Key = fields({ keyName: personal(t.string, '') })
const User = fields(
  { userId: subject(t.string), userName: personal(t.string, '-'), tagIds: t.array(t.string) },
  { userEmail: personal(t.string), keys: list(Key) },
)
const ada = { userId: 'ada', userName: 'Ada', tagIds: ['t'], userEmail: 'a@b.c', keys: [{ keyName: 'k' }] }

/** What is found in a written value, and the value with null in these places. */
const found = (codec: t.Mixed, written: Json) => {
  const all: PersonalValue[] = []
  const replacePersonal = personalMembersOf(codec)
  const rest = replacePersonal?.(written, (one) => {
    all.push(one)
    return null
  })
  return { all: all.map(({ of, value }) => [of, value]), fallbacks: all.map(({ fallback }) => fallback), rest }
}

it('are found with the user whose data they are, in their order, and with their fallbacks', () => {
  const { all, fallbacks, rest } = found(User, ada)
  assert.equal(all, [
    ['ada', 'Ada'],
    ['ada', 'a@b.c'],
    ['ada', 'k'],
  ])
  assert.equal(fallbacks, ['-', undefined, ''])
  assert.equal(rest, { ...ada, userName: null, userEmail: null, keys: [{ keyName: null }] })
})

it('are copied: the written value stays as it was', () => {
  const before = structuredClone(ada)
  found(User, ada)
  assert.equal(ada, before)
})

it('are left out where nothing replaces them, and not looked for where they are absent', () => {
  const replacePersonal = personalMembersOf(User)
  assert.equal(
    replacePersonal?.(ada, ({ fallback }) => fallback),
    { userId: 'ada', userName: '-', tagIds: ['t'], keys: [{ keyName: '' }] },
  )
  const { all } = found(User, { userId: 'ada', userName: 'Ada', tagIds: [] })
  assert.equal(all, [['ada', 'Ada']])
})

it('belong to the nearest subject around them', () => {
  const Team = fields({ leader: subject(t.string), leaderName: personal(t.string, ''), users: list(User), key: Key })
  const team = { leader: 'eve', leaderName: 'Eve', users: [ada, { ...ada, userId: 'bob' }], key: { keyName: 'hers' } }
  assert.equal(found(Team, team).all, [
    ['eve', 'Eve'],
    ...['ada', 'bob'].flatMap((id) => [
      [id, 'Ada'],
      [id, 'a@b.c'],
      [id, 'k'],
    ]),
    ['eve', 'hers'],
  ])
})

/** Each has one user somewhere inside. */
const containers: readonly (readonly [name: string, codec: t.Mixed, around: (user: Json) => Json])[] = [
  ['a list', list(User), (user) => [user]],
  ['an array', t.array(User), (user) => [user]],
  ['a readonly array', t.readonlyArray(User), (user) => [user]],
  ['a record', t.record(t.string, User), (user) => ({ one: user })],
  ['a member', fields({ user: User }), (user) => ({ user })],
  ['an optional member', fields({}, { user: User }), (user) => ({ user })],
  ['an object of io-ts', t.type({ user: User }), (user) => ({ user })],
  ['an exact object of io-ts', t.strict({ user: User }), (user) => ({ user })],
  ['a partial object of io-ts', t.partial({ user: User }), (user) => ({ user })],
  ['a readonly object of io-ts', t.readonly(t.type({ user: User })), (user) => ({ user })],
  ['a codec with a description', described(User, 'a user'), (user) => user],
  [
    'a member of many floors',
    fields({ a: list(t.record(t.string, fields({ b: User }))) }),
    (user) => ({ a: [{ x: { b: user } }] }),
  ],
]
for (const [name, codec, around] of containers)
  it(`are found inside ${name}`, () => {
    const { all, rest } = found(codec, around(ada))
    assert.equal(all.length, 3)
    assert.equal(rest, around(found(User, ada).rest ?? null))
  })

it('are found under notes and rules of their own', () => {
  const Name = personal(
    refined(t.string, 'a short text', (text) => text.length < 9),
    '',
  )
  const Noted = fields({ id: subject(t.string), name: described(Name, 'a name') })
  assert.equal(found(Noted, { id: 'ada', name: 'Ada' }), {
    all: [['ada', 'Ada']],
    fallbacks: [''],
    rest: { id: 'ada', name: null },
  })
})

it('are found where an absent member has a default', () => {
  const Noted = fields({
    id: subject(t.string),
    names: defaulted(list(Key), []),
    name: defaulted(personal(t.string, ''), 'a'),
  })
  const names = [{ keyName: 'k' }]
  assert.equal(found(Noted, { id: 'ada', names, name: 'Ada' }).all, [['ada', 'Ada'], ['ada', 'k']]) // prettier-ignore
})

it('have their fallbacks in written form', () => {
  const Backwards = new t.Type<string, unknown, unknown>('text', t.string.is, t.string.validate, (text) =>
    [...text].reverse().join(''),
  )
  const Named = fields({ id: subject(t.string), name: personal(Backwards, 'abc') })
  assert.equal(found(Named, { id: 'ada', name: 'adA' }).fallbacks, ['cba'])
})

it('are none in a codec without them', () => {
  for (const codec of [
    t.null,
    t.string,
    fields({ userId: subject(Uuid) }),
    t.union([t.string, t.null]),
    mapOf(t.string),
    t.unknown,
  ])
    assert.is(personalMembersOf(codec), undefined)
})

it('leave a value alone that is not what the codec says', () => {
  for (const written of [null, 1, 'text', [], [ada]]) assert.equal(found(User, written).rest, written)
  for (const written of [null, 1, {}, [1, null]]) assert.equal(found(list(User), written).rest, written)
  for (const written of [null, 1, [ada], { x: 1 }]) assert.equal(found(t.record(t.string, User), written).rest, written)
})

it('read and write like the codecs that they are made of', () => {
  assert.equal(User.decode(ada), E.right(ada))
  assert.ok(E.isLeft(User.decode({ ...ada, userName: 1 })))
  assert.equal(User.encode(ada), ada)
})

it('keep members apart that are named like those of every object', () => {
  const Odd = fields({ id: subject(t.string), constructor: personal(t.string, '') })
  assert.equal(found(Odd, { id: 'ada', constructor: 'Ada' }).all, [['ada', 'Ada']])
})

type Recursive = { readonly name: string; readonly next: Recursive | null }
const recursive = (name: t.Type<string, unknown, unknown>): t.Mixed => {
  const codec: t.Type<Recursive, unknown, unknown> = t.recursion('Recursive', () =>
    t.type({ name, next: t.union([codec, t.null]) }),
  )
  return codec
}

it('may stand beside a recursive codec', () => {
  const Chained = fields({ id: subject(t.string), name: personal(t.string, ''), chain: recursive(t.string) })
  const chained = { id: 'ada', name: 'Ada', chain: { name: 'x', next: { name: 'y', next: null } } }
  assert.equal(found(Chained, chained).rest, { ...chained, name: null })
})

const Name = personal(t.string, '')
const noSubject = /needs a subject/
const notFound = /cannot stand inside/
const wrong: readonly (readonly [name: string, codec: () => t.Mixed, says: RegExp])[] = [
  ['no subject', () => fields({ userId: t.string, userName: Name }), noSubject],
  ['no subject around a list', () => list(fields({ userName: Name })), noSubject],
  [
    'a subject inside instead of around',
    () => fields({ userName: Name, user: fields({ id: subject(t.string) }) }),
    noSubject,
  ],
  ['a subject in a neighbour', () => fields({ one: fields({ id: subject(t.string) }), other: Key }), noSubject],
  [
    'a subject under a description',
    () => fields({ id: described(subject(t.string), 'an id'), userName: Name }),
    noSubject,
  ],
  ['nothing around it', () => Name, noSubject],
  ['two subjects', () => fields({ a: subject(t.string), b: subject(t.string), userName: Name }), /has one subject/],
  [
    'a subject that may be absent',
    () => fields({ userName: Name }, { userId: subject(t.string) }),
    /must be a required member/,
  ],
  [
    'no fallback, and is required',
    () => fields({ id: subject(t.string), name: personal(t.string) }),
    /name is required, so it needs a fallback/,
  ],
  [
    'no fallback under a description',
    () => fields({ id: subject(t.string), name: described(personal(t.string), '') }),
    /needs a fallback/,
  ],
  [
    'personal members itself',
    () => fields({ id: subject(t.string), user: personal(User, ada) }),
    /must not have personal members itself/,
  ],
  ['its place in a list', () => fields({ id: subject(t.string), names: list(Name) }), /must be a member of an object/],
  [
    'its place in a record',
    () => fields({ id: subject(t.string), names: t.record(t.string, Name) }),
    /must be a member of an object/,
  ],
  ['its place in a union', () => t.union([User, t.null]), notFound],
  ['its place directly in a union', () => fields({ id: subject(t.string), name: t.union([Name, t.null]) }), notFound],
  ['its place in an intersection', () => t.intersection([User, t.type({ x: t.string })]), notFound],
  ['its place in a tuple', () => t.tuple([User, User]), notFound],
  ['its place in a map', () => fields({ users: mapOf(User) }), notFound],
  ['its place in a recursive codec', () => fields({ id: subject(t.string), chain: recursive(Name) }), notFound],
]
for (const [name, codec, says] of wrong)
  it(`are refused at the start if one has ${name}`, () => {
    for (let times = 0; times < 2; times += 1) assert.throws(() => personalMembersOf(codec()), says)
  })

it('are refused at the start with a fallback that does not fit', () =>
  assert.throws(
    () =>
      personal(
        refined(t.string, 'a text', (text) => text !== ''),
        '',
      ),
    /must fit its codec/,
  ))

it.run()
