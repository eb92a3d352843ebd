import * as t from '../../../core/codec/t.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { resource } from '../../../core/definition/resource.ts'
import { publicQueries } from '../../core/world/with-host.ts'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openApi } from '../../../adapters/http/openapi.ts'
import type { Json } from '../../../core/failure.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import { decodes, operation, type Operation } from '../../../core/definition/operation.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import { E } from '../../../core/prelude.ts'
import { query, type Query } from '../../../core/definition/query.ts'
import { decode } from '../../../core/codec/codec.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { queryExamples } from '../../core/resources/all-examples.ts'
import { doorOf, sceneOf } from '../../core/resources/scene.ts'
import { onStage, type Headers, type Stage } from '../../system/conformance/stage.ts'
import { right, type Signer } from '../../core/world/world.ts'
import { described, problemsOf } from './described.ts'
import { fakeEngine } from './fake-engine.ts'
import { ORGANIZATION, sentFor } from './sent-for.ts'
import { serving } from './transport.ts'

const it = suite('the OpenAPI document')

const note = operation({
  type: 'ACTIVITY_TYPE_NOTE_V2',
  path: 'note',
  summary: 'Notes something.',
  resource: 'NOTE',
  action: 'CREATE',
  intent: t.fields({ text: t.Label }),
  result: t.fields({ length: t.Label }),
  change: t.fields({}),
  versions: [
    {
      type: 'ACTIVITY_TYPE_NOTE_V1',
      intentName: 'noteIntentV2',
      ...decodes(t.fields({ name: t.Label }), ({ name }) => ({ text: name })),
    },
    {
      type: 'ACTIVITY_TYPE_NOTE',
      resultName: 'noteResultV1',
      decodeIntent: (parameters) => ({ echo: parameters as Json, intent: { text: 'a' } }), // it was JSON before
      encodeResult: () => 7,
    },
  ],
  execute: () => ({ result: { length: '1' }, change: {} }),
  evolve: () => undefined,
})

const showNote = query({
  path: 'note',
  summary: 'Shows a note.',
  request: t.fields({ text: t.Label }),
  answer: t.fields({ note: t.number }),
  run: () => ({ note: 1 }),
})

const documentOf = (operations: readonly Operation[], queries: readonly Query[]) =>
  openApi({ catalogue: right(catalogue([resource({ name: 'documented', operations, queries })])), queries })

const hosts = documentOf([...publicOperations, note], [...publicQueries, showNote])

type Members = { readonly [member: string]: Json }
const pathsOf = (document: Members): readonly string[] => Object.keys(document['paths'] as Members)
const postAt = (document: Members, path: string): Members =>
  ((document['paths'] as { readonly [path: string]: Members })[`/public/v1/${path}`]?.['post'] ?? {}) as Members

it('is valid, with the operations of a host and without', async () => {
  assert.equal(await problemsOf(documentOf(publicOperations, publicQueries)), [])
  assert.equal(await problemsOf(hosts), [])
})

it('has a path for each operation, each query and each vote', () =>
  assert.equal(
    [...pathsOf(hosts)].toSorted(),
    [
      ...[...publicOperations.map(({ path }) => path), 'note', 'approve_activity', 'reject_activity'].map(
        (path) => `/public/v1/submit/${path}`,
      ),
      ...[...publicQueries, showNote].map(({ path }) => `/public/v1/query/${path}`),
    ].toSorted(),
  ))

it('sorts what a host adds with what was there, and what no policy can name apart', () => {
  assert.equal(postAt(hosts, 'submit/note')['tags'], ['NOTE'])
  assert.equal(postAt(hosts, 'submit/create_users')['tags'], ['USER'])
  assert.equal(postAt(hosts, 'submit/update_root_quorum')['tags'], ['ROOT'])
  assert.equal(postAt(hosts, 'query/whoami')['tags'], ['QUERY'])
})

