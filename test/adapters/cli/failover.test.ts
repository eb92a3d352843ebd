import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { startServer, type OwnServer } from '../store-postgres/server/own-server.ts'
import { rootClient, type Answered, type RootClient } from './root-client.ts'
import { folder, run, serve, type Served } from './run-cli.ts'

const it = suite('servers whose database fails over')

const SERVERS = 2
const WRITERS = 6

/** Servers on a database with a standby; `use` gets them, a client, and what promotes the standby. */
const withStandby = async (
  isSynchronous: boolean,
  use: (of: {
    readonly cwd: string
    readonly store: string
    readonly servers: readonly Served[]
    readonly client: RootClient
    readonly primary: OwnServer
    readonly standby: OwnServer
    readonly promote: () => Promise<unknown>
  }) => Promise<void>,
): Promise<void> => {
  const primary = await startServer(['fsync=off', 'wal_keep_size=256MB'])
  if (typeof primary === 'string') return console.log(`   left out: ${primary}`)
  const standby = await primary.standby('standby')
  if (isSynchronous) {
    await primary.run(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
    await primary.run('SELECT pg_reload_conf()')
    const sync = () => primary.run(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)
    while ((await sync()).length === 0) continue
  }
  const cwd = folder()
  const store = primary.url.replace(/@[^/]+/, `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}`)
  const env = { COUNTERSIGN_STORE: store }
  const servers: Served[] = []
  for (let n = 0; n < SERVERS; n++)
    servers.push(await serve(['--init', '--credentials', 'c.json', '--log', 'json'], { cwd, env }))
  try {
    const client = await rootClient(`${cwd}/c.json`)
    const promote = () => standby.run('SELECT pg_promote()')
    await use({ cwd, store, servers, client, primary, standby, promote })
  } finally {
    for (const { stop } of servers) await stop()
    for (const server of [primary, standby]) await server.kill()
  }
}

const statusIn = ({ body }: Answered) => (body['activity'] as { readonly status?: string } | undefined)?.status

const namesAt = async (client: RootClient, url: string): Promise<readonly string[]> => {
  for (;;) {
    const { status, body } = await client.query('list_user_tags', {}, url)
    if (status === 200)
      return (body['userTags'] as readonly { readonly tagName: string }[]).map(({ tagName }) => tagName).toSorted()
  }
}

await onPostgres(it, () => {
  it('lose and double nothing that was acknowledged, and go on, where the standby is synchronous', () =>
    withStandby(true, async ({ cwd, store, servers, client, primary, standby, promote }) => {
      const acknowledged: string[] = []
      /** Sends the same request again, to the next server, until one answers. */
      const send = async (name: string): Promise<void> => {
        const request = client.stamped('create_user_tag', { userTagName: name, userIds: [] })
        for (let n = 0; ; n++) {
          const answer = await request.send(servers[n % SERVERS]?.url ?? '')
          if (answer.status === 200) {
            assert.is(statusIn(answer), 'ACTIVITY_STATUS_COMPLETED')
            acknowledged.push(name)
            return
          }
          assert.ok(answer.status >= 500 || answer.status === 409, `${answer.status}`)
        }
      }
      let tags = 0 // an organization has no more than a hundred
      const writer = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) await send(`tag ${++tags}`)
      }
      const write = (count: number) => Promise.all(Array.from({ length: WRITERS }, () => writer(count)))
      await write(3)
      const underWay = write(6)
      await primary.kill()
      const withoutPrimary = write(1)
      await promote()
      await Promise.all([underWay, withoutPrimary])
      await write(4)

      for (const { url, child } of servers) {
        assert.equal(await namesAt(client, url), acknowledged.toSorted())
        assert.is(child.exitCode, null)
      }
      assert.equal(await standby.run('SELECT pg_is_in_recovery() AS still'), [{ still: false }])
      const { code, stdout } = await run(['audit', '--json'], { cwd, env: { COUNTERSIGN_STORE: store } })
      assert.equal([code, (JSON.parse(stdout) as { findings: unknown }).findings], [0, []])
    }))

  it('say that the store went back, and answer what it has, where an asynchronous standby lost the end', () =>
    withStandby(false, async ({ cwd, store, servers, client, primary, standby, promote }) => {
      const tag = async (name: string): Promise<void> => {
        const request = client.stamped('create_user_tag', { userTagName: name, userIds: [] })
        for (;;) {
          const answer = await request.send(servers[0]?.url ?? '')
          if (answer.status === 200) return assert.is(statusIn(answer), 'ACTIVITY_STATUS_COMPLETED')
        }
      }
      await tag('kept')
      const received = async () =>
        (await standby.run(`SELECT 1 FROM countersign.events WHERE convert_from(line, 'UTF8') LIKE '%kept%'`)).length >
        0
      while (!(await received())) continue
      await standby.run(`ALTER SYSTEM SET primary_conninfo = ''`)
      await standby.run('SELECT pg_reload_conf()')
      while ((await standby.run('SELECT 1 FROM pg_stat_wal_receiver')).length > 0) continue
      await tag('lost')
      for (const { url } of servers) assert.equal(await namesAt(client, url), ['kept', 'lost'])
      await primary.kill()
      await promote()
      for (const { url, child } of servers) {
        while ((await namesAt(client, url)).includes('lost')) continue
        assert.equal(await namesAt(client, url), ['kept'])
        assert.is(child.exitCode, null)
      }
      await tag('new')
      for (const { url } of servers) assert.equal(await namesAt(client, url), ['kept', 'new'])
      const ended = await Promise.all(servers.map(({ stop }) => stop()))
      for (const { stderr } of ended) assert.match(stderr, 'the store has lost events that were durable')
      const { code } = await run(['audit', '--json'], { cwd, env: { COUNTERSIGN_STORE: store } })
      assert.is(code, 0)
    }))
})

it.run()
