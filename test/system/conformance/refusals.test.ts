import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey, stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Person } from '../../core/world/world.ts'
import { NOBODY, onStage, refusal, withKey, type Headers, type Stage } from './stage.ts'

const it = suite('the order of refusals')

/**
 * A request with every fault at once; each case mends one more, in the order in which the server looks. What is refused
 * is always the first that is left.
 */
type Faults = {
  readonly body: 'too large' | 'not JSON' | 'twice' | 'good'
  readonly organizationId: string
  readonly stamp: 'none' | 'twice' | 'unreadable' | 'malformed' | 'present'
  readonly key: SigningKey
  readonly signature: 'wrong' | 'right'
  readonly type: string
  readonly ageMs: number
  readonly parameters: { readonly userTagName: string; readonly userIds: readonly string[] }
}

const BODY_BYTES_MAX = 4096

const bodyOf = ({ clock }: Stage, faults: Faults, isSubmit: boolean): string => {
  const { organizationId, type, parameters } = faults
  const timestampMs = String(clock.now() - faults.ageMs)
  const text = JSON.stringify(
    isSubmit ? { parameters, organizationId, timestampMs, type } : { organizationId, userId: type },
  )
  if (faults.body === 'too large') return text.padEnd(BODY_BYTES_MAX + 1)
  if (faults.body === 'not JSON') return `${text}}`
  return faults.body === 'twice' ? text.replace('{', `{"organizationId":"${NOBODY}",`) : text
}

const headersOf = (faults: Faults, body: string): Headers => {
  if (faults.stamp === 'none') return {}
  if (faults.stamp === 'unreadable') return { 'X-Stamp': '{}' }
  const good = stamp(faults.key, Buffer.from(faults.signature === 'right' ? body : `${body} `))
  if (faults.stamp === 'twice') return { 'X-Stamp': good, 'X-Stamp-WebAuthn': good }
  return { 'X-Stamp': faults.stamp === 'malformed' ? Buffer.from('{"publicKey":1}').toString('base64url') : good }
}

type Expected = readonly [status: number, code: number, error: string, message: RegExp]
type Case = readonly [mended: Partial<Faults>, expected: Expected]

type Keys = { readonly expired: SigningKey; readonly root: SigningKey; readonly outsider: Person }

/** The cases that submits and queries share: who asks. */
const authentication = ({ organizationId }: Stage, { expired, root }: Keys, missing: RegExp): readonly Case[] => [
  [{}, [413, 3, 'REQUEST_INVALID', /at most 4096 bytes/]],
  [{ body: 'not JSON' }, [400, 3, 'REQUEST_INVALID', /JSON/]],
  [{ body: 'twice' }, [400, 3, 'REQUEST_INVALID', /JSON|twice|duplicate/i]],
  [{ body: 'good' }, [400, 3, 'INVALID_ORGANIZATION_ID', /^malformed organization ID provided$/]],
  [{ organizationId: NOBODY }, [401, 16, 'SIGNATURE_MISSING', missing]],
  [{ stamp: 'twice' }, [401, 16, 'UNAUTHENTICATED', /one stamp/]],
  [{ stamp: 'unreadable' }, [401, 16, 'UNAUTHENTICATED', /^could not extract api key stamp$/]],
  [{ stamp: 'malformed' }, [401, 16, 'UNAUTHENTICATED', /^malformed activity stamp$/]],
  [
    { stamp: 'present' },
    [404, 5, 'ORGANIZATION_NOT_FOUND', new RegExp(`^no organization found with the given ID ${NOBODY}$`)],
  ],
  [{ organizationId }, [401, 16, 'PUBLIC_KEY_NOT_FOUND', /^could not find public key in organization organizationId=/]],
  [{ key: expired }, [401, 16, 'API_KEY_EXPIRED', /^expired api key organizationId=/]],
  [{ key: root }, [401, 16, 'SIGNATURE_INVALID', /^could not verify api key signature organizationId=/]],
]

