import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { schemaSql } from '../../../adapters/store-postgres/schema.ts'
import type { PostgresStoreOptions } from '../../../adapters/store-postgres/settings.ts'
import { tablesOf } from '../../../adapters/store-postgres/tables.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { causeOf } from '../../../core/telemetry/cause.ts'
import { E } from '../../../core/prelude.ts'
import { onPostgres } from './server/on-postgres.ts'
import { proxyTo } from './server/proxy.ts'
import { anySchema } from './any-schema.ts'

const it = suite('PostgreSQL store: opening')

/** The code and the message of the failure. Neither they nor the cause have any secret. */
const refusal = async (options: PostgresStoreOptions): Promise<readonly string[]> => {
  const opened = await openPostgresStore(options)()
  if (E.isRight(opened)) {
    await closed(opened.right)
    return ['opened']
  }
  const { code, message } = opened.left
  assert.not.match(`${message} ${JSON.stringify(causeOf(opened.left))}`, /hunter2|postgres:\/\/|127\.0\.0\.1|somebody/)
  return [code, message]
}

await onPostgres(it, ({ url, urlOf, run }) => {
  const dropped = (schema: string) => run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  const made = async (schema: string, options: Partial<PostgresStoreOptions> = {}): Promise<void> =>
    closed(await right(openPostgresStore({ url, schema, ...options })))

  it('refuses options that cannot be, and says which', async () => {
    assert.equal(await refusal({}), ['CONFIGURATION_INVALID', 'expected either url or pool'])
    const misspelled = { url, shema: 'x' } as PostgresStoreOptions
    assert.match((await refusal(misspelled)).join(' '), 'shema: there is no such option; did you mean schema?')
    for (const schema of ['', 'pg_mine', 'x'.repeat(64), 'a\0'])
      assert.is((await refusal({ url, schema }))[0], 'CONFIGURATION_INVALID')
  })

  it('tells a wrong password, a wrong user and a database that is not there, without repeating them', async () => {
    const wrong = [{ password: 'hunter2' }, { user: 'somebody', password: 'hunter2' }, { database: 'hunter2' }]
    const codes = await Promise.all(wrong.map(async (pieces) => (await refusal({ url: urlOf(pieces) }))[0]))
    assert.equal(codes, ['CONFIGURATION_INVALID', 'CONFIGURATION_INVALID', 'CONFIGURATION_INVALID'])
  })

  it('tells a server that is not there, and one that says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo // of a TCP socket
    const at = (host: string) => ({ url: `postgres://somebody:hunter2@${host}/d`, connectTimeoutMs: 200 })
    assert.is((await refusal(at(`127.0.0.1:${port}`)))[0], 'UNAVAILABLE')
    silent.close()
    assert.is((await refusal(at('127.0.0.1:1')))[0], 'UNAVAILABLE')
  })

  it('takes the host of the URL that takes writes', async () => {
    const schema = anySchema()
    const several = url.replace('@', '@127.0.0.1:1,')
    await closed(await right(openPostgresStore({ url: several, schema })))
    await dropped(schema)
  })

  it('goes to the host that took writes the last time first, and to others where it is gone', async () => {
    const schema = anySchema()
    let asked = 0
    const other = createServer((socket) => {
      asked += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo // of a TCP socket
    const proxy = await proxyTo(url)
    const proxied = new URL(proxy.url).host
    const several = url.replace(/@[^/]+/, `@127.0.0.1:${port},${proxied},${new URL(url).host}`)
    const storage = await right(openPostgresStore({ url: several, schema }))
    await Promise.all([1, 2, 3].map(() => right(storage.store.lastPosition())))
    assert.is(asked, 1)
    await proxy.close()
    while (E.isLeft(await storage.store.append([anyCommit()])())) continue
    assert.ok(asked > 1)
    await closed(storage)
    other.close()
    await dropped(schema)
  })

  it('refuses a server that is too old', async () => {
    const old = await proxyTo(url, { rewrites: (text) => text.replace(/1[4-9]00\d\d/, '130099') })
    assert.match((await refusal({ url: old.url })).join(' '), /^CONFIGURATION_INVALID.*14/)
    await old.close()
  })

  it('refuses a database of another encoding', async () => {
    const name = anySchema()
    await run(`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    assert.match((await refusal({ url: urlOf({ database: name }) })).join(' '), /^CONFIGURATION_INVALID.*UTF8/)
    await run(`DROP DATABASE "${name}"`)
  })

  it('refuses a schema of another application, of a newer version, and a damaged one', async () => {
    const schema = anySchema()
    await run(`CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".theirs (a int)`)
    assert.is((await refusal({ url, schema }))[0], 'STORE_UNREADABLE')
    await dropped(schema)
    for (const harm of [
      `UPDATE "${schema}".countersign_store SET version = 99`,
      `DELETE FROM "${schema}".countersign_store`,
      `DROP INDEX "${schema}".events_by_id`,
      `ALTER TABLE "${schema}".parts DROP COLUMN salt`,
      `DROP TABLE "${schema}".standings`,
      `ALTER TABLE "${schema}".countersign_store DROP COLUMN version`,
      `ALTER TABLE "${schema}".events SET UNLOGGED`,
      `ALTER TABLE "${schema}".events ENABLE ROW LEVEL SECURITY`,
    ]) {
      await made(schema)
      await run(harm)
      assert.is((await refusal({ url, schema }))[0], 'STORE_UNREADABLE', harm)
      assert.is((await refusal({ url, schema, readOnly: true }))[0], 'STORE_UNREADABLE', harm)
      await dropped(schema)
    }
  })

  it('makes nothing when it is opened for reading only, and writes nothing', async () => {
    const schema = anySchema()
    assert.is((await refusal({ url, schema, readOnly: true }))[0], 'STORE_UNREADABLE')
    assert.equal(await run('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]), [])
    await made(schema)
    const storage = await right(openPostgresStore({ url, schema, readOnly: true }))
    const { store, readModels } = storage
    const tried = [store.append([anyCommit()]), store.setImportedTo(1n), readModels.drop('p'), store.checkWritable()]
    for (const task of tried) {
      const outcome = await task()
      assert.is(E.isLeft(outcome) && outcome.left.code, 'CONFIGURATION_INVALID')
    }
    assert.is(await right(store.lastPosition()), 0n)
    await closed(storage)
    await dropped(schema)
  })

  it('lets twelve processes that start at once make one schema', async () => {
    const schema = anySchema()
    // Eleven wait until the one has made it, however busy the machine is.
    const patient = { lockTimeoutMs: 600_000, statementTimeoutMs: 600_000, idleTimeoutMs: 600_000 }
    const options = { url, schema, ...patient }
    const opened = await Promise.all(Array.from({ length: 12 }, () => right(openPostgresStore(options))))
    const answers = await Promise.all(opened.map(({ store }) => right(store.append([anyCommit()]))))
    assert.equal(new Set(answers.flat().map(({ _tag }) => _tag)), new Set(['committed']))
    for (const storage of opened) await closed(storage)
    await dropped(schema)
  })

  it('works for a user who owns one schema, and for one who may make nothing in a schema that is there', async () => {
    const schema = anySchema()
    const user = anySchema()
    await run(`CREATE ROLE "${user}" LOGIN PASSWORD 'hunter2'`)
    const own = { url: urlOf({ user, password: 'hunter2' }), schema }
    assert.match((await refusal(own)).join(' '), /^CONFIGURATION_INVALID.*rights/)
    await run(`CREATE SCHEMA "${schema}" AUTHORIZATION "${user}"`)
    const write = async (): Promise<void> => {
      const storage = await right(openPostgresStore(own))
      await right(storage.store.append([anyCommit({ organization: 'acme' })]))
      await right(storage.store.eraseParts('acme', [{ sequence: 1n, name: 'request' }]))
      await closed(storage)
    }
    await write()
    await dropped(schema)
    await run(schemaSql(tablesOf(schema)))
    assert.match((await refusal(own)).join(' '), /^CONFIGURATION_INVALID.*rights/)
    await run(`GRANT USAGE ON SCHEMA "${schema}" TO "${user}"`)
    await run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${user}"`)
    await write()
    await dropped(schema)
    await run(`DROP OWNED BY "${user}"; DROP ROLE "${user}"`)
  })

  it('tells a database that takes no writes, and one without a free connection', async () => {
    const user = anySchema()
    await run(`CREATE ROLE "${user}" SUPERUSER LOGIN PASSWORD 'hunter2'`)
    const own = { url: urlOf({ user, password: 'hunter2' }) }
    await run(`ALTER ROLE "${user}" SET default_transaction_read_only = on`)
    assert.match((await refusal(own)).join(' '), /^UNAVAILABLE.*no writes/)
    await run(`ALTER ROLE "${user}" RESET ALL; ALTER ROLE "${user}" NOSUPERUSER CONNECTION LIMIT 0`)
    assert.match((await refusal(own)).join(' '), /^UNAVAILABLE.*no connection left/)
    await run(`DROP ROLE "${user}"`)
  })

  it('takes away what it has made, if it is told to, and nothing that was there', async () => {
    const schema = anySchema()
    const discarded = async (): Promise<void> => {
      const storage = await right(openPostgresStore({ url, schema }))
      await right(storage.store.append([anyCommit()]))
      storage.discard('all')
      await closed(storage)
    }
    await discarded()
    assert.equal(await run('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]), [])
    await made(schema)
    await discarded()
    assert.is((await refusal({ url, schema, readOnly: true }))[0], 'opened')
    await dropped(schema)
  })
})

it.run()
