import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  fromJson,
  initialState,
  ROOT,
  toJson,
  type State,
} from '../../../../../adapters/console/page/request/form-state.ts'
import {
  fieldOf,
  offeredOperations,
  optionName,
  wordsOf,
  type OfferedForm,
  type Schema,
} from '../../../../../adapters/console/page/request/schema-form.ts'
import { openApi } from '../../../../../adapters/http/openapi.ts'
import type { Json } from '../../../../../core/failure.ts'
import { erasure } from '../../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { everyExample, operations } from '../../../../core/resources/all-examples.ts'
import { borderTo } from '../../../../core/resources/bundle/border.ts'
import { doorOf, json, parametersOf, type Door } from '../../../../core/resources/scene.ts'
import { beginBelow, world } from '../../../../core/world/world.ts'

const it = suite('forms of requests')

const resources = [...publicApi, ...erasure, ...webhookOperations]

/** Plays in a world, with the document of its engine. */
const inAWorld = async (
  play: (door: Door, api: unknown) => Promise<void>,
  where?: (typeof everyExample)[number]['where'],
): Promise<void> => {
  const w = await world({ resources })
  const place = where === 'below' ? await beginBelow(w, w) : w
  const api: unknown = JSON.parse(JSON.stringify(openApi(w.engine)))
  await play({ ...doorOf(place, (await place.enrol('ada')).userId), border: borderTo(w.engine) }, api)
  await w.close()
}

const formOf = (api: unknown, path: string, type: string): OfferedForm => {
  const form = offeredOperations(api)
    .find((one) => one.path === path)
    ?.forms.find((one) => one.type === type)
  if (form === undefined) throw new Error(`no form for ${type}`)
  return form
}

/** The places at which a state has JSON where its field would be another one. */
const misfitsOf = (api: unknown, schema: Schema, state: State | undefined, isRequired = true): readonly string[] => {
  const field = fieldOf(api, schema, isRequired)
  if (state?.is === 'json') return field.kind === 'json' ? [] : [state.text]
  if (state?.is === 'list' && field.kind === 'list')
    return state.entries.flatMap((entry) => misfitsOf(api, field.entry, entry))
  if (state?.is !== 'object' || field.kind !== 'object') return []
  const described = field.members.flatMap((member) =>
    misfitsOf(api, member.schema, state.members[member.name], member.isRequired),
  )
  return [...described, ...(field.more === undefined ? state.others.map(({ name }) => name) : [])]
}

it('are there for each operation in each of its types, the newest first, and for no vote', () =>
  inAWorld(async (_, api) => {
    const offered = offeredOperations(api)
    const named = (path: string, types: readonly { readonly type: string }[]) =>
      types.map(({ type }) => `${path} ${type}`).toSorted()
    assert.equal(
      offered.flatMap(({ path, forms }) => named(path, forms)).toSorted(),
      operations.flatMap(({ path, versions }) => named(path, versions)).toSorted(),
    )
    for (const { path, forms, summary } of offered) {
      const operation = operations.find((one) => one.path === path)
      assert.equal([forms[0]?.type, summary], [operation?.type, operation?.summary])
    }
  }))

for (const where of [undefined, 'apart', 'below'] as const)
  it(`write each example again that they have read (${where ?? 'together'})`, () =>
    inAWorld(async (door, api) => {
      for (const example of everyExample.filter((one) => one.where === where))
        for (const type of example.valid.keys()) {
          const value = json(await parametersOf(door, example, type))
          const { parameters } = formOf(api, example.operation.path, type)
          const state = fromJson(api, parameters, value)
          assert.equal(toJson(api, parameters, state), { json: value, faults: [] }, type)
          assert.equal(misfitsOf(api, parameters, state), [], type)
        }
    }, where))

it('start with what must be filled in, and say of each such field that it is missing', () =>
  inAWorld(async (_, api) => {
    const started = (path: string, type: string) => {
      const { parameters } = formOf(api, path, type)
      return toJson(api, parameters, initialState(api, parameters))
    }
    for (const { path, forms } of offeredOperations(api))
      for (const { type } of forms)
        assert.ok(
          started(path, type).faults.every(({ reason }) => reason === 'missing'),
          type,
        )
    assert.equal(started('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4'), {
      json: { users: [{ apiKeys: [], authenticators: [], userTags: [], oauthProviders: [] }] },
      faults: [{ at: `${ROOT}.users.0.userName`, reason: 'missing' }],
    })
    assert.equal(started('enable_auth_proxy', 'ACTIVITY_TYPE_ENABLE_AUTH_PROXY'), { json: {}, faults: [] })
  }))

