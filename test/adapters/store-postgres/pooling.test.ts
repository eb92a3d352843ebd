import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { tablesOf } from '../../../adapters/store-postgres/tables.ts'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { E } from '../../../core/prelude.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { findPooler, startPooler, type Pooler, type PoolerOptions } from './server/pooler.ts'
import { anySchema, openAnywhere } from './any-schema.ts'
import { underTest } from './under-test.ts'

const it = suite('PostgreSQL store: behind a pooler')

const found = findPooler()
if (typeof found === 'string') {
  it.skip(found, () => {})
  console.log(`Tests behind a pooler are left out: ${found}`)
} else
  await onPostgres(it, ({ url, run }) => {
    let pooler: Pooler
    it.before(async () => {
      pooler = await startPooler(found.program, url, { mode: 'transaction' })
    })
    it.after(() => pooler.end())

    // Killed processes and numbers beyond 2^53 have nothing to do with a pooler.
    const { name, capabilities, commitBytesMax, leases = false, sealed = false } = underTest
    const under = { name, capabilities, commitBytesMax, leases, sealed, open: () => openAnywhere({ url: pooler.url }) }
    for (const contractCase of [
      ...storeContract(under),
      ...readModelsContract(under),
      ...leasesContract(under),
      ...sealedRowsContract(under),
    ])
      if (contractCase.leftOut === undefined) it(`${contractCase.number} ${contractCase.name}`, contractCase.run)

    it('looks for commits of others in transaction mode, and does not listen', async () => {
      const quiet = await startPooler(found.program, url, { mode: 'transaction' })
      const schema = anySchema()
      const [one, two] = [
        await right(openPostgresStore({ url, schema })),
        await right(openPostgresStore({ url: quiet.url, schema, pollIntervalMs: 20 })),
      ]
      const heard = hearing(two)
      for (let n = 0; n < 3; n++) {
        await right(one.store.append([anyCommit()]))
        await heard()
      }
      const listening = await run(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE $1 AND usename = current_user`,
        [`LISTEN ${tablesOf(schema).channel}%`], // other stores of these tests may have listened
      )
      for (const storage of [one, two]) await closed(storage)
      await run(`DROP SCHEMA "${schema}" CASCADE`)
      assert.equal(listening, [])
      await quiet.end()
      assert.not.match(quiet.said(), /got packet 'A'/) // what it says of each notification for nobody
    })

    const through = async (options: PoolerOptions, change: (of: URL) => void = () => {}): Promise<string> => {
      const other = await startPooler(found.program, url, options)
      const at = new URL(other.url)
      change(at)
      const schema = anySchema()
      const opened = await openPostgresStore({ url: at.href, schema })()
      if (E.isRight(opened)) await closed(opened.right)
      await other.end()
      await run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
      return E.isRight(opened) ? 'opened' : `${opened.left.code}: ${opened.left.message}`
    }

    it('hears others in session mode', async () => {
      const session = await startPooler(found.program, url, { mode: 'session', settings: ['default_pool_size = 20'] })
      const schema = anySchema()
      const open = () => right(openPostgresStore({ url: session.url, schema, pollIntervalMs: 600_000 }))
      const [one, two] = [await open(), await open()]
      const heard = hearing(two)
      await until(async () => (await run(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN %'`)).length > 0)
      await right(one.store.append([anyCommit()]))
      await heard()
      for (const storage of [one, two]) await closed(storage)
      await session.end()
      await run(`DROP SCHEMA "${schema}" CASCADE`)
    })

    it('says what to do about one that allows no transactions', async () =>
      assert.match(await through({ mode: 'statement' }), /^CONFIGURATION_INVALID: the pooler .*pool_mode/))

    it('tells what it refuses, although it has one code for everything', async () => {
      const mode = 'transaction'
      assert.match(await through({ mode }, (at) => (at.password = 'hunter2')), /^CONFIGURATION_INVALID.*password/)
      assert.match(await through({ mode }, (at) => (at.username = 'hunter2')), /^CONFIGURATION_INVALID.*user/)
      assert.match(await through({ mode }, (at) => (at.pathname = '/hunter2')), /^CONFIGURATION_INVALID.*no such/)
      assert.match(
        await through({ mode, settings: ['max_client_conn = 0'] }),
        /^UNAVAILABLE: .*no connection left|opened/,
      )
    })
  })

/** Waits until a watcher was woken, since the last time. */
const hearing = ({ store }: Storage): (() => Promise<void>) => {
  const heard = { times: 0, seen: 0 }
  store.watch(() => (heard.times += 1))
  return async () => {
    await until(() => heard.times > heard.seen)
    heard.seen = heard.times
  }
}

it.run()
