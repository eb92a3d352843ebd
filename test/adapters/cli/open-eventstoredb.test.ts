import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEmulator, type Emulator } from '../store-eventstoredb/emulator/emulator.ts'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { long } from '../../long.ts'
import { startProxy } from '../proxy.ts'
import { folder, json, run, serve, start, type Ended } from './run-cli.ts'

const it = suite('the command line on EventStoreDB')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
const cli = (line: string, env: { readonly [name: string]: string } = {}): Promise<Ended> =>
  run(line.split(' '), { cwd, env })

const golden = join(import.meta.dirname, '../../system/golden/log.jsonl')
let server: Emulator
let url = ''
it.before(async () => {
  server = await startEmulator()
  url = server.connectionString
  assert.is((await run(['import', golden, '--store', 'sqlite:golden.db'], { cwd })).code, 0)
})
it.after(() => server.stop())

/** A store that is new to the server. */
const storeAt = (place: string): { readonly COUNTERSIGN_STORE: string; readonly COUNTERSIGN_READ_MODELS: string } => {
  const name = randomBytes(4).toString('hex')
  const mark = place.includes('?') ? '&' : '?'
  return { COUNTERSIGN_STORE: `${place}${mark}prefix=${name}-`, COUNTERSIGN_READ_MODELS: `sqlite:rm/${name}.db` }
}
const anyStore = () => storeAt(url)
const pathOf = ({ COUNTERSIGN_READ_MODELS: place }: ReturnType<typeof anyStore>): string => at(place.slice(7))

it('begins, serves, answers, exports, replays and audits', async () => {
  const env = anyStore()
  const begun = await cli('init --credentials c.json', env)
  assert.is(begun.code, 0, begun.stderr)
  assert.is((await cli('audit', env)).code, 0) // although no process has moved the index yet
  const id = String(json(at('c.json'))['organizationId'])
  const served = await serve(['--init', '--credentials', 'c.json'], { cwd, env })
  const tag = ['request', 'create_user_tag', '{"userTagName":"a","userIds":[]}', '--credentials', 'c.json']
  const asked = await run(tag, { cwd })
  assert.is(asked.code, 0, asked.stderr)
  const listed = await cli('activities --json --credentials c.json')
  assert.match(listed.stdout, 'ACTIVITY_TYPE_CREATE_USER_TAG')
  const beside = await cli('export --out beside.jsonl', env)
  assert.is(beside.code, 0, beside.stderr)
  assert.is((await served.stop()).code, 0)

  assert.is((await cli('export --out log.jsonl', env)).code, 0)
  assert.is(readFileSync(at('log.jsonl'), 'utf8'), readFileSync(at('beside.jsonl'), 'utf8'))
  const audited = await cli('audit', env)
  assert.equal([audited.code, audited.stderr], [0, ''])
  for (const line of [`replay --organization ${id}`, 'replay', 'policy check', 'doctor --credentials c.json --port 0'])
    assert.is((await cli(line, env)).code, 0, line)
  const again = await serve(['--init', '--credentials', 'c.json'], { cwd, env })
  assert.is((await cli('request whoami --credentials c.json')).code, 0)
  await again.stop()
})

long(it)('is copied to SQLite and back, and imported, byte for byte', async () => {
  const [one, two, three] = [anyStore(), anyStore(), anyStore()]
  const { stdout: text } = await cli('export --store sqlite:golden.db')

  const there = await cli(`copy sqlite:golden.db ${one.COUNTERSIGN_STORE}`, one)
  assert.is(there.code, 0, there.stderr)
  assert.match(there.stdout, /^Copied .* SHA-256 [0-9a-f]{64}\.\n$/)
  assert.is((await cli('export', one)).stdout, text)

  const back = await cli(`copy ${one.COUNTERSIGN_STORE} sqlite:back.db`, one)
  assert.is(back.code, 0, back.stderr)
  assert.is((await cli('export --store sqlite:back.db')).stdout, text)

  const across = await cli(
    `copy ${one.COUNTERSIGN_STORE} ${two.COUNTERSIGN_STORE} --to-read-models ${two.COUNTERSIGN_READ_MODELS}`,
    one,
  )
  assert.is(across.code, 0, across.stderr)
  assert.is((await cli('export', two)).stdout, text)

  const imported = await run(['import', golden], { cwd, env: three })
  assert.is(imported.code, 0, imported.stderr)
  assert.is((await cli('export', three)).stdout, text)
  assert.match((await run(['import', golden], { cwd, env: three })).stderr, 'expected an empty store')
})