const everything: Faults = {
  body: 'too large',
  organizationId: 'acme',
  stamp: 'none',
  key: generateKey('API_KEY_CURVE_P256'),
  signature: 'wrong',
  type: 'ACTIVITY_TYPE_DELETE_USERS',
  ageMs: 60 * 60 * 1000,
  parameters: { userTagName: '', userIds: [NOBODY] },
}

const keysOf = async (stage: Stage): Promise<Keys> => {
  const expired = generateKey('API_KEY_CURVE_P256')
  await withKey(stage, stage.root, expired, '60')
  const outsider = await stage.enrol('ada')
  stage.clock.pass(60_000)
  return { expired, root: stage.root.key, outsider }
}

const run = async (stage: Stage, path: string, cases: readonly Case[]): Promise<void> => {
  const faults = { ...everything }
  for (const [mended, [status, code, error, message]] of cases) {
    Object.assign(faults, mended)
    const body = bodyOf(stage, faults, path.startsWith('submit/'))
    const answer = await stage.postRaw(path, body, headersOf(faults, body))
    const what = `${path} with ${JSON.stringify(mended)}`
    assert.equal([answer.status, answer.body.code, answer.body.turnkeyErrorCode], [status, code, error], what)
    assert.match(answer.body.message ?? '', message, what)
  }
}

const options = { http: { bodyBytesMax: BODY_BYTES_MAX } }

it('is the documented one for a submit', () =>
  onStage(async (stage) => {
    const keys = await keysOf(stage)
    const good = { userTagName: 'a', userIds: [] }
    const { organizationId } = stage
    await run(stage, 'submit/create_user_tag', [
      ...authentication(stage, keys, /^cannot authenticate public API activity request without a stamp/),
      [{ signature: 'right' }, [400, 3, 'REQUEST_INVALID', /^bad request body/]],
      [{ type: 'ACTIVITY_TYPE_CREATE_USER_TAG' }, [400, 3, 'REQUEST_INVALID', /^invalid timestampMs/]],
      [{ ageMs: 0 }, [400, 3, 'REQUEST_INVALID', /^invalid parameters at userTagName/]],
      [
        { parameters: { ...good, userIds: [NOBODY] }, key: keys.outsider.key },
        [403, 7, 'REQUEST_NOT_AUTHORIZED', /permission/],
      ],
      [
        { key: keys.root },
        [404, 5, 'REQUEST_INVALID', new RegExp(`^unable to find user ${NOBODY} in organization ${organizationId}$`)],
      ],
    ])
  }, options))

it('is the documented one for a query', () =>
  onStage(async (stage) => {
    const keys = await keysOf(stage)
    await run(stage, 'query/get_user', [
      ...authentication(stage, keys, /^no valid authentication signature found for request$/),
      [{ signature: 'right', type: 'ada' }, [400, 3, 'REQUEST_INVALID', /^invalid request body at userId/]],
      [{ type: NOBODY }, [404, 5, 'REQUEST_INVALID', /^unable to find user/]],
    ])
  }, options))

