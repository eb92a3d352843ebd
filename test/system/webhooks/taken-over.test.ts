import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { hookReceiver, type Delivery } from '../../adapters/cli/hook-receiver.ts'
import { done } from '../../adapters/cli/leaver.ts'
import { rootClient, type Answered, type RootClient } from '../../adapters/cli/root-client.ts'
import { folder, json, run, serve, type Served } from '../../adapters/cli/run-cli.ts'
import { onPostgres } from '../../adapters/store-postgres/server/on-postgres.ts'
import { until } from '../../until.ts'

const it = suite('endpoints of two servers')

type Activity = { readonly id: string; readonly status: string; readonly fingerprint: string; readonly result: Json }

const activityOf = (answered: Answered): Activity => done(answered)['activity'] as Activity // the answer to a submit

/** A second user, without whom nothing is done from now on. */
const second = async (cwd: string, client: RootClient): Promise<RootClient> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const user = {
    ...{ userName: 'second', userTags: [], authenticators: [], oauthProviders: [] },
    apiKeys: [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
  }
  const made = activityOf(await client.stamped('create_users', { users: [user] }, '_V4').send())
  const { createUsersResult } = made.result as { readonly createUsersResult: { readonly userIds: readonly string[] } }
  const { userId } = done(await client.query('whoami')) as { readonly userId: string }
  const userIds = [userId, ...createUsersResult.userIds]
  activityOf(await client.submit('update_root_quorum', { threshold: 2, userIds }))
  const file = join(cwd, 'second.json')
  writeFileSync(file, JSON.stringify({ ...json(join(cwd, 'c.json')), apiPrivateKey: key.privateKey }))
  return rootClient(file)
}

/** What of an activity was heard, each event once. */
const statusesOf = (heard: readonly Delivery[], { id }: Activity): readonly string[] => {
  const events = new Map(heard.map((one) => [one.headers['x-turnkey-event-id'], one.told]))
  return [...events.values()].flatMap((told) => (told.id === id ? [told.status.replace('ACTIVITY_STATUS_', '')] : []))
}

await onPostgres(it, ({ urlOf, run: sql }) => {
  const servers: Served[] = []
  it.after(() => servers.forEach(({ child }) => child.kill('SIGKILL'))) // where the test has failed

  it('are told all by the other one, when that which told them is killed', async () => {
    const cwd = folder()
    const schema = `webhooks_${randomBytes(6).toString('hex')}`
    const env = { COUNTERSIGN_STORE: urlOf({ search: `schema=${schema}` }), COUNTERSIGN_KEYSTORE: 'file:keystore' }
    assert.is((await run(['keystore', 'create', 'keystore'], { cwd })).code, 0)
    const begin = async (): Promise<Served> => {
      const server = await serve(['--init', '--credentials', 'c.json', '--allow-private-network'], { cwd, env })
      servers.push(server)
      return server
    }
    let isDeaf = false
    const to = await hookReceiver(() => (isDeaf ? undefined : 204))

    const teller = await begin() // nobody else can hold the lease
    const client = await rootClient(join(cwd, 'c.json'))
    const approver = await second(cwd, client)
    const other = await begin()
    const submitted = async (userTagName: string, url: string): Promise<Activity> =>
      activityOf(await client.stamped('create_user_tag', { userTagName, userIds: [] }).send(url))
    const approved = async ({ fingerprint }: Activity): Promise<void> =>
      void done(await approver.stamped('approve_activity', { fingerprint }).send(other.url))

    const subscriptions = [{ eventType: 'ACTIVITY_UPDATES' }]
    const hook = activityOf(
      await client.submit('create_webhook_endpoint', { url: to.url, name: 'hook', subscriptions }),
    )
    await approved(hook)
    const before = await submitted('before', other.url)
    await until(() => statusesOf(to.heard, before).length === 1)
    isDeaf = true
    const hanging = [await submitted('hanging', teller.url), await submitted('hanging too', other.url)]
    await until(() => hanging.every((one) => statusesOf(to.heard, one).length === 1))
    teller.child.kill('SIGKILL')
    await teller.ended
    isDeaf = false
    const after = await submitted('after', other.url)
    const all = [before, ...hanging, after]
    for (const activity of all) await approved(activity)
    for (const activity of all) await until(() => statusesOf(to.heard, activity).length === 2)

    for (const activity of all) assert.equal(statusesOf(to.heard, activity), ['CONSENSUS_NEEDED', 'COMPLETED'])
    assert.equal(statusesOf(to.heard, hook), ['COMPLETED'])
    const bodies = new Map<unknown, readonly string[]>()
    for (const { headers, body } of to.heard)
      bodies.set(headers['x-turnkey-event-id'], [...(bodies.get(headers['x-turnkey-event-id']) ?? []), body])
    const doubles = [...bodies.values()].filter(({ length }) => length > 1)
    assert.ok(doubles.length >= hanging.length) // what nobody answered came again, and perhaps what nobody wrote down
    for (const same of doubles) assert.is(new Set(same).size, 1)
    const { stderr } = await other.stop()
    assert.is(stderr, '')
    await to.close()
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })
})

it.run()
