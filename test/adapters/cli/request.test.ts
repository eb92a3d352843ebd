import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { failure } from '../../../core/failure.ts'
import { failureView } from '../../../core/view/failure-view.ts'
import { folder, json, program, run, serve, type Ended } from './run-cli.ts'

const it = suite('request')

type Seen = {
  readonly path: string
  readonly body: { readonly [member: string]: unknown }
  readonly text: string
  readonly stamp: string
}

const cwd = folder()
const organizationId = 'b5c1b8a2-6f3e-4a50-9d3b-5b1f6d5b3c01'
const OTHER = 'c5c1b8a2-6f3e-4a50-9d3b-5b1f6d5b3c02'
const seen: Seen[] = []
const failed = failureView(failure('ACTIVITY_NOT_FOUND', 'activity not found'))
const [failureText, failurePrinted] = [JSON.stringify(failed), `${JSON.stringify(failed, undefined, 2)}\n`]
let answer = { status: 200, text: '{}' }
let server: Server

/** The command line against a server that writes down what it is asked. */
const request = async (...args: readonly string[]): Promise<Ended> =>
  run(['request', ...args, '--credentials', 'c.json'], { cwd })
const callerLine = (): string =>
  `As the holder of the key ${String(json(join(cwd, 'c.json'))['apiPublicKey'])} in c.json, organization ${organizationId}\n`
const lastSeen = (): Seen => seen.at(-1) ?? { path: '', body: {}, text: '', stamp: '' }