it('tells a query from an operation of the same name', async () => {
  const document = documentOf([note], [...publicQueries, showNote])
  assert.is(postAt(document, 'submit/note')['operationId'], 'note')
  assert.is(postAt(document, 'query/note')['operationId'], 'note.query')
  assert.equal(await problemsOf(document), [])
})

it('asks for the organization also where the codec of a query does not', () => {
  const { request } = described(documentOf([], [showNote]))
  assert.is(request('query/note', { text: 'a' }).length, 1)
  assert.equal(request('query/note', { text: 'a', organizationId: ORGANIZATION }), [])
})

it('says nothing of a form without codec, and of a result that is written in a way of its own', () => {
  const { request, answer, component } = described(documentOf([note], []))
  const body = { timestampMs: '1', organizationId: ORGANIZATION, parameters: [7] }
  assert.equal(request('submit/note', { ...body, type: 'ACTIVITY_TYPE_NOTE' }), [])
  assert.is(request('submit/note', { ...body, type: 'ACTIVITY_TYPE_NOTE_V2' }).length, 1)
  assert.ok(request('submit/note', { ...body, type: 'ACTIVITY_TYPE_NOTE_V3' }).length > 0)
  assert.ok(component('ACTIVITY_TYPE_NOTE_V2', { ...body, type: 'ACTIVITY_TYPE_NOTE' }).length > 0)
  const wrong = answer('submit/note', 200, { activity: { result: { noteResult: 7, noteResultV1: 7 } } })
  assert.equal(
    wrong.filter((fault) => fault.includes('/result/')),
    ['/activity/result/noteResult must be object'],
  )
})

for (const { path, versions } of publicOperations) {
  it(`accepts what ${path} accepts`, () => {
    const { component } = described(documentOf(publicOperations, []))
    for (const { type, codec, decodeIntent } of versions) {
      if (codec === undefined) continue
      let accepted = 0
      fc.assert(
        fc.property(sentFor(jsonSchemaOf(codec)), anyTimestamp, (parameters, timestampMs) => {
          if (E.isLeft(decodeIntent(parameters))) return
          accepted += 1
          assert.equal(component(type, { type, timestampMs, organizationId: ORGANIZATION, parameters, more: 1 }), [])
        }),
        { numRuns: 120 },
      )
      assert.ok(accepted > 0, `nothing was accepted as ${type}`)
    }
  })
}

it('describes the answers that are given', () =>
  onStage(async (stage) => {
    const grace = await stage.enrol('grace')
    const { document, ask } = await reader(stage)
    const tag = { userTagName: 'treasury', userIds: [] }
    const key = { apiKeyName: 'a', publicKey: generateKey('API_KEY_CURVE_P256').publicKey, expirationSeconds: null }
    const user = { userName: 'ada', accessType: 'ACCESS_TYPE_ALL', apiKeys: [key], authenticators: [], userTags: [] }
    const rule = { policyName: 'tags', effect: 'EFFECT_ALLOW', condition: `activity.resource == 'USER'` }
    const consensus = `approvers.any(user, user.id == '${grace.userId}')`

    const made = await ask(stage.root, 'submit/create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
    assert.equal([made.status, made.faults], [200, []])
    const older = await ask(stage.root, 'submit/create_users', 'ACTIVITY_TYPE_CREATE_USERS', { users: [user] })
    assert.equal([older.status, older.faults], [200, []])
    const ruled = await ask(stage.root, 'submit/create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      ...rule,
      consensus: `approvers.count() >= 2 && ${consensus}`,
      notes: '',
    })
    assert.equal([ruled.status, ruled.faults], [200, []])
    const waiting = await ask(grace, 'submit/create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', {
      ...tag,
      userTagName: 'b',
    })
    const { activity } = waiting.body as {
      readonly activity: { readonly status: string; readonly fingerprint: string }
    }
    assert.equal([waiting.status, activity.status, waiting.faults], [200, 'ACTIVITY_STATUS_CONSENSUS_NEEDED', []])
    const vote = await ask(stage.root, 'submit/approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
      fingerprint: activity.fingerprint,
    })
    assert.equal([vote.status, vote.faults], [200, []])

    const refused = await ask(stage.root, 'submit/create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
    assert.equal([refused.status, refused.faults], [400, []])
    const denied = await ask(grace, 'submit/update_root_quorum', 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
      threshold: 1,
      userIds: [grace.userId],
    })
    assert.equal([denied.status, denied.faults], [403, []])

    const { answer } = described(document)
    const scene = sceneOf(doorOf(stage, grace.userId))
    for (const { query: offered, asked } of queryExamples.filter((one) => publicQueries.includes(one.query))) {
      const { path, codecs } = offered
      const { request } = await asked(scene)
      const bytes = JSON.stringify({ organizationId: stage.organizationId, ...request })
      const { status, body } = await post(stage, stage.root, `query/${path}`, bytes)
      assert.equal([path, status, answer(`query/${path}`, 200, body)], [path, 200, []])
      const objects = await post(stage, stage.root, `query/${path}`, bytes, { 'X-Client-Version': 'a client of types' })
      assert.equal(decode(codecs.answer, 'answer')(objects.body), E.right(objects.body), path)
    }
  }))

