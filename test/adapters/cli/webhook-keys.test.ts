import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { Webhook } from 'standardwebhooks'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../until.ts'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import { hookOf, hookReceiver, type Delivery } from './hook-receiver.ts'
import { done } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { folder, run, serve, type Ended } from './run-cli.ts'

const it = suite('the keys of webhooks, by the command line')

const STORE = 'sqlite:store.db'
const FLAGS = ['--store', STORE, '--init', '--credentials', 'c.json', '--allow-private-network']
const NOBODY = '0195c1b0-0000-7000-8000-000000000000'
const DAY_MS = 24 * 60 * 60 * 1000

const cli = (cwd: string, line: string, env = {}): Promise<Ended> => run(line.split(' '), { cwd, env })

const isRefused = ({ code, stdout, stderr }: Ended, says: string | RegExp, of: string): void => {
  assert.equal([code, stdout], [2, ''], of)
  assert.match(stderr, says)
  assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
}

type Key = { readonly keyId: string; readonly publicKey: string }

const published = async (url: string): Promise<readonly Key[]> => {
  const answer = await fetch(`${url}/public/v1/discovery/webhooks/jwks`)
  const { keys } = (await answer.json()) as { readonly keys: readonly { readonly kid: string; readonly x: string }[] } // of our server
  return keys.map(({ kid, x }) => ({ keyId: kid, publicKey: Buffer.from(x, 'base64url').toString('hex') }))
}

const headersOf = ({ headers }: Delivery) => headers as { readonly [name: string]: string } // none that comes more than once

const isGenuine = (delivery: Delivery, keys: readonly Key[]): boolean => {
  const verificationKeys = [...keys]
  const options = { headers: headersOf(delivery), body: delivery.body, verificationKeys, maxTimestampAgeMs: DAY_MS }
  return verifyTurnkeyWebhookSignature(options).ok
}

it('rotate: the new one is published at once, and the old one signs still', async () => {
  const cwd = folder()
  const to = await hookReceiver()
  const first = await serve(FLAGS, { cwd })
  await hookOf(await rootClient(join(cwd, 'c.json')), to.url)
  const [old] = await published(first.url)
  if (old === undefined) throw new Error('expected a key')
  const busy = await cli(cwd, `webhooks rotate-key --store ${STORE}`)
  isRefused(busy, 'another process writes to this store', 'while a server runs')
  await first.stop()

  const beganMs = Date.now()
  const rotated = await cli(cwd, `webhooks rotate-key --store ${STORE}`)
  assert.equal([rotated.code, rotated.stderr], [0, ''])
  const [, id, from = '', publishedTo = ''] =
    /^Made the key (\w{16}): it is published now, and signs from (\S+) on\.\nThe key before it is published until (\S+)\.\n$/.exec(
      rotated.stdout,
    ) ?? []
  assert.ok(Date.parse(from) >= beganMs + DAY_MS && Date.parse(from) <= Date.now() + DAY_MS, from)
  assert.is(Date.parse(publishedTo) - Date.parse(from), 7 * DAY_MS)
  const again = await cli(cwd, `webhooks rotate-key --store ${STORE} --json`) // a second one at once is one more
  const { key, signsFrom } = JSON.parse(again.stdout) as { readonly key: string; readonly signsFrom: string }
  assert.ok(Date.parse(signsFrom) >= Date.parse(from))

  const second = await serve(FLAGS, { cwd })
  const keys = await published(second.url)
  assert.equal(
    keys.map(({ keyId }) => keyId),
    [old.keyId, id, key],
  )
  const client = await rootClient(join(cwd, 'c.json'))
  done(await client.submit('create_user_tag', { userTagName: 'tag', userIds: [] }))
  await until(() => to.heard.some(({ told }) => told.type === 'ACTIVITY_TYPE_CREATE_USER_TAG'))
  for (const delivery of to.heard) {
    assert.is(headersOf(delivery)['x-turnkey-signature-key-id'], old.keyId)
    assert.ok(isGenuine(delivery, keys) && isGenuine(delivery, [old]))
    assert.not.ok(isGenuine(delivery, keys.slice(1)))
  }
  await second.stop()
  await to.close()
})

