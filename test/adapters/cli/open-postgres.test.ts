import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { startProxy } from '../proxy.ts'
import { folder, json, run, serve, start, type Ended } from './run-cli.ts'

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
    const begun = await cli('init --credentials c.json', store)
    assert.is(begun.code, 0, begun.stderr)
    const server = await serve(['--init', '--credentials', 'c.json'], { cwd, env: { COUNTERSIGN_STORE: store } })
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
    const checked = await cli('doctor --credentials c.json --port 0', store)
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
      const server = await serve(['--store', inSchema(one), '--init', '--credentials', 'c.json'], { cwd })
      const shown = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8')
      await server.stop()
      assert.not.ok(shown.includes(password))
    })

  it('waits for a database that is not there yet, and says so; a signal ends the waiting', async () => {
    const { hostname, port } = new URL(url)
    const gate = await startProxy()
    const late = new URL(inSchema(one))
    late.host = `127.0.0.1:${gate.port}`
    const waiting = async () => {
      const args = ['serve', '--port', '0', '--init', '--credentials', 'c.json', '--log', 'json']
      const started = start(args, { cwd, env: { COUNTERSIGN_STORE: late.href } })
      await started.said(/waiting up to 60 s for the store/)
      return started
    }
    const given = await waiting()
    given.child.kill('SIGTERM')
    const { code, stderr } = await given.ended
    assert.is(code, 2)
    assert.not.ok(stderr.includes(password))

    const patient = await waiting()
    gate.turnTo({ host: hostname, port: Number(port === '' ? 5432 : port) })
    await patient.said(/listening on/)
    patient.child.kill('SIGTERM')
    assert.is((await patient.ended).code, 0)
    await gate.close()
  })
})

it.run()