it('says in one line what is wrong, with exit code 2 and without credentials, and leaves no files', async () => {
  const { COUNTERSIGN_STORE: store } = anyStore()
  const refused: readonly (readonly [string, { readonly [name: string]: string }, RegExp | string])[] = [
    ['export', { COUNTERSIGN_STORE: store }, 'name the place with --read-models sqlite:PATH or postgres://'],
    ['serve --port 0', { COUNTERSIGN_STORE: store }, 'name the place with --read-models'],
    ['init --credentials new.json', { COUNTERSIGN_STORE: store }, 'name the place with --read-models'],
    [`copy sqlite:golden.db ${store}`, {}, 'name the place with --read-models'],
    [`copy ${store} ${store}`, { COUNTERSIGN_READ_MODELS: 'sqlite:none.db' }, '--to-read-models'],
    ['audit --read-models memory:', { COUNTERSIGN_STORE: store }, '--read-models: expected sqlite:PATH'],
    ['audit --read-models sqlite:', { COUNTERSIGN_STORE: store }, '--read-models: expected sqlite:PATH'],
    ['audit --read-models sqlite:none.db', { COUNTERSIGN_STORE: store }, /^countersign: --read-models: .*none\.db/],
    ['export --store sqlite:golden.db --read-models sqlite:none.db', {}, 'is for a store on EventStoreDB'],
    [
      'init --credentials new.json --read-models sqlite:golden.db',
      { COUNTERSIGN_STORE: store },
      'has a log of its own',
    ],
    [
      'init --credentials new.json --read-models postgres://u:hunter2@127.0.0.1:1/d',
      { COUNTERSIGN_STORE: store },
      '--read-models: ',
    ],
    [
      'init --credentials new.json --read-models sqlite:new/rm.db',
      { COUNTERSIGN_STORE: 'esdb://a:hunter2@127.0.0.1:1,b c' },
      'entry 2',
    ],
    [
      'init --credentials new.json --read-models sqlite:new/rm.db',
      { COUNTERSIGN_STORE: 'kurrentdb://a:hunter2@127.0.0.1:1?tls=false' },
      'reach',
    ],
    [
      'init --credentials new.json --read-models sqlite:new/rm.db',
      { COUNTERSIGN_STORE: 'esdb+discover://a:hunter2@?tls=false' },
      'host',
    ],
    [
      'init --credentials new.json --read-models sqlite:new/rm.db',
      { COUNTERSIGN_STORE: `${url}&prefix=a/b` },
      'prefix',
    ],
  ]
  for (const [line, env, message] of refused) {
    const { code, stderr } = await cli(line, env)
    assert.is(code, 2, `${line}: ${stderr}`)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.match(stderr, message)
    assert.not.match(stderr, 'hunter2')
    for (const file of ['new', 'new.json', 'none.db']) assert.not(existsSync(at(file)), `${line}: ${file}`)
  }
})

it('serves over TLS as a user of the server, and says of others why they may not', async () => {
  const users = { ada: { password: 'right', groups: ['$admins'] }, bob: { password: 'hunter2' } }
  const secure = await startEmulator({ tls: true, users })
  const as = (name: string, password: string) =>
    cli('init --credentials t.json', storeAt(secure.connectionStringOf(name, password)))
  const refused: readonly (readonly [Promise<Ended>, string])[] = [
    [as('ada', 'hunter2'), 'the server refuses the user, the password'],
    [as('bob', 'hunter2'), 'the user of the store has not the rights'],
    [cli('init --credentials t.json', storeAt(`esdb://ada:hunter2@127.0.0.1:${secure.port}?tls=false`)), 'speaks TLS'],
    [cli('init --credentials t.json', storeAt(`esdb://ada:hunter2@127.0.0.1:${secure.port}`)), 'not trusted'],
    [cli('init --credentials t.json', storeAt(url.replace('tls=false', 'tls=true'))), 'does not speak TLS'],
  ]
  for (const [ended, message] of refused) {
    const { code, stderr } = await ended
    assert.match(stderr, message)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.is(code, 2)
    assert.not.match(stderr, 'hunter2')
  }
  const begun = await as('ada', 'right')
  assert.is(begun.code, 0, begun.stderr)
  await secure.stop()
})

it('ignores the variable of the read models where the store has its own', async () => {
  const env = { COUNTERSIGN_READ_MODELS: 'sqlite:none.db' }
  assert.is((await cli('export --store sqlite:golden.db', env)).code, 0)
  assert.not(existsSync(at('none.db')))
})

