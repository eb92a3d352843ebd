import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connector, type Connection } from '../../../adapters/store-postgres/connect.ts'
import { defaults } from '../../../adapters/store-postgres/settings.ts'
import { tablesOf } from '../../../adapters/store-postgres/tables.ts'
import { transactions } from '../../../adapters/store-postgres/transaction.ts'
import { targetOf } from '../../../adapters/store-postgres/url.ts'
import { anyCommit, anyEvent } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Commit } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { lane } from '../../../core/writing/lane.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { proxyTo } from './server/proxy.ts'
import { anySchema, openIn } from './any-schema.ts'

const it = suite('PostgreSQL store: writing')
const organization = 'acme'
const to = (): Commit => anyCommit({ organization })
const idsOf = (commits: readonly Commit[]) => commits.flatMap(({ events }) => events.map(({ id }) => id))
const kept = async ({ store }: Storage) => (await right(store.readAll(0n, 10_000))).map(({ id }) => id)

/** Appends until the store says what became of the commit, as the lane of the engine does. */
const insist = ({ store }: Storage, commit: Commit): Promise<string> =>
  until(async () => {
    const answer = await store.append([commit])()
    if (E.isRight(answer)) return answer.right[0]?._tag ?? 'nothing'
    assert.is(answer.left.code, 'UNAVAILABLE')
    return undefined
  })