it('print the secret of an endpoint, by which a client of Standard Webhooks verifies, while a server runs', async () => {
  const cwd = folder()
  const to = await hookReceiver()
  const server = await serve(FLAGS, { cwd })
  const client = await rootClient(join(cwd, 'c.json'))
  const [endpointId, other] = [await hookOf(client, to.url), await hookOf(client, `${to.url}/other`)]
  const secretOf = (id: string): Promise<Ended> => cli(cwd, `webhooks secret ${id} --store ${STORE}`)
  const { code, stdout, stderr } = await secretOf(endpointId)
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /^whsec_[\w+/]{43}=\n$/)
  const isFirst = ({ path }: { readonly path: string }): boolean => !path.endsWith('/other')
  await until(() => to.heard.some(isFirst))
  const first = to.heard.find(isFirst)
  if (first === undefined) throw new Error('it was heard')
  const webhook = new Webhook(stdout.trim())
  assert.equal(webhook.verify(first.body, headersOf(first)), first.told)
  assert.throws(() => webhook.verify(first.body.replace('COMPLETED', 'REJECTED'), headersOf(first)), 'No matching')
  const others = await secretOf(other)
  assert.throws(() => new Webhook(others.stdout.trim()).verify(first.body, headersOf(first)), 'No matching')

  const { organizationId } = JSON.parse(first.body) as { readonly organizationId: string }
  const value = 'https://feature.example.com/'
  done(await client.submit('set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value }))
  done(await client.submit('delete_webhook_endpoint', { endpointId: other }))
  isRefused(await secretOf(NOBODY), 'there is no such endpoint', 'unknown')
  isRefused(await secretOf(other), 'there is no such endpoint', 'deleted')
  isRefused(await secretOf(organizationId), 'not signed', 'of the feature')
  isRefused(await secretOf('hook'), 'expected the id of an endpoint', 'no id')
  await server.stop()
  assert.is((await secretOf(endpointId)).stdout, stdout)
  await to.close()
})

it('are refused in one line where there is no store, no keystore, another one, or no key yet', async () => {
  const cwd = folder()
  const to = await hookReceiver()
  const server = await serve(FLAGS, { cwd })
  const endpointId = await hookOf(await rootClient(join(cwd, 'c.json')), to.url)
  await server.stop()
  await to.close()
  assert.is((await cli(cwd, 'keystore create other')).code, 0)
  assert.is((await cli(cwd, 'init --store sqlite:fresh.db --credentials fresh.json')).code, 0)
  for (const command of ['rotate-key', `secret ${endpointId}`])
    for (const [flags, says] of [
      ['--store sqlite:none.db', 'there is no such store'],
      ['--store memory:', 'in memory'],
      [`--store ${STORE} --keystore csk1_secret`, '--keystore: expected file:PATH or env:NAME'],
      [`--store ${STORE} --keystore env:NONE`, 'the variable NONE has no keystore'],
      [`--store ${STORE} --keystore file:none`, 'there is no keystore none'],
      [`--store ${STORE} --keystore file:other`, 'the keystore has not the key'],
    ] as const) {
      const ended = await cli(cwd, `webhooks ${command} ${flags}`)
      isRefused(ended, says, `${command} ${flags}`)
      assert.not.match(ended.stderr, 'csk1_secret')
    }
  isRefused(await cli(cwd, 'webhooks rotate-key --store sqlite:fresh.db'), 'no server has made the first key', 'fresh')
  rmSync(join(cwd, 'store.db.keystore'))
  for (const command of ['rotate-key', `secret ${endpointId}`])
    isRefused(await cli(cwd, `webhooks ${command} --store ${STORE}`), 'there is no keystore', command)
})

await onPostgres(it, ({ urlOf, run: sql }) => {
  it('rotate while servers run, and all of them publish the new one at once; their keystore has to be named', async () => {
    const cwd = folder()
    const schema = `keys_${randomBytes(6).toString('hex')}`
    const env = { COUNTERSIGN_STORE: urlOf({ search: `schema=${schema}` }), COUNTERSIGN_KEYSTORE: 'file:keystore' }
    assert.is((await cli(cwd, 'keystore create keystore')).code, 0)
    const servers = await Promise.all([1, 2].map(() => serve(['--init', '--credentials', 'c.json'], { cwd, env })))
    const before = await Promise.all(servers.map(({ url }) => published(url)))
    assert.equal(before[0], before[1])
    const unnamed = { COUNTERSIGN_STORE: env.COUNTERSIGN_STORE }
    isRefused(await cli(cwd, 'webhooks rotate-key', unnamed), 'name the keystore of the servers', 'no keystore')
    const { key } = JSON.parse((await cli(cwd, 'webhooks rotate-key --json', env)).stdout) as { readonly key: string }
    for (const { url } of servers)
      assert.equal(
        (await published(url)).map(({ keyId }) => keyId),
        [before[0]?.[0]?.keyId, key],
      )
    await Promise.all(servers.map(({ stop }) => stop()))
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })
})

it.run()