/** A document in which things contain themselves, and of each kind of schema one. */
const API = {
  components: {
    schemas: {
      Tree: {
        type: 'object',
        required: ['name', 'left'],
        properties: {
          name: { type: 'string' },
          left: { $ref: '#/components/schemas/Tree' },
          leaves: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Circle: { $ref: '#/components/schemas/Circle' },
      'a/b~c': { type: 'boolean', title: 'Oddly named' },
      Nested: { anyOf: [{ $ref: '#/components/schemas/Nested' }] },
      Any: {
        type: 'object',
        required: ['count', 'way', 'list'],
        properties: {
          count: { type: 'integer' },
          share: { type: 'number' },
          way: { enum: ['IN', 'OUT', 7] },
          only: { const: 'this' },
          list: { type: 'array', items: { type: 'integer' }, minItems: 2 },
          isSure: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
          either: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
          map: { type: 'object', additionalProperties: { type: 'string' } },
          tree: { $ref: '#/components/schemas/Tree' },
          free: { type: 'object' },
          circle: { $ref: '#/components/schemas/Circle' },
          gone: { $ref: 'https://example.com/elsewhere.json' },
        },
      },
    },
  },
}
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

it('have a field for each kind of schema, and JSON for what they do not know', () => {
  const kindOf = (schema: Schema, isRequired = false) => fieldOf(API, schema, isRequired).kind
  const any = fieldOf(API, ref('Any'), true)
  assert.equal(any.kind === 'object' && any.members.map(({ name, schema }) => [name, kindOf(schema)]), [
    ['count', 'number'],
    ['share', 'number'],
    ['way', 'choice'],
    ['only', 'choice'],
    ['list', 'list'],
    ['isSure', 'choice'],
    ['either', 'union'],
    ['map', 'object'],
    ['tree', 'object'],
    ['free', 'json'],
    ['circle', 'json'],
    ['gone', 'json'],
  ])
  assert.equal(fieldOf(API, { anyOf: [{ type: 'string' }, { type: 'null' }] }, true).kind, 'union')
  assert.equal(kindOf(ref('a~1b~0c')), 'choice')
  assert.equal([ref('Nested'), { type: ['string', 'null'] }, { allOf: [] }, {}].map((one) => kindOf(one)), Array(4).fill('json')) // prettier-ignore
  assert.equal(optionName(API, ref('a~1b~0c')), 'Oddly named')
  assert.equal(optionName(API, ref('Tree')), 'Tree')
})

it('of things that contain themselves begin with one of them', () => {
  const state = initialState(API, ref('Tree'))
  assert.equal(toJson(API, ref('Tree'), state).json, {})
  const deep = { name: 'a', left: { name: 'b', left: { name: 'c' } }, leaves: [{ name: 'd' }] }
  const { json: written, faults } = toJson(API, ref('Tree'), fromJson(API, ref('Tree'), deep))
  assert.equal(written, deep)
  assert.equal(faults, [
    { at: `${ROOT}.left.left.left`, reason: 'missing' },
    { at: `${ROOT}.leaves.0.left`, reason: 'missing' },
  ])
})

it('write any JSON again, whatever their schema says', () => {
  const value: fc.Arbitrary<Json> = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json> // JSON is what it makes
  const near = fc.record(
    {
      count: fc.oneof(fc.integer(), value),
      way: fc.oneof(fc.constantFrom('IN', 7, 'UP'), value),
      list: fc.oneof(fc.array(fc.oneof(fc.integer(), value)), value),
      isSure: fc.oneof(fc.boolean(), value),
      either: fc.oneof(fc.string(), fc.constant({ name: 'a', left: 1 }), value),
      map: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.string(), value)), value),
      tree: fc.oneof(fc.record({ name: fc.string(), left: value, more: value }), value),
      other: value,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Json> // as above
  fc.assert(
    fc.property(fc.oneof(value, near), fc.constantFrom(ref('Any'), ref('Tree'), ref('Circle'), {}), (given, schema) => {
      if (!hasSafeNumbers(given)) return
      const { json: written } = toJson(API, schema, fromJson(API, schema, given))
      assert.equal(written, json(given))
    }),
    { numRuns: 2_000 },
  )
})

const hasSafeNumbers = (value: Json): boolean =>
  typeof value === 'number'
    ? !Number.isInteger(value) || Number.isSafeInteger(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(hasSafeNumbers)

it('say what is wrong where it is wrong, and keep what was typed in the draft', () => {
  const typed = (text: string): State => ({ is: 'text', text })
  const state: State = {
    is: 'object',
    members: {
      count: typed('12a'),
      share: typed('1,5'),
      list: { is: 'list', entries: [typed('1.5')] },
      free: { is: 'json', text: '{"a":' },
      gone: { is: 'json', text: '{"a": [12345678901234567890]}' },
      map: {
        is: 'object',
        members: {},
        others: [
          { name: 'a', state: typed('') },
          { name: 'a', state: undefined },
          { name: '', state: typed('b') },
        ],
      },
    },
    others: [],
  }
  const { faults, json: draft } = toJson(API, ref('Any'), state)
  assert.equal(
    faults.map(({ at, reason }) => `${at.slice(ROOT.length + 1)} ${reason}`),
    [
      'count whole',
      'share number',
      'way missing',
      'list few',
      'list.0 whole',
      'map.+1.name name',
      'map.+1 missing',
      'map.+2.name name',
      'free json',
      'gone exact',
    ],
  )
  assert.equal(draft, {
    count: '12a',
    share: '1,5',
    list: ['1.5'],
    map: { a: '', '': 'b' },
    free: '{"a":',
    gone: '{"a": [12345678901234567890]}',
  })
})

it('take numbers as JSON writes them', () => {
  const written = (text: string, type = 'number') => toJson(API, { type }, { is: 'text', text })
  const numbers = [' 12 ', '-0.5', '1e3', '0']
  assert.equal(numbers.map((text) => written(text)), [12, -0.5, 1000, 0].map((json) => ({ json, faults: [] }))) // prettier-ignore
  const reasons = ['', ' ', '0x10', '012', '+1', '1.', 'NaN', 'Infinity', '1e999', '12345678901234567890']
  assert.equal(
    reasons.map((text) => written(text).faults[0]?.reason),
    [...Array<string>(9).fill('number'), 'exact'],
  )
  assert.is(written('1.5', 'integer').faults[0]?.reason, 'whole')
})

it('keep members with the names of what every object has', () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": "b", "name": "c"}') as Json // what JSON.parse gives
  const { json: written } = toJson(API, ref('Tree'), fromJson(API, ref('Tree'), value))
  assert.is(JSON.stringify(written), '{"name":"c","__proto__":{"a":1},"constructor":"b"}')
})

it('are none where the document is none', () => {
  const post = (schema: unknown) => ({ post: { requestBody: { content: { 'application/json': { schema } } } } })
  const odd = [null, 'a', [], {}, { paths: [] }, { paths: { '/public/v1/submit/a': null } }, { paths: { '/public/v1/submit/a': post(7) } }] // prettier-ignore
  for (const api of odd) assert.equal(offeredOperations(api), [])
  const type = { const: 'ACTIVITY_TYPE_A' }
  const api = { paths: { '/public/v1/submit/a': post({ properties: { type } }), '/public/v1/query/b': post({ properties: { type } }) } } // prettier-ignore
  assert.equal(offeredOperations(api), [
    { path: 'a', summary: '', forms: [{ type: 'ACTIVITY_TYPE_A', parameters: {} }] },
  ])
})

it('call members by words', () => {
  const names = ['userTagName', 'create_user_tag', 'oauth2Credential', 'orgWindowLimitUSD', 'a', '', '_']
  assert.equal(names.map(wordsOf), ['User tag name', 'Create user tag', 'Oauth2 credential', 'Org window limit USD', 'A', '', '_']) // prettier-ignore
})

it.run()
