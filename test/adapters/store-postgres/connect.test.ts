import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { E } from '../../../core/prelude.ts'
import { onPostgres } from './server/on-postgres.ts'
import { startServer, type OwnServer } from './server/own-server.ts'

const it = suite('PostgreSQL store: standbys')

await onPostgres(it, () => {
  const onServer = async (settings: readonly string[], use: (server: OwnServer) => Promise<void>): Promise<void> => {
    const server = await startServer(['fsync=off', ...settings])
    if (typeof server === 'string') return console.log(`   left out: ${server}`)
    try {
      await use(server)
    } finally {
      await server.kill()
    }
  }
  const waiting = (server: OwnServer) =>
    server.run(`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND state = 'active'`)
  const hasEnded = (work: Promise<unknown>): (() => boolean) => {
    let has = false
    const end = (): void => void (has = true)
    work.then(end, end)
    return () => has
  }
  /** What an administrator or a program for failovers does to what has hung for too long, until this has ended. */
  const cutOff = async <A>(server: OwnServer, work: Promise<A>): Promise<A> => {
    const isOver = hasEnded(work)
    while (!isOver())
      for (const { pid } of await waiting(server)) await server.run('SELECT pg_cancel_backend($1)', [pid])
    return work
  }
  /** Lets commits wait for a standby that is not there. Processes of the server hear of it one after the other: until then, some do not. */
  const withoutStandby = async (server: OwnServer): Promise<void> => {
    await server.run(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`)
    await server.run('SELECT pg_reload_conf()')
    for (let waits = false; !waits;) {
      const commit = server.run(`SELECT pg_logical_emit_message(true, 'a commit', '')`)
      const isOver = hasEnded(commit)
      while (!waits && !isOver()) waits = (await waiting(server)).length > 0
      await cutOff(server, commit)
    }
  }

  it('acknowledges no commit that somebody has cut off from its standby, nor when it comes again', () =>
    onServer([], async (server) => {
      const storage = await right(openPostgresStore({ url: server.url }))
      await withoutStandby(server)
      const commit = anyCommit({ organization: 'acme', expected: 'none' })
      const append = async () => {
        const answer = await storage.store.append([commit])()
        return E.isLeft(answer) ? answer.left.code : answer.right[0]?._tag
      }
      for (let n = 0; n < 2; n++) {
        assert.is(await cutOff(server, append()), 'UNAVAILABLE')
      }
      const again = append()
      while ((await waiting(server)).length === 0) continue
      await server.run(`ALTER SYSTEM RESET synchronous_standby_names`)
      await server.run('SELECT pg_reload_conf()')
      assert.is(await again, 'duplicate')
      assert.is((await right(storage.store.readAll(0n, 9))).length, 1)
      await closed(storage)
    }))

  it('refuses to write to a standby and reads from it, says so of one that is not readable yet, and finds the primary', () =>
    onServer([], async (server) => {
      const standby = await server.standby('standby')
      await closed(await right(openPostgresStore({ url: server.url })))
      const code = async (url: string, readOnly = false): Promise<string> => {
        const opened = await openPostgresStore({ url, readOnly })()
        if (E.isRight(opened)) await closed(opened.right)
        return E.isLeft(opened) ? `${opened.left.code}: ${opened.left.message}` : 'opened'
      }
      while ((await code(standby.url, true)) !== 'opened') continue // it has heard of the tables
      assert.match(await code(standby.url), /^UNAVAILABLE: .*standby/)
      const both = server.url.replace(/@[^/]+/, `@127.0.0.1:${standby.port},127.0.0.1:${server.port}`)
      assert.is(await code(both), 'opened')
      await standby.kill()
    }))
})

it.run()
