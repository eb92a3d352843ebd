import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, json, run, serve } from './run-cli.ts'

const it = suite('serve')

it('begins an organization, serves it, and finds everything again', async () => {
  const cwd = folder()
  const flags = ['--store', 'sqlite:data/store.db', '--init', '--credentials', 'data/credentials.json']
  const first = await serve(flags, { cwd })
  const file = join(cwd, 'data/credentials.json')
  const credentials = json(file)
  assert.equal(Object.keys(credentials), ['baseUrl', 'organizationId', 'userId', 'apiPublicKey', 'apiPrivateKey'])
  assert.is(credentials['baseUrl'], first.url)
  assert.match(String(credentials['apiPublicKey']), /^0[23][0-9a-f]{64}$/)
  assert.match(String(credentials['apiPrivateKey']), /^[0-9a-f]{64}$/)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.not.ok(existsSync(`${file}.pending`))
  assert.is((await fetch(`${first.url}/healthz`)).status, 200)
  const ended = await first.stop('SIGTERM')
  assert.equal([ended.code, ended.stdout], [0, `listening on ${first.url}\n`])

  const second = await serve(flags, { cwd })
  assert.equal(json(file), { ...credentials, baseUrl: second.url })
  const asked = await run(['request', 'whoami', '--credentials', 'data/credentials.json'], { cwd })
  assert.is((JSON.parse(asked.stdout) as { readonly userId: string }).userId, credentials['userId'])
  assert.is((await second.stop('SIGINT')).code, 0)
})

it('says on standard error what it did and what to try next', async () => {
  const cwd = folder()
  const server = await serve(['--store', 'memory:', '--init', '--credentials', 'c.json', '--log-level', 'info'], {
    cwd,
  })
  const { stderr, stdout } = await server.stop()
  for (const line of stderr.trimEnd().split('\n'))
    assert.is(typeof (JSON.parse(line) as { msg: unknown }).msg, 'string')
  for (const said of [
    'Began an organization',
    'c.json',
    `curl ${server.url}/healthz`,
    'request whoami --credentials',
    'example:approvals',
    'docs/',
  ])
    assert.match(stderr, said)
  assert.is(stdout, `listening on ${server.url}\n`)
})

it('takes its flags from the environment', async () => {
  const cwd = folder()
  const env = {
    COUNTERSIGN_STORE: 'sqlite:by-variable.db',
    COUNTERSIGN_INIT: 'true',
    COUNTERSIGN_CREDENTIALS: 'by-variable.json',
    COUNTERSIGN_ORGANIZATION_NAME: 'Treasury',
    COUNTERSIGN_HOST: '127.0.0.1',
    COUNTERSIGN_ACTIVITY_TIMESTAMPS: 'object',
    COUNTERSIGN_TRUSTED_PROXY: '10.0.0.0/8,::1',
  }
  const server = await serve([], { cwd, env })
  const asked = await run(['request', 'whoami', '--credentials', 'by-variable.json'], { cwd })
  assert.match(asked.stdout, '"organizationName": "Treasury"')
  const listed = await run(['request', 'list_activities', '--credentials', 'by-variable.json'], { cwd })
  assert.match(listed.stdout, /"createdAt": \{\s+"seconds"/)
  await server.stop()
  assert.ok(existsSync(join(cwd, 'by-variable.db')))
})

it('answers with numbers where it is asked to', async () => {
  const cwd = folder()
  const statusOf = async (flags: readonly string[], env: { readonly [name: string]: string } = {}): Promise<number> => {
    const server = await serve(['--store', 'memory:', ...flags], { cwd, env })
    const { status } = await fetch(`${server.url}/metrics`)
    await server.stop()
    return status
  }
  assert.is(await statusOf([]), 404)
  assert.is(await statusOf(['--metrics']), 200)
  assert.is(await statusOf([], { COUNTERSIGN_METRICS: 'true' }), 200)
  assert.is(await statusOf([], { COUNTERSIGN_METRICS: 'false' }), 404)
  assert.is(await statusOf(['--metrics'], { COUNTERSIGN_METRICS: '0' }), 200)
})

it('serves the console where it is asked to, and says where', async () => {
  const cwd = folder()
  const statusOf = async (flags: readonly string[], env: { readonly [name: string]: string } = {}): Promise<number> => {
    const server = await serve(['--store', 'memory:', ...flags], { cwd, env })
    const page = await fetch(`${server.url}/console`)
    const document = await page.text()
    for (const [, path = ''] of document.matchAll(/"(console\/[^"]+)"/g))
      assert.is((await fetch(`${server.url}/${path}`)).status, 200, path)
    await server.stop()
    return page.status
  }
  assert.is(await statusOf([]), 404)
  assert.is(await statusOf(['--console']), 200)
  assert.is(await statusOf([], { COUNTERSIGN_CONSOLE: '1' }), 200)
  assert.is(await statusOf([], { COUNTERSIGN_CONSOLE: 'no' }), 404)
  assert.is(await statusOf(['--console'], { COUNTERSIGN_CONSOLE: '0' }), 200)
})

it('names the console in what it says at its start, where there is one', async () => {
  for (const form of ['json', 'pretty'])
    for (const flags of [[], ['--console']]) {
      const begins = ['--store', 'memory:', '--init', '--log-level', 'info', '--log', form]
      const server = await serve([...begins, ...flags], { cwd: folder() })
      const { stderr } = await server.stop()
      assert.is(stderr.includes(`${server.url}/console`), flags.length > 0, stderr)
    }
})

it('answers what is in flight before it ends, and ignores a second signal', async () => {
  const server = await serve(['--store', 'memory:', '--log-level', 'info'], { cwd: folder() })
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const body = '{"organizationId":"x"}'
  const head = `Host: a\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
  socket.write(`POST /public/v1/query/whoami HTTP/1.1\r\n${head}${body.slice(0, 5)}`)
  const [going] = (await once(socket, 'data')) as [Buffer] // no encoding is set
  assert.match(going.toString(), /^HTTP\/1\.1 100 /)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  server.child.kill('SIGINT')
  await server.said(/draining/)
  server.child.kill('SIGINT')
  socket.write(body.slice(5))
  assert.is((await server.ended).code, 0)
  assert.match(answer, /^HTTP\/1\.1 400 .*INVALID_ORGANIZATION_ID/s)
})

it('refuses a busy port, and a store that another process writes, in one line each', async () => {
  const cwd = folder()
  const server = await serve(['--store', 'sqlite:store.db'], { cwd })
  const { port } = new URL(server.url)
  const busy = await run(['serve', '--store', 'memory:', '--port', port], { cwd })
  assert.match(
    busy.stderr,
    /^(?:\{.*\}\n)*countersign: cannot listen on 127\.0\.0\.1, port \d+: the port is in use: give another with --port or COUNTERSIGN_PORT\n$/,
  )
  assert.equal([busy.code, busy.stdout], [2, ''])
  const locked = await run(['serve', '--store', 'sqlite:store.db', '--port', '0'], { cwd })
  assert.match(
    locked.stderr,
    /^countersign: cannot open the store store\.db: another process writes to this store[^\n]*\n$/,
  )
  assert.equal([locked.code, locked.stdout], [2, ''])
  await server.stop()
})

it('refuses a file that is no store, in one line', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'text.db'), 'not a database, but long enough to be looked at '.repeat(100))
  const { code, stdout, stderr } = await run(['serve', '--store', 'sqlite:text.db', '--port', '0'], { cwd })
  assert.match(stderr, /^countersign: cannot open the store text\.db: [^\n]+\n$/)
  assert.equal([code, stdout], [2, ''])
})

it.run()
