import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connector, type Connection } from '../../../adapters/store-postgres/connect.ts'
import { defaults } from '../../../adapters/store-postgres/settings.ts'
import { targetOf } from '../../../adapters/store-postgres/url.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Appended, Commit } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { proxyTo } from './server/proxy.ts'
import { anySchema, openIn } from './any-schema.ts'

const it = suite('PostgreSQL store: plans that the server keeps')

const connected = async (url: string): Promise<Connection> => {
  const target = targetOf(url)
  if (E.isLeft(target)) throw new Error(target.left.message)
  return (await connector({ ...defaults, schema: '', pool: undefined, target: target.right }))()
}

const plansKept = async (connection: Connection): Promise<unknown> => {
  await connection.prepared('one', 'SELECT $1::int4', [1n])
  await connection.prepared('one', 'SELECT $1::int4', [2n])
  return (await connection.query('SELECT name FROM pg_prepared_statements')).rows
}

const tags = (answers: readonly Appended[]): readonly string[] => answers.map(({ _tag }) => _tag)

/** An activity that begins, goes on, and ends: one commit each. */
const course = (organization: string, activity: string): readonly Commit[] =>
  [1n, 2n, 3n].map((revision) => {
    const parts = [anyPart()]
    const standing = { type: revision === 1n ? 'T' : undefined, status: `${revision}` }
    return anyCommit({ organization, events: [anyEvent({ activity, revision, parts, standing })] })
  })

await onPostgres(it, (server) => {
  const { url, run } = server

  it('keeps plans on a connection to the server itself, and sends statements ahead', async () => {
    const connection = await connected(url)
    assert.ok(connection.isDirect())
    assert.equal(await plansKept(connection), [['one']])
    await connection.close()
  })

  it('keeps none behind a pooler, which it knows by the process that it is told', async () => {
    const proxy = await proxyTo(url, { isPooler: true })
    const connection = await connected(proxy.url)
    assert.not.ok(connection.isDirect())
    assert.equal(await plansKept(connection), [])
    await connection.close()
    await proxy.close()
  })

  it('gives behind a pooler the answers that it gives without', async () => {
    const [schema, activity] = [anySchema(), 'a']
    const proxy = await proxyTo(url, { isPooler: true })
    const storage = await openIn(proxy, schema)
    const commits = course('acme', activity)
    for (const commit of commits) assert.equal(tags(await right(storage.store.append([commit]))), ['committed'])
    assert.equal(tags(await right(storage.store.append(commits))), ['duplicate', 'duplicate', 'duplicate'])
    const again = anyCommit({ organization: 'acme', events: [anyEvent({ activity, revision: 1n })] })
    assert.equal(tags(await right(storage.store.append([again]))), ['revision-conflict'])
    await closed(storage)
    await proxy.close()
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('answers each commit of a group by itself, where one of them violates an index', async () => {
    const schema = anySchema()
    const storage = await openIn(server, schema)
    const { store } = storage
    const [first, second, third] = course('acme', 'a')
    const known = anyCommit({ organization: 'other', events: [anyEvent({ id: first?.events[0]?.id ?? '' })] })
    const begun = anyCommit({ organization: 'acme', events: [anyEvent({ activity: 'a', revision: 1n })] })
    const fresh = anyCommit({ organization: 'new' })
    const all = [first, second].filter((commit) => commit !== undefined)
    await right(store.append(all))
    const groups = [[known], [fresh], [begun], all, [third].filter((commit) => commit !== undefined)]
    const answers = await Promise.all(groups.map((commits) => right(store.append(commits))))
    const expected = ['partial-duplicate', 'committed', 'revision-conflict', 'duplicate', 'duplicate', 'committed']
    assert.equal(answers.flatMap(tags), expected)
    assert.is(await right(store.lastPosition()), 4n)
    await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  const others = async (): Promise<number> => {
    const [row] = await run(
      `SELECT count(*)::int4 FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    )
    return Number(row?.['count'])
  }

  it('reads no table of the log whole, although plans were made when the tables were small', async () => {
    const schema = anySchema()
    const small = await openIn(server, schema)
    await right(small.store.append(course('organization 0', 'first')))
    await closed(small)
    for (const table of ['events', 'organizations', 'standings']) await run(`ANALYZE "${schema}".${table}`)
    // A connection tells what it has counted at the latest when its process ends.
    const scans = async () => {
      await until(async () => (await others()) === 0)
      return run(
        `SELECT relname, seq_scan FROM pg_stat_user_tables
        WHERE schemaname = $1 AND relname IN ('events', 'organizations', 'parts', 'standings') ORDER BY relname`,
        [schema],
      )
    }
    const before = await scans()
    const storage = await openIn(server, schema)
    for (let n = 0; n < 10; n++) {
      for (const commit of course(`organization ${n % 3}`, `activity ${n}`)) {
        await right(storage.store.append([commit]))
        await right(storage.store.head(commit.organization))
      }
      const repeated = course('repeated', 'a')[0]
      if (repeated !== undefined) await right(storage.store.append([{ ...repeated, events: [anyEvent()] }]))
    }
    await closed(storage)
    assert.equal(await scans(), before)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })
})

it.run()
