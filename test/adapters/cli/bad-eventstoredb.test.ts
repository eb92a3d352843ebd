import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startCluster } from '../store-eventstoredb/emulator/cluster.ts'
import { startEmulator, type Emulator } from '../store-eventstoredb/emulator/emulator.ts'
import { folder, json, run, serve, type Ended } from './run-cli.ts'

const it = suite('servers of EventStoreDB, and logs there, that cannot be used')

const SECRET = 'hunter2'
const cwd = folder()
const at = (name: string): string => join(cwd, name)

type Place = { readonly COUNTERSIGN_STORE: string; readonly COUNTERSIGN_READ_MODELS: string }

const placeAt = (url: string, prefix = `${randomBytes(4).toString('hex')}-`): Place => ({
  COUNTERSIGN_STORE: `${url}${url.includes('?') ? '&' : '?'}prefix=${prefix}`,
  COUNTERSIGN_READ_MODELS: `sqlite:rm-${randomUUID()}.db`,
})

const refusedLine = ({ code, stderr }: Ended, message: string | RegExp, expected = 2): void => {
  assert.is(code, expected, stderr)
  assert.match(stderr, /^countersign: [^\n]+\n$/)
  assert.match(stderr, message)
  assert.not.match(stderr, SECRET)
}

let server: Emulator
let secure: Emulator

const users = {
  ada: { password: 'right', groups: ['$admins'] },
  bob: { password: SECRET },
  cleo: { password: SECRET },
}

it.before(async () => {
  server = await startEmulator()
  secure = await startEmulator({ tls: true, users })
  const rights = { $acl: { $r: ['bob', 'cleo'] } }
  metadataOf('$all', rights)
})
it.after(async () => {
  await server.stop()
  await secure.stop()
})

/** Sets who may do what with a stream of the secure server. */
const metadataOf = (stream: string, rights: object): void => {
  const event = { id: randomUUID(), type: '$metadata', contentType: 'application/json', metadata: new Uint8Array() }
  secure.log.append(`$$${stream}`, 'any', [{ ...event, data: Buffer.from(JSON.stringify(rights)) }])
}

const appendTo = (stream: string, ...texts: readonly string[]): void => {
  const event = { type: 'Theirs', contentType: 'application/json', metadata: new Uint8Array() }
  server.log.append(
    stream,
    'any',
    texts.map((text) => ({ ...event, id: randomUUID(), data: Buffer.from(text) })),
  )
}

const bad: { readonly [what: string]: () => readonly [Partial<Place>, string | RegExp] } = {
  'a URL without read models': () => [
    { COUNTERSIGN_STORE: server.connectionString },
    'name the place with --read-models sqlite:PATH or postgres://',
  ],
  'a host list with an entry that is none': () => [
    placeAt(`esdb://ada:${SECRET}@127.0.0.1:${server.port},b c,127.0.0.1:1?tls=false`),
    'entry 2 of its 3 hosts',
  ],
  'a host list with a name that there is not': () => [
    placeAt(`esdb://ada:${SECRET}@127.0.0.1:${server.port},127.0.0.1:1,countersign.invalid?tls=false`),
    'entry 3 of the hosts is wrong: there is no host named countersign.invalid',
  ],
  'a wrong password': () => [
    placeAt(secure.connectionStringOf('ada', SECRET)),
    'the server refuses the user, the password or the certificate of the store',
  ],
  'a user that there is not': () => [
    placeAt(secure.connectionStringOf(SECRET, 'any')),
    'the server refuses the user, the password or the certificate of the store',
  ],
  'a certificate that is not trusted': () => [
    placeAt(`esdb://ada:${SECRET}@127.0.0.1:${secure.port}`),
    `127.0.0.1:${secure.port} has a certificate that is not trusted: name its authority with tlsCAFile`,
  ],
  'a file of certificates that there is not': () => [
    placeAt(`esdb://ada:${SECRET}@127.0.0.1:${secure.port}?tlsCAFile=${SECRET}.pem`),
    'a file that it names cannot be read',
  ],
  'TLS to a server without it': () => [
    placeAt(`esdb://ada:${SECRET}@127.0.0.1:${server.port}`),
    `127.0.0.1:${server.port} does not speak TLS: add tls=false`,
  ],
  'no TLS to a server with it': () => [
    placeAt(`esdb://ada:${SECRET}@127.0.0.1:${secure.port}?tls=false`),
    `127.0.0.1:${secure.port} speaks TLS: take tls=false out of the URL`,
  ],
  'a user who may not write': () => {
    metadataOf('countersign-check', { $acl: { $w: 'ada' } })
    return [
      placeAt(secure.connectionStringOf('cleo', SECRET)),
      'the user of the store has not the rights that it needs on the server',
    ]
  },
  'streams of another application under our prefix': () => {
    appendTo('theirs-organization-1', '{}')
    return [placeAt(server.connectionString, 'theirs-'), 'prefix: the streams under this prefix are those of another']
  },
  'a stream of another application in the place of the marks': () => {
    appendTo('marked-countersign', `{"user":"${SECRET}"}`)
    return [placeAt(server.connectionString, 'marked-'), 'is that of another application, or of a newer version']
  },
}