it('is the documented one for a vote', () =>
  onStage(async (stage) => {
    const keys = await keysOf(stage)
    await run(stage, 'submit/approve_activity', [
      ...authentication(stage, keys, /^cannot authenticate public API activity request without a stamp/),
      [{ signature: 'right' }, [400, 3, 'REQUEST_INVALID', /^bad request body/]],
      [{ type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY' }, [400, 3, 'REQUEST_INVALID', /^invalid parameters at fingerprint/]],
    ])
  }, options))

it('begins with the route: what the public API does not have is not found', () =>
  onStage(async ({ postRaw, post, root, organizationId }) => {
    for (const path of [
      'submit/create_walet',
      `submit/${'a'.repeat(128)}`,
      `submit/${'a'.repeat(129)}`,
      'submit/create_tvc_app/',
      'submit/list_tvc_apps',
      'query/list_tvc_aps',
      'query/create_users',
      'query/create_tvc_app',
    ]) {
      const { status, body } = await postRaw(path, '')
      assert.equal([status, body.code, body.turnkeyErrorCode], [404, 5, 'REQUEST_INVALID'], path)
      assert.is((await post(root, path, JSON.stringify({ organizationId }))).status, 404, path)
    }
  }))

it('names what the public API has and this server does not have, whoever asks', () =>
  onStage(async ({ postRaw, post, root, organizationId }) => {
    for (const path of [
      'submit/create_tvc_quorum_key',
      'submit/create_tvc_quorum_key?x=1',
      'query/list_tvc_quorum_keys',
    ]) {
      const { status, body } = await postRaw(path, '')
      assert.equal([status, body.code, body.turnkeyErrorCode], [400, 3, 'REQUEST_INVALID'], path)
      const name = path.replace(/^.*\/|\?.*$/g, '')
      assert.is(body.message, `${name} belongs to the public API, but is not offered here`)
      const stamped = await post(root, path, JSON.stringify({ organizationId }))
      assert.equal([stamped.status, stamped.body.message], [400, body.message])
    }
  }))

it('says why it refuses a path of the public API on purpose, whoever asks and whatever the body is', () =>
  onStage(async ({ postRaw, post, root, bytes }) => {
    const message = /^create_organization is refused on purpose: organizations begin with `countersign init`/
    const { status, body } = await postRaw('submit/create_organization', '')
    assert.equal([status, body.code, body.turnkeyErrorCode], [400, 3, 'REQUEST_INVALID'])
    assert.match(body.message, message)
    const whole = bytes('ACTIVITY_TYPE_CREATE_ORGANIZATION_V2', { organizationName: 'one' })
    assert.match((await post(root, 'submit/create_organization', whole)).body.message, message)
  }))

it('says why it refuses a type of the public API on purpose, on every path, before it reads the members', () =>
  onStage(async ({ post, root, organizationId }) => {
    const type = 'ACTIVITY_TYPE_SET_PAYMENT_METHOD'
    for (const path of ['submit/create_user_tag', 'submit/approve_activity'])
      for (const rest of [{}, { timestampMs: 'never', parameters: 7, generateAppProofs: true }]) {
        const { status, body } = await post(root, path, JSON.stringify({ organizationId, type, ...rest }))
        assert.equal([status, body.code, body.turnkeyErrorCode], [400, 3, 'REQUEST_INVALID'])
        assert.match(body.message, /^ACTIVITY_TYPE_SET_PAYMENT_METHOD is refused on purpose: .* use .*_V2 with the id/)
      }
  }))

it('says that there is no boot proof, because there is no enclave', () =>
  onStage(async ({ http, root, organizationId }) => {
    const client = http(root)
    const message = 'there is no boot proof: this server runs in no enclave'
    const none = { code: 5, error: 'REQUEST_INVALID', message, details: [] }
    assert.equal(await refusal(client.getBootProof({ organizationId, ephemeralKey: '04' })), none)
    assert.equal(await refusal(client.getLatestBootProof({ organizationId, appName: 'signer' })), none)
  }))

it('asks for POST before the name, also where nothing is offered', () =>
  onStage(async ({ url }) => {
    for (const name of [
      'submit/create_users',
      'submit/create_tvc_quorum_key',
      'query/list_tvc_apps',
      'submit/nothing',
    ]) {
      const { status, headers } = await fetch(`${url}/public/v1/${name}`)
      assert.equal([status, headers.get('allow')], [405, 'POST, OPTIONS'], name)
    }
  }))

it('refuses a stamp header that is sent twice', () =>
  onStage(async ({ url, root, organizationId, exchanges }) => {
    const body = JSON.stringify({ organizationId })
    const header = stamp(root.key, Buffer.from(body))
    const sent = request(`${url}/public/v1/query/whoami`, { method: 'POST', headers: { 'X-Stamp': [header, header] } })
    const [answer] = (await once(sent.end(body), 'response')) as [IncomingMessage] // as Node documents this event
    answer.resume()
    assert.is(answer.statusCode, 400)
    assert.match(exchanges[0]?.body ?? '', /a stamp header was sent more than once/)
  }))

it('asks for no header but the stamp', () =>
  onStage(async (stage) => {
    const { post, root, bytes } = stage
    const body = bytes('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
    const { status } = await post(root, 'submit/create_user_tag', body, { 'Content-Type': 'application/octet-stream' })
    assert.is(status, 200)
  }))

it.run()
