import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { postgresChecks } from '../../../../adapters/cli/doctor/postgres-checks.ts'
import type { Examined, ExaminedServer } from '../../../../adapters/store-postgres/examine.ts'

const it = suite('doctor: what settings of a database mean')

const server: ExaminedServer = {
  version: '17.1',
  versionNumber: 170_001,
  encoding: 'UTF8',
  settings: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', synchronous_standby_names: '' },
  inTransaction: {
    synchronous_commit: 'on',
    lock_timeout: '10000',
    statement_timeout: '30000',
    idle_in_transaction_session_timeout: '10000',
  },
  aheadMs: 3,
  uncertainMs: 1,
  connectionsMax: 97,
  connections: 3,
  standbys: 0,
}
const good: Examined = {
  server,
  isPooled: false,
  isHeard: true,
  store: { unread: undefined, events: 3n, bytes: 8192n, changedTables: [] },
  rights: { role: 'r', mayMakeSchemas: true, isSchemaThere: true, mayMakeTables: true, missing: [] },
  sql: '',
  leftSchemas: [],
}
const notOk = (examined: Examined): readonly string[] =>
  postgresChecks(examined)
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state }) => `${check}: ${state}`)
const on = (given: Partial<ExaminedServer>): readonly string[] => notOk({ ...good, server: { ...server, ...given } })

it('finds nothing where nothing is wrong', () => assert.equal(notOk(good), []))

it('tells clocks that differ, beyond what the measuring may be wrong by', () => {
  assert.equal(on({ aheadMs: -1_900 }), [])
  assert.equal(on({ aheadMs: 2_100, uncertainMs: 200 }), [])
  assert.equal(on({ aheadMs: 3_000 }), ['clock skew: warning'])
  assert.equal(on({ aheadMs: -3_600_000 }), ['clock skew: wrong'])
})

it('tells a standby that can fall behind, and one that is waited for in vain', () => {
  assert.equal(on({ standbys: 1 }), ['standbys: warning'])
  const settings = { ...server.settings, synchronous_standby_names: 'one' }
  assert.equal(on({ standbys: 1, settings }), [])
  assert.equal(on({ standbys: 0, settings }), ['standbys: warning'])
})

it('tells limits that do not hold, few connections, an old server, and another encoding', () => {
  assert.equal(on({ inTransaction: { ...server.inTransaction, synchronous_commit: 'off' } }), ['transactions: wrong'])
  assert.equal(on({ inTransaction: {} }), ['transactions: wrong'])
  assert.equal(on({ connections: 95 }), ['connections: warning'])
  assert.equal(on({ versionNumber: 130_000 }), ['server: wrong'])
  assert.equal(on({ encoding: 'LATIN1' }), ['encoding: wrong'])
})

it('tells notifications that do not pass, and what other examinations have left', () => {
  assert.equal(notOk({ ...good, isPooled: true, isHeard: false }), ['pooler: warning'])
  assert.equal(notOk({ ...good, isHeard: false }), ['pooler: warning'])
  assert.equal(notOk({ ...good, leftSchemas: ['a'] }), ['scratch: warning'])
})

it.run()