for (const [what, of] of Object.entries(bad))
  it(`stop serve and init with one line and code 2: ${what}`, async () => {
    const [env, message] = of()
    const ended = await run(['serve', '--port', '0', '--init', '--credentials', 'new.json'], { cwd, env })
    refusedLine(ended, message)
    const begun = await run(['init', '--credentials', 'new.json'], { cwd, env })
    refusedLine(begun, message)
    assert.not(existsSync(at('new.json')))
  })

it('say that there is no leader, after as many attempts as the URL allows', async () => {
  const cluster = await startCluster()
  cluster.depose()
  const url = cluster.connectionString.replace('esdb://', `esdb://ada:${SECRET}@`)
  const env = placeAt(`${url}&maxDiscoverAttempts=3&discoveryInterval=20`)
  refusedLine(await run(['init', '--credentials', 'new.json'], { cwd, env }), /no leader|where its leader is/)
  await cluster.stop()
})

it('let a user export and audit who may only read', async () => {
  metadataOf('countersign-check', { $acl: { $w: 'ada' } })
  const place = placeAt(secure.connectionStringOf('ada', 'right'), 'read-')
  assert.is((await run(['init', '--credentials', 'read.json'], { cwd, env: place })).code, 0)
  const { COUNTERSIGN_STORE } = placeAt(secure.connectionStringOf('bob', SECRET), 'read-')
  const env = { ...place, COUNTERSIGN_STORE }
  for (const command of ['export', 'audit']) {
    const ended = await run([command], { cwd, env })
    assert.is(ended.code, 0, `${command}: ${ended.stderr}`)
  }
  refusedLine(await run(['init', '--credentials', 'again.json'], { cwd, env }), 'has not the rights')
})

it('close the organization that has an event of somebody else and say which event it is', async () => {
  const env = placeAt(server.connectionString, 'closed-')
  assert.is((await run(['init', '--credentials', 'closed.json'], { cwd, env })).code, 0)
  const stream = `closed-organization-${String(json(at('closed.json'))['organizationId'])}`
  const found = server.log.stream(stream)
  const number = typeof found === 'object' ? found.last + 2n : 0n
  appendTo(stream, `{"password":"${SECRET}"}`)

  const ended = await run(['serve', '--port', '0', '--init', '--credentials', 'closed.json'], { cwd, env })
  assert.is(ended.code, 2)
  assert.match(ended.stderr, new RegExp(`^countersign: [^\\n]*event ${number} [^\\n]*\\n$`, 'm')) // a projection may tell of it, too
  assert.not.match(ended.stderr, SECRET)
  const served = await serve(['--log', 'json'], { cwd, env })
  const to = ['--url', served.url]
  const asked = await run(['request', 'whoami', '--credentials', 'closed.json', ...to], { cwd })
  const { stdout, stderr } = await served.stop()
  assert.is.not(asked.code, 0)
  assert.match(asked.stdout, new RegExp(`event ${number} `))
  assert.match(asked.stdout, 'STORE_UNREADABLE')
  const told = `${stdout}${stderr}${asked.stdout}${asked.stderr}`
  refusedLine(await run(['audit'], { cwd, env }), `event ${number} `)
  assert.not.match(told, SECRET)
})

it.run()
