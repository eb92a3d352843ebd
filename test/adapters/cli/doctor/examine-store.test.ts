import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findPooler, startPooler } from '../../store-postgres/server/pooler.ts'
import { onPostgres } from '../../store-postgres/server/on-postgres.ts'
import { startServer } from '../../store-postgres/server/own-server.ts'
import { long } from '../../../long.ts'
import { until } from '../../../until.ts'
import { folder, run, start, type Ended } from '../run-cli.ts'

const it = suite('doctor on PostgreSQL')

const cwd = folder()
const PORT = ['--port', '0']

type Finding = { readonly check: string; readonly state: string; readonly found: string; readonly advice?: string }
type Report = { readonly isWell: boolean; readonly checks: readonly Finding[]; readonly sql?: string }

const doctor = (store: string, ...args: readonly string[]): Promise<Ended> =>
  run(['doctor', ...PORT, ...args], { cwd, env: { COUNTERSIGN_STORE: store } })
const report = async (
  store: string,
  ...args: readonly string[]
): Promise<Report & { readonly code: number | null }> => {
  const { stdout, stderr, code } = await doctor(store, '--json', ...args)
  assert.not.ok(`${stdout}${stderr}`.includes(new URL(store).password))
  assert.not.match(`${stdout}${stderr}`, /postgres(?:ql)?:\/\//)
  return { ...(JSON.parse(stdout) as Report), code } // what --json prints
}
const namesIn = ({ checks }: Report, state: string): readonly string[] =>
  checks.filter((one) => one.state === state).map(({ check }) => check)
const named = ({ checks }: Report, name: string): Finding | undefined => checks.find(({ check }) => check === name)

await onPostgres(it, ({ url, urlOf, run: sql }) => {
  const scratch = () => sql(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'countersign\\_doctor\\_%'`)
  const began = async (schema: string): Promise<string> => {
    const store = urlOf({ search: `schema=${schema}` })
    const { code, stderr } = await run(['init', '--credentials', `${schema}.json`], {
      cwd,
      env: { COUNTERSIGN_STORE: store },
    })
    assert.is(code, 0, stderr)
    return store
  }
  const anyName = () => `doctor_${randomBytes(6).toString('hex')}`

  it('finds each setting that can lose what was acknowledged', async () => {
    const server = await startServer([])
    if (typeof server === 'string') return console.log(`   left out: ${server}`)
    const well = await report(server.url)
    assert.equal([well.isWell, well.code, namesIn(well, 'wrong')], [true, 0, []])
    const harms = [
      ['fsync', 'off', 'wrong'],
      ['full_page_writes', 'off', 'wrong'],
      ['zero_damaged_pages', 'on', 'wrong'],
      ['synchronous_commit', 'off', 'warning'], // the store sets it for itself
      ['statement_timeout', '2000', 'warning'],
    ] as const
    for (const [name, value, state] of harms) {
      await server.run(`ALTER SYSTEM SET ${name} = ${value}`)
      await server.run('SELECT pg_reload_conf()')
      while ((await server.run(`SHOW ${name}`))[0]?.[name] !== (name === 'statement_timeout' ? '2s' : value)) continue
      const found = await report(server.url)
      assert.equal([named(found, name)?.state, found.code], [state, state === 'wrong' ? 1 : 0])
      assert.is(typeof named(found, name)?.advice, 'string')
      assert.is(named(found, 'transactions')?.state, 'ok')
      await server.run(`ALTER SYSTEM RESET ${name}`)
      await server.run('SELECT pg_reload_conf()')
    }
    await server.kill()
  })

  long(it)('keeps every promise in scratch schemas, behind a pooler where there is one, and removes them', async () => {
    const pooler = findPooler()
    if (typeof pooler === 'string') console.log(`   not through a pooler: ${pooler}`)
    const schema = anyName()
    const store = new URL(await began(schema))
    const before = await sql(`SELECT max(position)::text, count(*)::text FROM ${schema}.events`)
    const through =
      typeof pooler === 'string' ? undefined : await startPooler(pooler.program, store.href, { mode: 'transaction' })
    const found = await report(through?.url ?? store.href, '--full')
    await through?.end()
    const trials = ['contract', 'slow hosts', 'two processes', 'killed', 'frozen', 'lost answers']
    assert.equal(
      trials.map((name) => named(found, name)?.state),
      trials.map(() => 'ok'),
      JSON.stringify(found.checks),
    )
    assert.is(named(found, 'pooler')?.state, through === undefined ? 'ok' : 'warning')
    assert.match(named(found, 'contract')?.found ?? '', /^1\d\d promises/)
    assert.match(named(found, 'store')?.found ?? '', /\d events?, \d+ .?B$/)
    assert.equal(await scratch(), [])
    assert.equal(await sql(`SELECT max(position)::text, count(*)::text FROM ${schema}.events`), before)
    await sql(`DROP SCHEMA ${schema} CASCADE`)
  })

  it('prints what an administrator may run for a user without rights, who can then use the store', async () => {
    const [user, database] = [anyName(), anyName()]
    await sql(`CREATE ROLE ${user} LOGIN PASSWORD 'hunter2'`)
    await sql(`CREATE DATABASE ${database} TEMPLATE template0`)
    const store = urlOf({ user, password: 'hunter2', database })
    const lacking = await report(store, '--full')
    assert.equal([lacking.code, namesIn(lacking, 'wrong').includes('rights')], [1, true])
    assert.is(named(lacking, 'contract')?.state, 'warning') // there is no right to make a scratch schema
    const printed = await doctor(store, '--ddl')
    assert.is(printed.stdout, `${lacking.sql ?? ''}\n`)
    assert.ok((await doctor(store)).stdout.endsWith(printed.stdout))

    await sql(printed.stdout, undefined, database)
    const begun = await run(['init', '--credentials', 'least.json'], { cwd, env: { COUNTERSIGN_STORE: store } })
    assert.is(begun.code, 0, begun.stderr)
    const after = await report(store)
    assert.equal(
      namesIn(after, 'wrong').filter((name) => name !== 'fsync'),
      [],
    )
    assert.match(named(after, 'rights')?.found ?? '', 'make nothing')
    await sql(`REVOKE INSERT ON countersign.events FROM ${user}`, undefined, database)
    const revoked = await report(store)
    assert.match(named(revoked, 'rights')?.found ?? '', 'INSERT on events')
    assert.match(revoked.sql ?? '', /^GRANT USAGE(?![^]*CREATE)/)
    await sql(`DROP DATABASE ${database}`)
    await sql(`DROP ROLE ${user}`)
  })

  it('tells a store that is damaged, and a database that cannot be reached', async () => {
    const schema = anyName()
    const store = await began(schema)
    await sql(`CREATE RULE theirs AS ON INSERT TO ${schema}.parts DO ALSO NOTHING`)
    assert.match(named(await report(store), 'store')?.found ?? '', 'triggers or rules on parts')
    await sql(`ALTER TABLE ${schema}.events SET UNLOGGED`)
    assert.is(named(await report(store), 'store')?.state, 'wrong')
    await sql(`DROP SCHEMA ${schema} CASCADE`)
    const away = await report('postgres://u:hunter2@127.0.0.1:1/d')
    assert.equal([named(away, 'store')?.state, away.code], ['wrong', 1])
  })

  it('removes its scratch schemas when it is interrupted, and says later what a kill has left', async () => {
    const args = ['doctor', '--full', '--store', url, ...PORT]
    const interrupted = start(args, { cwd, env: { COUNTERSIGN_CRASH_AT: 'before-append:1:SIGSTOP' } }) // in a scratch schema
    const { pid } = interrupted.child
    await until(async () => (await scratch()).length > 0)
    if (process.platform === 'linux') {
      // Others can list the arguments of a process.
      const shown = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      assert.not.ok(shown.includes(new URL(url).password))
    }
    interrupted.child.kill('SIGINT')
    await until(() => !interrupted.child.kill('SIGCONT') || interrupted.child.exitCode !== null)
    const { code, stderr } = await interrupted.ended
    assert.equal([code, stderr], [130, 'countersign: stopped by SIGINT: nothing was kept\n'])
    assert.equal(await scratch(), [])

    const killed = await run(args, { cwd, env: { COUNTERSIGN_CRASH_AT: 'before-append' } })
    assert.is(killed.signal, 'SIGKILL')
    const left = await scratch()
    assert.is(named(await report(url), 'scratch')?.state, 'warning')
    for (const { nspname } of left) await sql(`DROP SCHEMA IF EXISTS "${String(nspname)}" CASCADE`)
  })
})

it.run()
