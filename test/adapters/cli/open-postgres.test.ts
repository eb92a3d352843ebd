import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { folder, json, program, run, serve, type Ended } from './run-cli.ts'

const it = suite('the command line on PostgreSQL')

const cwd = folder()
const at = (name: string): string => join(cwd, name)

await onPostgres(it, ({ url, urlOf, run: sql }) => {
  const [one, two] = [1, 2].map(() => `cli_${randomBytes(6).toString('hex')}`)
  const inSchema = (schema = '', pieces: Parameters<typeof urlOf>[0] = {}): string =>
    urlOf({ ...pieces, search: `schema=${schema}` })
  const cli = (line: string, store: string): Promise<Ended> =>
    run(line.split(' '), { cwd, env: { COUNTERSIGN_STORE: store } })
  const password = new URL(url).password

  it.after(async () => {
    for (const schema of [one, two]) await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })

  it('begins, serves, exports, imports, replays and audits, and shows no password', async () => {
    const store = inSchema(one)
    const begun = await cli('init --out c.json', store)
    assert.is(begun.code, 0, begun.stderr)
    const server = await serve(['--init', 'c.json'], { cwd, env: { COUNTERSIGN_STORE: store } })
    const tag = ['request', 'create_user_tag', '{"userTagName":"a","userIds":[]}', '--credentials', 'c.json']
    const asked = await run(tag, { cwd })
    assert.is(asked.code, 0, asked.stderr)
    const exported = await cli('export --out log.jsonl', store)
    const stopped = await server.stop()
    assert.equal([exported.code, stopped.code], [0, 0])
    const copy = inSchema(two)
    const imported = await cli('import log.jsonl', copy)
    assert.is(imported.code, 0, imported.stderr)
    const again = await cli('export', copy)
    assert.is(again.stdout, readFileSync(at('log.jsonl'), 'utf8'))
    const audited = await cli('audit', copy)
    assert.is(audited.code, 0, audited.stderr)
    const replayed = await cli(`replay --organization ${String(json(at('c.json'))['organizationId'])}`, copy)
    assert.is(replayed.code, 0, replayed.stderr)
    const checked = await cli('doctor --quick --credentials c.json --port 0', store)
    assert.match(checked.stdout, 'a PostgreSQL database that can be read')
    for (const { stdout, stderr } of [begun, asked, exported, stopped, imported, audited, replayed, checked])
      assert.not.ok(`${stdout}${stderr}`.includes(password))
  })

  it('leaves no tables behind where an import fails', async () => {
    writeFileSync(at('broken.jsonl'), 'no log\n')
    const schema = `cli_${randomBytes(6).toString('hex')}`
    const failed = await cli('import broken.jsonl', inSchema(schema))
    assert.is(failed.code, 2, failed.stderr)
    assert.equal(await sql('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]), [])
  })

  it('says in one line what is wrong with a store, with exit code 2 and without the URL', async () => {
    const wrong = [
      urlOf({ password: 'hunter2' }),
      urlOf({ database: 'hunter2' }),
      urlOf({ search: 'hunter2=1' }),
      inSchema('hunter2'),
      'postgres://u:hunter2@127.0.0.1:1/d',
      'postgres://hunter2',
      'postgres:hunter2',
    ]
    for (const store of wrong) {
      const { code, stderr } = await cli('export', store)
      assert.is(code, 2, store)
      assert.match(stderr, /^countersign: [^\n]+\n$/)
      assert.not.match(stderr, /hunter2|127\.0\.0\.1/)
    }
  })

  if (process.platform === 'linux')
    it('hides a URL that was given as a flag from those who list processes', async () => {
      const server = await serve(['--store', inSchema(one), '--init', 'c.json'], { cwd })
      const shown = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8')
      await server.stop()
      assert.not.ok(shown.includes(password))
    })

  it('waits for a database that is not there yet, and says so; a signal ends the waiting', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo // of a TCP socket
    probe.close()
    await once(probe, 'close')
    const { hostname, port: realPort } = new URL(url)
    const late = new URL(inSchema(one))
    late.host = `127.0.0.1:${port}`

    const waiting = () => {
      const args = [...program, 'serve', '--port', '0', '--init', 'c.json', '--log', 'json']
      const child = spawn(process.execPath, args, { cwd, env: { ...process.env, COUNTERSIGN_STORE: late.href } })
      const said = { err: '', out: '' }
      child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
      child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
      const until = async (text: string): Promise<void> => {
        while (!`${said.err}${said.out}`.includes(text))
          await Promise.race([once(child.stderr, 'data'), once(child.stdout, 'data')])
      }
      return { child, said, until, ended: once(child, 'exit') }
    }

    const given = waiting()
    await given.until('waiting up to 60 s for the store')
    given.child.kill('SIGTERM')
    assert.is((await given.ended)[0], 2)
    assert.not.ok(given.said.err.includes(password))

    const patient = waiting()
    await patient.until('waiting up to 60 s for the store')
    const proxy = createServer((socket) => {
      const server = connect(Number(realPort === '' ? 5432 : realPort), hostname)
      for (const end of [socket, server]) end.on('error', () => end.destroy())
      socket.pipe(server).pipe(socket)
    }).listen(port, '127.0.0.1')
    await patient.until('listening on')
    patient.child.kill('SIGTERM')
    assert.is((await patient.ended)[0], 0)
    proxy.close()
  })
})

it.run()
