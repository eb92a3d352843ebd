import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEmulator } from '../store-eventstoredb/emulator/emulator.ts'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { long } from '../../long.ts'
import { rootClient, type RootClient } from './root-client.ts'
import { folder, run, serve } from './run-cli.ts'

const it = suite('servers on EventStoreDB whose read models are thrown away')

const cwd = folder()
const TAGS = 60

type Question = (client: RootClient, url: string) => ReturnType<RootClient['query']>

const questions: readonly Question[] = [
  (client, url) => client.query('list_activities', { paginationOptions: { limit: '100' } }, url),
  (client, url) => client.query('list_activities', { filterByType: ['ACTIVITY_TYPE_CREATE_USER_TAG'] }, url),
  (client, url) => client.query('list_activities', { filterByStatus: ['ACTIVITY_STATUS_FAILED'] }, url),
  (client, url) => client.query('list_user_tags', {}, url),
  (client, url) => client.query('whoami', {}, url),
]

await onPostgres(it, ({ urlOf, run: sql }) => {
  const schema = `lost_${randomBytes(6).toString('hex')}`
  it.after(() => sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`).then(() => undefined))

  long(it)(
    'are refused with UNAVAILABLE and Retry-After until the index is built, and then answer as before',
    async () => {
      const emulator = await startEmulator()
      const env = {
        COUNTERSIGN_STORE: emulator.connectionString,
        COUNTERSIGN_READ_MODELS: urlOf({ search: `schema=${schema}` }),
      }
      const servers = [
        await serve(['--init', '--credentials', 'c.json'], { cwd, env }),
        await serve(['--init', '--credentials', 'c.json'], { cwd, env }),
      ]
      const client = await rootClient(`${cwd}/c.json`)
      const [first = '', second = ''] = servers.map(({ url }) => url)
      const made = Array.from({ length: TAGS }, (_, n) =>
        client.stamped('create_user_tag', { userTagName: `tag ${n}`, userIds: [] }),
      )
      for (const [n, request] of made.entries())
        assert.is((await request.send(n % 2 === 0 ? first : second)).status, 200)
      const before = await Promise.all(questions.map((ask) => ask(client, first)))
      assert.equal(
        before.map(({ status }) => status),
        questions.map(() => 200),
      )

      /** All answers are those of before, or refusals. True if none is a refusal. */
      const ask = async (url: string): Promise<boolean> => {
        const answers = await Promise.all(questions.map((question) => question(client, url)))
        for (const [n, answer] of answers.entries())
          if (answer.status === 200) assert.equal(answer.body, before[n]?.body)
          else {
            assert.is(answer.status, 503)
            assert.match(JSON.stringify(answer.body), '"UNAVAILABLE"')
            assert.match(answer.retryAfter ?? '', /^[0-9]+$/)
          }
        return answers.every(({ status }) => status === 200)
      }
      let refused = 0
      for (let n = 0; n < 5 || refused === 0; n += 1) {
        const url = n % 2 === 0 ? first : second
        const tables = ['projections', 'rows', 'snapshots', 'snapshot_parts'].map((name) => `"${schema}"."${name}"`)
        await sql(`TRUNCATE ${tables.join(', ')}`)
        if (!(await ask(url))) refused += 1 // unless a process was about to look at the index, and has built it already
        for (const other of [url, first, second]) while (!(await ask(other))) continue
      }

      // What is taken is refused, or found, and not made twice.
      for (const [n, request] of made.entries())
        if (n % 10 === 0) assert.is((await request.send(n % 2 === 0 ? second : first)).status, 200)
      assert.ok(await ask(second))
      assert.is((await client.submit('create_user_tag', { userTagName: 'after', userIds: [] })).status, 200)

      const stopped = await Promise.all(servers.map(({ stop }) => stop()))
      assert.equal(
        stopped.map(({ code }) => code),
        [0, 0],
      )
      const audited = await run(['audit', '--json'], { cwd, env })
      assert.equal([audited.code, (JSON.parse(audited.stdout) as { findings: unknown }).findings], [0, []])
      const other = await run(['serve', '--port', '0', '--init', '--credentials', 'c.json'], {
        cwd,
        env: { ...env, COUNTERSIGN_READ_MODELS: 'sqlite:other.db' },
      })
      assert.is(other.code, 2)
      assert.match(other.stderr, /^countersign: [^\n]*--adopt-read-models[^\n]*\n$/)
      await emulator.stop()
    },
  )
})

it.run()
