import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connector, type Connection } from '../../../adapters/store-postgres/connect.ts'
import { groupRows } from '../../../adapters/store-postgres/group-rows.ts'
import { insertRows } from '../../../adapters/store-postgres/insert-rows.ts'
import { defaults } from '../../../adapters/store-postgres/settings.ts'
import { tablesOf } from '../../../adapters/store-postgres/tables.ts'
import { lockedTransactions } from '../../../adapters/store-postgres/transaction.ts'
import { targetOf } from '../../../adapters/store-postgres/url.ts'
import { anyCommit, anyEvent } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { E } from '../../../core/prelude.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema, openIn } from './any-schema.ts'

const it = suite('PostgreSQL store: groups that are judged before the lock')

const connected = async (url: string): Promise<Connection> => {
  const target = targetOf(url)
  if (E.isLeft(target)) throw new Error(target.left.message)
  return (await connector({ ...defaults, schema: '', pool: undefined, target: target.right }))()
}

await onPostgres(it, (server) => {
  const { url, run } = server

  it('tells the positions that events have, where others append to other organizations meanwhile', async () => {
    const schema = anySchema()
    const stores = [await openIn(server, schema), await openIn(server, schema), await openIn(server, schema)]
    const told = new Map<string, bigint>()
    const writer = async ({ store }: (typeof stores)[number], organization: string): Promise<void> => {
      let expected: bigint | 'none' = 'none'
      for (let n = 0; n < 30; n++) {
        const commit = anyCommit({ organization, expected, events: [anyEvent(), anyEvent()] })
        const [answer] = await right(store.append([commit]))
        if (answer?._tag !== 'committed') throw new Error(`the commit was answered with ${answer?._tag}`)
        expected = answer.sequence
        told.set(commit.events[1]?.id ?? '', answer.position)
      }
    }
    await Promise.all(stores.flatMap((storage, n) => ['a', 'b', 'c'].map((name) => writer(storage, `${name}${n}`))))
    const [first] = stores
    const all = first === undefined ? [] : await right(first.store.readAll(0n, 1000))
    assert.equal(
      all.map(({ position }) => position),
      Array.from({ length: 540 }, (_, n) => BigInt(n + 1)),
    )
    for (const { id, position } of all) if (told.has(id)) assert.is(told.get(id), position)
    assert.is(told.size, 270)
    for (const storage of stores) await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('writes no group that was judged on a log that has grown, nor one whose transaction was not begun', async () => {
    const schema = anySchema()
    const t = tablesOf(schema)
    const storage = await openIn(server, schema)
    await right(storage.store.append([anyCommit({ organization: 'acme', events: [anyEvent(), anyEvent()] })]))
    const connection = await connected(url)
    const found = (sequence: bigint) => ({
      lastPosition: 2n,
      lastKey: 1n,
      heads: new Map([['acme', { key: 1n, sequence, position: sequence }]]),
      revisions: new Map(),
      known: new Map(),
      knows: { ids: false, revision: () => false },
    })
    const insert = (sequence: bigint) => {
      const rows = groupRows()
      rows.addEvent({ key: 1n, organization: 'acme', sequence: 3n, position: 3n }, anyEvent())
      const standing = { organizations: ['acme'], found: found(sequence), firstPosition: 1n }
      return insertRows(connection, t, rows, standing)
    }
    const { inOnePiece } = lockedTransactions(defaults, `SELECT pg_advisory_xact_lock(${t.lock})`)
    assert.is(await inOnePiece(connection, () => insert(1n)), undefined)
    assert.is(await insert(2n), undefined)
    assert.is(await right(storage.store.lastPosition()), 2n)
    assert.is(await inOnePiece(connection, () => insert(2n)), 0n)
    assert.is(await right(storage.store.lastPosition()), 3n)
    await connection.close()
    await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('lets a whole group wait for the lock once, and not each of its commits', async () => {
    const schema = anySchema()
    const { lock } = tablesOf(schema)
    const storage = await openIn(server, schema, { lockTimeoutMs: 100 })
    const host = await connected(url)
    await host.query('SELECT pg_advisory_lock($1)', [lock])
    let released: Promise<unknown> | undefined
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(async (organization) => {
        const answer = await storage.store.append([anyCommit({ organization })])()
        released ??= host.query('SELECT pg_advisory_unlock($1)', [lock]) // whoever tried later would succeed
        return E.isLeft(answer) ? answer.left.code : 'written'
      }),
    )
    assert.equal(answers, ['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
    await released
    await host.close()
    await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('writes none whose lock does not come in time, and can be used behind that', async () => {
    const schema = anySchema()
    const { lock } = tablesOf(schema)
    const storage = await openIn(server, schema, { lockTimeoutMs: 100 })
    const [host, commit] = [await connected(url), anyCommit({ organization: 'acme' })]
    await host.query('SELECT pg_advisory_lock($1)', [lock])
    const answer = await storage.store.append([commit])()
    assert.is(E.isLeft(answer) && answer.left.code, 'UNAVAILABLE')
    await host.query('SELECT pg_advisory_unlock($1)', [lock])
    assert.is((await right(storage.store.append([commit])))[0]?._tag, 'committed')
    assert.is(await right(storage.store.lastPosition()), 1n)
    await host.close()
    await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })
})

it.run()