await onPostgres(it, (server) => {
  const { url, run } = server
  const inSchema = async (use: (schema: string) => Promise<void>): Promise<void> => {
    const schema = anySchema()
    try {
      await use(schema)
    } finally {
      await run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    }
  }

  const connected = async (schema: string): Promise<Connection> => {
    const target = targetOf(url)
    if (E.isLeft(target)) throw new Error(target.left.message)
    return (await connector({ ...defaults, schema, pool: undefined, target: target.right }))()
  }

  it('recognizes what was committed when the connection was cut behind the commit', () =>
    inSchema(async (schema) => {
      const proxy = await proxyTo(url, { swallows: (commit) => commit % 5 === 0 })
      const storage = await openIn(proxy, schema)
      const commits = Array.from({ length: 40 }, to)
      const outcomes: string[] = []
      for (const commit of commits) outcomes.push(await insist(storage, commit))
      assert.equal(new Set(outcomes), new Set(['committed', 'duplicate']))
      assert.equal(await kept(storage), idsOf(commits))
      await closed(storage)
      await proxy.close()
    }))

  it('loses and doubles nothing behind the lane of the engine, whatever is cut', () =>
    inSchema(async (schema) => {
      const proxy = await proxyTo(url, { swallows: (commit) => commit % 7 === 0 })
      const storage = await openIn(proxy, schema)
      const writer = lane({ store: storage.store, clock: systemClock() })
      const commits = Array.from({ length: 60 }, () => anyCommit({ organization, events: [anyEvent(), anyEvent()] }))
      const outcomes: Promise<boolean>[] = []
      for (const [n, commit] of commits.entries()) {
        await outcomes[n - 8] // so many are under way, in several groups
        outcomes.push(new Promise((resolve) => writer.append(commit, (outcome) => resolve(E.isRight(outcome)))))
        if (n === 30) proxy.cut()
      }
      assert.equal(new Set(await Promise.all(outcomes)), new Set([true]))
      assert.equal((await kept(storage)).sort(), idsOf(commits).sort())
      await writer.idle()
      await closed(storage)
      await proxy.close()
    }))

  it('keeps the process alive while an append is tried again, and says at last that nobody knows', () =>
    inSchema(async (schema) => {
      const proxy = await proxyTo(url)
      const file = fileURLToPath(new URL('./child-that-waits.ts', import.meta.url))
      const child = spawn(process.execPath, ['--import', 'tsx', file, proxy.url, schema], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const lines = createInterface(child.stdout)
      const said: string[] = []
      lines.on('line', (line) => {
        if (said.push(line) === 1) void proxy.close().then(() => child.stdin.end())
      })
      await Promise.all([once(child, 'exit'), once(lines, 'close')])
      assert.equal(said, ['opened', 'UNAVAILABLE'])
    }))

  it('notices at once that a connection was lost while nobody used it, and takes a new one', () =>
    inSchema(async (schema) => {
      const proxy = await proxyTo(url)
      const storage = await openIn(proxy, schema)
      await right(storage.store.append([to()]))
      await right(storage.store.lastPosition())
      proxy.cut()
      await right(storage.store.append([to()]))
      assert.is(await right(storage.store.lastPosition()), 2n)
      await closed(storage)
      await proxy.close()
    }))

  it('lets one commit fail that the server does not take, and writes the others of the group', () =>
    inSchema(async (schema) => {
      const storage = await openIn(server, schema)
      await run(`ALTER TABLE "${schema}".events ADD CONSTRAINT small CHECK (length(line) < 1000)`)
      const large = anyCommit({ organization, events: [anyEvent({ line: new Uint8Array(2000) })] })
      const commits = [to(), large, to()]
      const answers = await Promise.all(commits.map((commit) => storage.store.append([commit])()))
      assert.equal(
        answers.map(({ _tag }) => _tag),
        ['Right', 'Left', 'Right'],
      )
      assert.equal(await kept(storage), idsOf(commits.filter((commit) => commit !== large)))
      await closed(storage)
    }))

  it('waits for the lock no longer than it was told, and writes when the lock is free', () =>
    inSchema(async (schema) => {
      const storage = await openIn(server, schema, { lockTimeoutMs: 200 })
      const commit = to()
      const { lock } = tablesOf(schema)
      const host = await connected(schema)
      await host.query('SELECT pg_advisory_lock($1)', [lock])
      await failsWith('UNAVAILABLE', storage.store.append([commit]))
      await failsWith('UNAVAILABLE', storage.store.checkWritable())
      assert.is(await right(storage.store.lastPosition()), 0n)
      await host.query('SELECT pg_advisory_unlock($1)', [lock])
      assert.is(await insist(storage, commit), 'committed')
      await host.close()
      await closed(storage)
    }))

  it('takes the lock from a process that has stopped in its transaction', () =>
    inSchema(async (schema) => {
      const storage = await openIn(server, schema)
      const frozen = await connected(schema)
      const bounds = { lockTimeoutMs: 10_000, statementTimeoutMs: 10_000, idleTimeoutMs: 300 }
      const locked = transactions(bounds, `SELECT pg_advisory_xact_lock(${tablesOf(schema).lock})`)
      let wake = (): void => undefined
      const begun = await new Promise<{ readonly writing: Promise<void> }>((resolve) => {
        const writing = locked(frozen, () => {
          resolve({ writing })
          return new Promise<void>((wakeUp) => (wake = wakeUp))
        })
        writing.catch(() => undefined)
      })
      assert.is(await insist(storage, to()), 'committed') // when the server has ended the other transaction
      wake()
      const outcome = await begun.writing.then(
        () => 'written',
        () => 'refused',
      )
      assert.is(outcome, 'refused')
      await frozen.close()
      await closed(storage)
    }))

  if (server.restart !== undefined)
    it('goes on after the server was killed and started again, with everything that it acknowledged', () =>
      inSchema(async (schema) => {
        const storage = await openIn(server, schema)
        const acknowledged: Commit[] = []
        const commits = Array.from({ length: 200 }, to)
        const writing = (async () => {
          for (const commit of commits) {
            await insist(storage, commit)
            acknowledged.push(commit)
          }
        })()
        await until(() => acknowledged.length >= 20)
        await server.restart?.()
        await writing
        assert.equal(await kept(storage), idsOf(commits))
        const heard = { times: 0 }
        storage.store.watch(() => (heard.times += 1))
        await right(storage.store.append([to()]))
        await until(() => heard.times > 0)
        await closed(storage)
      }))
})

it.run()