it.before(async () => {
  server = createServer((incoming, response) => {
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      const body = JSON.parse(text) as Seen['body']
      seen.push({ path: incoming.url ?? '', text, body, stamp: String(incoming.headers['x-stamp']) })
      response.writeHead(answer.status).end(answer.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { publicKey, privateKey } = generateKey('API_KEY_CURVE_P256')
  const credentials = {
    baseUrl: `http://127.0.0.1:${port}`,
    organizationId,
    apiPublicKey: publicKey,
    apiPrivateKey: privateKey,
  }
  writeFileSync(join(cwd, 'c.json'), JSON.stringify(credentials))
})
it.after(() => {
  server.close()
  server.closeAllConnections()
})

it('fills in what is missing, and takes bare parameters', async () => {
  for (const path of ['create_users', '/public/v1/submit/create_users']) {
    const before = Date.now()
    assert.is((await request(path, '{"users":[]}')).code, 0)
    const { timestampMs, ...rest } = lastSeen().body
    assert.equal(rest, { type: 'ACTIVITY_TYPE_CREATE_USERS_V4', organizationId, parameters: { users: [] } })
    assert.ok(Number(timestampMs) >= before && Number(timestampMs) <= Date.now())
    assert.is(lastSeen().path, '/public/v1/submit/create_users')
    assert.ok(lastSeen().stamp.length > 100)
  }
})

it('leaves what is there, to the byte where nothing is missing', async () => {
  const text = `{ "type":"ACTIVITY_TYPE_CREATE_USERS_V2", "timestampMs":"1", "organizationId":"${organizationId}", "parameters":{} }`
  await request('create_users', text)
  assert.is(lastSeen().text, text)
  await request('approve_activity', '{"timestampMs":"1","parameters":{"fingerprint":"sha256:0"}}')
  assert.equal(lastSeen().body, {
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    organizationId,
    timestampMs: '1',
    parameters: { fingerprint: 'sha256:0' },
  })
})

it('gives a query its organization and its time, and nothing to a route of a host but its organization', async () => {
  for (const [path, json, members] of [
    ['whoami', '{}', {}],
    ['query/get_user', '{"userId":"7"}', { userId: '7' }],
  ] as const) {
    const before = Date.now()
    await request(path, json)
    const { timestampMs, ...rest } = lastSeen().body
    assert.equal(rest, { organizationId, ...members })
    assert.ok(Number(timestampMs) >= before && Number(timestampMs) <= Date.now())
    assert.is(lastSeen().path, `/public/v1/query/${path.replace('query/', '')}`)
  }
  const text = `{ "timestampMs":"1", "organizationId":"${organizationId}" }`
  await request('whoami', text)
  assert.is(lastSeen().text, text)
  await request('/v1/wires', '{"state":"open"}')
  assert.equal([lastSeen().path, lastSeen().body], ['/v1/wires', { organizationId, state: 'open' }])
})

it('sends operations of a host by their whole path, with their type', async () => {
  await request('submit/wire_transfer', '{"type":"ACTIVITY_TYPE_WIRE_TRANSFER","parameters":{"cents":1}}')
  assert.is(lastSeen().body['type'], 'ACTIVITY_TYPE_WIRE_TRANSFER')
  const untyped = await request('submit/wire_transfer', '{"cents":1}')
  assert.equal([untyped.code, /has no type/.test(untyped.stderr)], [2, true])
  const unknown = await request('wire_transfer', '{"cents":1}')
  assert.equal([unknown.code, /no operation or query is called wire_transfer/.test(unknown.stderr)], [2, true])
})

it('tells the names of the public API from typing mistakes, also where they are not built in', async () => {
  await request('list_tvc_operators')
  assert.is(lastSeen().path, '/public/v1/query/list_tvc_operators')
  await request('create_tvc_operator', '{"type":"ACTIVITY_TYPE_CREATE_TVC_OPERATOR","parameters":{"name":"one"}}')
  assert.equal(
    [lastSeen().path, lastSeen().body['type']],
    ['/public/v1/submit/create_tvc_operator', 'ACTIVITY_TYPE_CREATE_TVC_OPERATOR'],
  )
  const untyped = await request('create_tvc_operator', '{"name":"one"}')
  assert.is(untyped.code, 2)
  assert.match(
    untyped.stderr,
    /^countersign: create_tvc_operator belongs to the public API, but is not built in: [^\n]*\n$/,
  )
})

const answers: readonly (readonly [status: number, text: string, printed: string, says: string])[] = [
  [403, '{"code":7}', '{\n  "code": 7\n}\n', 'the server refused whoami with 403'],
  [502, '<h1>Bad gateway</h1>', '"<h1>Bad gateway</h1>"\n', 'the server refused whoami with 502'],
  [429, '{"message":"slow down"}', '{\n  "message": "slow down"\n}\n', 'the server refused whoami with 429: slow down'],
  [404, failureText, failurePrinted, 'the server refused whoami with 404 ACTIVITY_NOT_FOUND: activity not found'],
]
for (const [status, text, printed, says] of answers) {
  it(`prints a refusal as JSON, and ends with its message: ${says}`, async () => {
    answer = { status, text }
    const { code, stdout, stderr } = await request('whoami')
    assert.equal([code, stdout, stderr], [1, printed, `${callerLine()}countersign: ${says}\n`])
  })
}

const refused: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [['whoami', '{"a":'], 2, /the body is not JSON/],
  [['whoami', '[]'], 2, /the body is not a JSON object/],
  [['create_polcy'], 2, /no operation or query is called create_polcy; did you mean create_policy\?; one of a host/],
  [['who_am'], 2, /no operation or query is called who_am; did you mean whoami\?; one of a host/],
  [['whoami', '--url', 'localhost'], 2, /localhost is not a URL such as/],
]
for (const [args, code, says] of refused) {
  it(`says in one line: ${args.join(' ')}`, async () => {
    const ended = await request(...args)
    assert.match(ended.stderr, says)
    assert.match(ended.stderr, /^countersign: [^\n]+\n$/)
    assert.is(ended.code, code)
  })
}

it('says that nobody listens', async () => {
  const { port: taken } = server.address() as AddressInfo
  const caller = connect(taken, '127.0.0.1') // its port is its own, and nobody listens there
  await once(caller, 'connect')
  const port = caller.localPort
  const ended = await request('whoami', '--url', `http://127.0.0.1:${port}/`)
  caller.destroy()
  assert.equal(
    [ended.code, ended.stderr],
    [1, `${callerLine()}countersign: no answer from http://127.0.0.1:${port}: nobody listens there\n`],
  )
  const { code, stderr } = await request('whoami', '--url', 'http://127.0.0.1:7')
  assert.equal([code, stderr], [1, `${callerLine()}countersign: no answer from http://127.0.0.1:7: bad port\n`])
})

it('says where to ask a server that speaks plain HTTP', async () => {
  const { host } = new URL(String(json(join(cwd, 'c.json'))['baseUrl']))
  const { code, stderr } = await request('whoami', '--url', `https://${host}`)
  const says = `no answer from https://${host}: the server there answers plain HTTP: give --url http://${host}`
  assert.equal([code, stderr], [1, `${callerLine()}countersign: ${says}\n`])
})

it('says as whom: with which key of which file, and in which organization', async () => {
  answer = { status: 200, text: '{}' }
  const { stderr } = await request('whoami', `{"organizationId":"${OTHER}"}`)
  assert.is(stderr, callerLine().replace(organizationId, OTHER))
  writeFileSync(join(cwd, 'd.json'), JSON.stringify({ ...json(join(cwd, 'c.json')), userId: OTHER }))
  const { stderr: withUser } = await run(['request', 'whoami', '--credentials', 'd.json'], { cwd })
  assert.is(withUser, callerLine().replace('c.json', `d.json, user ${OTHER}`))
})

it('plays the whole approval flow from a shell', async () => {
  const played = folder()
  const running = await serve(['--store', 'memory:', '--init', '--credentials', 'root.json'], { cwd: played })
  const script = fileURLToPath(new URL('approval-flow.sh', import.meta.url))
  const env = { ...process.env, NODE: process.execPath, MAIN: program.join(' ') }
  const stdout = await new Promise<string>((resolve, reject) =>
    execFile('sh', [script], { cwd: played, env }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`)),
    ),
  )
  await running.stop()
  assert.equal(stdout.trimEnd().split('\n'), [
    'created    ACTIVITY_STATUS_COMPLETED',
    'quorum     ACTIVITY_STATUS_COMPLETED',
    'asked      ACTIVITY_STATUS_CONSENSUS_NEEDED',
    'seen       ACTIVITY_STATUS_CONSENSUS_NEEDED, can approve: true',
    'approved   ACTIVITY_STATUS_COMPLETED',
    'rejected   ACTIVITY_STATUS_REJECTED',
    'tags       treasury',
  ])
})

it.run()
