import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import type { Json } from '../../../core/failure.ts'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { rootClient, type Answered, type RootClient } from './root-client.ts'
import { folder, run, serve, type Served } from './run-cli.ts'

const it = suite('several servers on one PostgreSQL store')

const cwd = folder()
const SERVERS = 3

await onPostgres(it, ({ urlOf, run: sql }) => {
  const schema = `several_${randomBytes(6).toString('hex')}`
  const store = urlOf({ search: `schema=${schema}` })
  const env = { COUNTERSIGN_STORE: store }
  let servers: readonly Served[] = []
  let client: RootClient

  const urlAt = (n: number): string => servers[n % servers.length]?.url ?? ''
  const tagNames = async (url?: string): Promise<readonly string[]> => {
    const { status, body } = await client.query('list_user_tags', {}, url)
    assert.is(status, 200)
    return (body['userTags'] as readonly { readonly tagName: string }[]).map(({ tagName }) => tagName)
  }
  const statusIn = ({ body }: Answered) => (body['activity'] as { readonly status?: string } | undefined)?.status

  it.before(async () => {
    // All at once, on a store that is empty.
    servers = await Promise.all(
      Array.from({ length: SERVERS }, () => serve(['--init', '--credentials', 'c.json', '--erasure'], { cwd, env })),
    )
    client = await rootClient(`${cwd}/c.json`)
  })
  it.after(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })

  it('begin one organization between them', async () => {
    const { code, stdout } = await run(['audit', '--json'], { cwd, env })
    assert.is(code, 0)
    assert.is((JSON.parse(stdout) as { organizations: readonly unknown[] }).organizations.length, 1)
  })

  it('show at once what another one has answered', async () => {
    for (let n = 0; n < 12; n += 1) {
      const userTagName = `seen ${n}`
      const made = await client.stamped('create_user_tag', { userTagName, userIds: [] }).send(urlAt(n))
      assert.is(made.status, 200)
      assert.ok((await tagNames(urlAt(n + 1))).includes(userTagName))
    }
  })

  it('make one activity of a request that reaches all of them at once', async () => {
    for (let n = 0; n < 5; n += 1) {
      const request = client.stamped('create_user_tag', { userTagName: `once ${n}`, userIds: [] })
      const answers = await Promise.all(servers.map(({ url }) => request.send(url)))
      assert.equal(
        answers.map((answer) => [answer.status, statusIn(answer)]),
        Array.from({ length: SERVERS }, () => [200, 'ACTIVITY_STATUS_COMPLETED']),
      )
      assert.is(new Set(answers.map(({ body }) => (body['activity'] as { id: string }).id)).size, 1)
    }
  })

  it('lose and double nothing where many write and one is killed', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `busy ${n}`)
    const [killed] = servers
    if (killed === undefined) throw new Error('no server')
    /** Sent again, to the next server, until one answers. */
    const sendOf = async (name: string, first: number): Promise<void> => {
      const request = client.stamped('create_user_tag', { userTagName: name, userIds: [] })
      for (let n = first; ; n += 1) {
        const answer = await request.send(urlAt(n)).catch(() => undefined)
        if (answer?.status === 200) return assert.is(statusIn(answer), 'ACTIVITY_STATUS_COMPLETED')
        assert.ok(answer === undefined || answer.status === 409 || answer.status >= 500, `${answer?.status}`)
      }
    }
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let n = writer; n < names.length; n += 12) {
        await sendOf(names[n] ?? '', n)
        if (n === 30) killed.child.kill('SIGKILL')
      }
    })
    await Promise.all(writers)
    await killed.ended
    servers = servers.slice(1)
    const listed = (await tagNames(urlAt(1))).filter((name) => name.startsWith('busy'))
    assert.equal(listed.toSorted(), names.toSorted())

    const { code, stdout } = await run(['audit', '--json'], { cwd, env })
    assert.equal([code, (JSON.parse(stdout) as { findings: unknown }).findings], [0, []])
  })

  it('show nothing any more of a person whom another one has erased', async () => {
    const user = {
      userName: 'Mallory Meier',
      apiKeys: [newKey()],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }
    const made = await client.stamped('create_users', { users: [user] }, '_V4').send(urlAt(0))
    const { id, result } = made.body['activity'] as {
      id: string
      result: { createUsersResult: { userIds: readonly string[] } }
    }
    const [userId = ''] = result.createUsersResult.userIds
    const shownBy = async (url: string): Promise<string> => {
      const asked = await Promise.all([
        client.query('get_activity', { activityId: id }, url),
        client.query('list_activities', { paginationOptions: { limit: '5' } }, url),
        client.query('list_users', {}, url),
      ])
      return JSON.stringify(asked.map(({ body }) => body))
    }
    for (const { url } of servers) assert.match(await shownBy(url), 'Mallory Meier') // so each of them has it in memory
    assert.is((await client.stamped('delete_users', { userIds: [userId] }).send(urlAt(0))).status, 200)
    const { head } = (await client.query('list_personal_places', { userId }, urlAt(0))).body as { readonly head: Json }
    const erasure = client.stamped('erase_user', { userId, head })
    for (let status = ''; status !== 'ACTIVITY_STATUS_COMPLETED';) status = statusIn(await erasure.send(urlAt(0))) ?? ''
    for (const { url } of servers) assert.not.match(await shownBy(url), 'Mallory')

    const { code, stdout } = await run(['audit', '--json'], { cwd, env })
    assert.equal([code, (JSON.parse(stdout) as { findings: unknown }).findings], [0, []])
  })
})

const newKey = () => ({
  apiKeyName: 'key',
  publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
  curveType: 'API_KEY_CURVE_P256',
})

it.run()
