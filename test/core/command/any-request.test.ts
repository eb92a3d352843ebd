import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stampHeadersOf } from '../../../core/command/read-request.ts'
import { parseEnvelope } from '../../../core/activity/envelope.ts'
import { requestJson } from '../../../core/json/strict-json.ts'
import { E } from '../../../core/prelude.ts'
import { stamp } from '../../../adapters/signatures/signer.ts'
import { codeOf, right, world, type World } from '../world/world.ts'

const it = suite('any request')

let scene: World
it.before(async () => void (scene = await world()))
it.after(() => scene.close())

const anyName = fc.oneof(
  fc.constantFrom(
    'x-stamp',
    'X-Stamp',
    'X-STAMP-WebAuthn',
    'x-stamp-attested',
    'x-session',
    '__proto__',
    'constructor',
  ),
  fc.string(),
)
const anyValue = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.constantFrom('', undefined),
)
const anyHeaders = fc.array(fc.tuple(anyName, anyValue), { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
const anyPath = fc.oneof(
  fc.constantFrom(
    'create_users',
    'approve_activity',
    '__proto__',
    'constructor',
    'toString',
    'create_organization',
    '',
  ),
  fc.string(),
)
const events = async (): Promise<bigint> => right(await scene.storage.store.lastPosition()())

it('has at most one stamp of each kind, and the text that was sent', () =>
  fc.assert(
    fc.property(anyHeaders, (headers) => {
      const found = stampHeadersOf({ headers, body: new Uint8Array(), address: null })
      if (E.isLeft(found)) return assert.is(codeOf(found), 'REQUEST_INVALID')
      for (const text of found.right.values()) assert.ok(Object.values(headers).includes(text))
    }),
  ))

it('is refused without a good stamp, whatever its headers, path and body, and leaves no event', async () => {
  const before = await events()
  const body = scene.body('create_user_tag', { userTagName: 'a', userIds: [] })
  const anyBody = fc.oneof(
    fc.constant(body),
    fc.uint8Array(),
    fc.json().map((text) => new TextEncoder().encode(text)),
  )
  await fc.assert(
    fc.asyncProperty(anyPath, anyHeaders, anyBody, async (path, headers, bytes) => {
      const request = { headers, body: bytes, address: null }
      for (const answer of [
        await scene.engine.submit(path, request)(),
        await scene.engine.query(path, request)(),
        await scene.engine.createOrganization(request)(),
      ]) {
        assert.ok(E.isLeft(answer))
        assert.not(codeOf(answer) === 'INTERNAL')
      }
    }),
    { numRuns: 500 },
  )
  assert.is(await events(), before)
})

it('is refused on another path than its own, stamped as it may be', async () => {
  const before = await events()
  const body = scene.body('create_user_tag', { userTagName: 'a', userIds: [] })
  const headers = { 'x-stamp': stamp(scene.root.key, body) }
  await fc.assert(
    fc.asyncProperty(
      anyPath.filter((path) => path !== 'create_user_tag'),
      async (path) => {
        const answer = await scene.engine.submit(path, { headers, body, address: null })()
        assert.ok(['ROUTE_NOT_FOUND', 'REQUEST_INVALID', 'UNSUPPORTED'].includes(codeOf(answer)), codeOf(answer))
      },
    ),
  )
  assert.is(await events(), before)
})

it('is refused where it has more values than others can wait for', async () => {
  const before = await events()
  const parameters = { userTagName: 'a', userIds: [], more: Array.from({ length: requestJson.valuesMax }, () => 0) }
  const body = scene.body('create_user_tag', parameters)
  const request = { headers: { 'x-stamp': stamp(scene.root.key, body) }, body, address: null }
  assert.is(codeOf(await scene.engine.submit('create_user_tag', request)()), 'REQUEST_TOO_LARGE')
  assert.is(codeOf(await scene.engine.query('whoami', request)()), 'REQUEST_TOO_LARGE')
  assert.is(await events(), before)
  // A log of before may hold such a request, and is read like any other.
  assert.ok(E.isRight(parseEnvelope(body)))
})

it('has no say in what is measured: numbers have no name that nobody offers', async () => {
  const told: string[] = []
  const note = (_: string, ...more: readonly unknown[]): void => void told.push(JSON.stringify(more))
  const measured = await world({
    telemetry: {
      span: (_, attributes, work) => {
        note('', attributes)
        return work()
      },
      spanSync: (_, attributes, work) => {
        note('', attributes)
        return work()
      },
      count: note,
      record: note,
      observe: () => () => undefined,
    },
  })
  const body = measured.body('create_user_tag', { userTagName: 'a', userIds: [] })
  for (const path of ['made_up_by_a_caller', 'create_user_tag']) await measured.send(measured.root, path, body)
  await measured.ask(measured.root, 'made_up_by_a_caller')
  await measured.close()
  assert.match(told.join('\n'), 'create_user_tag')
  assert.not.match(told.join('\n'), 'made_up_by_a_caller')
})

it.run()