it('refuses the read models of another log until they are adopted', async () => {
  const [one, two] = [anyStore(), anyStore()]
  for (const [env, file] of [
    [one, 'one.json'],
    [two, 'two.json'],
  ] as const)
    assert.is((await cli(`init --credentials ${file}`, env)).code, 0)
  const mixed = { ...one, COUNTERSIGN_READ_MODELS: two.COUNTERSIGN_READ_MODELS }
  const refused = await cli('init --credentials one.json', mixed)
  assert.is(refused.code, 2)
  assert.match(refused.stderr, '--adopt-read-models')
  assert.match((await cli('export', mixed)).stderr, '--adopt-read-models')
  const lost = { ...one, COUNTERSIGN_READ_MODELS: 'sqlite:rm/new.db' }
  assert.match((await cli('init --credentials one.json', lost)).stderr, '--adopt-read-models')
  const adopted = await cli('init --credentials one.json --adopt-read-models', lost)
  assert.is(adopted.code, 0, adopted.stderr)
  assert.is((await cli('audit', lost)).code, 0)
  assert.match((await cli('audit', one)).stderr, '--adopt-read-models')
  assert.ok(existsSync(pathOf(one)))
})

it('protects the file of the read models from an export, and shows it in what it says next', async () => {
  const env = anyStore()
  const begun = await cli(`init --credentials d.json --read-models ${env.COUNTERSIGN_READ_MODELS}`, {
    COUNTERSIGN_STORE: env.COUNTERSIGN_STORE,
  })
  assert.match(
    begun.stderr,
    `countersign serve --read-models ${env.COUNTERSIGN_READ_MODELS} --init --credentials d.json`,
  )
  const over = await cli(`export --force --out ${pathOf(env)}`, env)
  assert.is(over.code, 2)
  assert.match(over.stderr, 'belongs to the store itself')
})

it('waits for a server that is not there yet, and says so; a signal ends the waiting', async () => {
  const gate = await startProxy()
  const env = anyStore()
  assert.is((await cli('init --credentials e.json', env)).code, 0)
  const late = { ...env, COUNTERSIGN_STORE: env.COUNTERSIGN_STORE.replace(`:${server.port}`, `:${gate.port}`) }
  const waiting = async () => {
    const started = start(['serve', '--port', '0', '--init', '--credentials', 'e.json', '--log', 'json'], {
      cwd,
      env: late,
    })
    await started.said(/waiting up to 60 s for the store/)
    return started
  }
  const given = await waiting()
  given.child.kill('SIGTERM')
  assert.is((await given.ended).code, 2)

  const patient = await waiting()
  gate.turnTo(server)
  await patient.said(/listening on/)
  patient.child.kill('SIGTERM')
  assert.is((await patient.ended).code, 0)
  await gate.close()
})

await onPostgres(it, ({ urlOf, run: sql }) => {
  const schema = `cli_${randomBytes(6).toString('hex')}`
  const place = urlOf({ search: `schema=${schema}` })
  const password = new URL(place).password
  it.after(() => sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`).then(() => undefined))

  it('serves one log by several processes, with read models in PostgreSQL, and shows no password', async () => {
    const env = { ...anyStore(), COUNTERSIGN_READ_MODELS: place }
    const [one, two] = [
      await serve(['--init', '--credentials', 'g.json'], { cwd, env }),
      await serve(['--init', '--credentials', 'g.json'], { cwd, env }),
    ]
    for (const [index, { url: to }] of [one, two, one, two].entries()) {
      const body = JSON.stringify({ userTagName: `tag ${index}`, userIds: [] })
      const asked = await run(['request', 'create_user_tag', body, '--credentials', 'g.json', '--url', to], { cwd })
      assert.is(asked.code, 0, asked.stderr)
      for (const { url: from } of [one, two]) {
        const listed = await cli(`request list_user_tags --credentials g.json --url ${from}`)
        assert.is(listed.stdout.match(/"tagName"/g)?.length, index + 1, listed.stdout)
      }
    }
    const stopped = [await one.stop(), await two.stop()]
    const audited = await cli('audit', env)
    assert.is(audited.code, 0, audited.stderr)
    const checked = await cli('doctor --credentials g.json --port 0', env)
    assert.match(checked.stdout, 'a log on EventStoreDB that can be read')
    for (const { stdout, stderr } of [...stopped, audited, checked])
      assert.not.ok(`${stdout}${stderr}`.includes(password))
  })
})

if (process.platform === 'linux')
  it('hides URLs that were given as flags from those who list processes', async () => {
    const { COUNTERSIGN_STORE: store, COUNTERSIGN_READ_MODELS: place } = anyStore()
    const served = await serve(['--store', store, '--read-models', place, '--init', '--credentials', 'f.json'], { cwd })
    const shown = readFileSync(`/proc/${served.child.pid}/cmdline`, 'utf8')
    await served.stop()
    assert.not.match(shown, 'esdb')
  })

it.run()