it('describes a name that versions share by all that they put there', () => {
  const { answer } = described(documentOf([note], []))
  const faults = (intent: Json): readonly string[] =>
    answer('submit/note', 200, { activity: { intent: { noteIntentV2: intent } } }).filter((fault) =>
      fault.includes('/intent'),
    )
  assert.equal(faults({ text: 'a' }), [])
  assert.equal(faults({ name: 'a' }), [])
  assert.ok(faults({ other: 'a' }).length > 0)
})

it('is served to any origin, the same text each time', async () => {
  const engine = fakeEngine({ catalogue: right(catalogue(publicApi)), queries: publicQueries })
  await serving(engine, {}, async (url) => {
    const first = await fetch(`${url}/openapi.json`)
    assert.equal([first.status, first.headers.get('content-type')], [200, 'application/json'])
    assert.is(first.headers.get('access-control-allow-origin'), '*')
    const text = await first.text()
    assert.equal(JSON.parse(text), JSON.parse(JSON.stringify(documentOf(publicOperations, publicQueries))))
    assert.is(await (await fetch(`${url}/openapi.json`)).text(), text)
    const head = await fetch(`${url}/openapi.json`, { method: 'HEAD' })
    assert.equal([head.status, await head.text()], [200, ''])
    assert.is((await fetch(`${url}/openapi.json`, { method: 'POST' })).status, 405)
    assert.is((await fetch(`${url}/openapi.json`, { method: 'OPTIONS' })).status, 204)
  })
})

const post = async ({ url }: Stage, { key }: Signer, path: string, bytes: string, more: Headers = {}) => {
  const headers = { 'X-Stamp': stamp(key, Buffer.from(bytes)), ...more }
  const reply = await fetch(`${url}/public/v1/${path}`, { method: 'POST', body: bytes, headers })
  return { status: reply.status, body: (await reply.json()) as Json } // what else
}

/** Posts to a stage, and compares request and answer with what the stage's server says of itself. */
const reader = async (stage: Stage) => {
  const document = (await (await fetch(`${stage.url}/openapi.json`)).json()) as Members
  const { request, answer } = described(document)
  const ask = async (person: Signer, path: string, type: string, parameters: Json) => {
    const bytes = stage.bytes(type, parameters, { more: 'of it' })
    const { status, body } = await post(stage, person, path, bytes)
    return { status, body, faults: [...request(path, JSON.parse(bytes) as Json), ...answer(path, status, body)] }
  }
  return { document, ask }
}

const anyTimestamp = fc.constantFrom<Json>('1767225600000', '0', 1_767_225_600_000)

it.run()
