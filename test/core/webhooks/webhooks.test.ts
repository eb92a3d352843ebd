import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { Webhook } from 'standardwebhooks'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeWebhookKey, webhookKeys } from '../../../core/resources/deployment-key/webhook-keys.ts'
import { sealedOf } from '../../sealed-of.ts'
import { testKeyring } from '../world/keyring.ts'
import { beginBelow, right, type World } from '../world/world.ts'
import { answered, happens, HOOK, hookIn, receiver, tellingWorld, type Heard } from './receiver.ts'

const it = suite('an endpoint')

it('is told what completes, from its own creation on', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  await happens(w, 'before')
  await hookIn(w)
  const { id } = await happens(w, 'after')
  await to.until((heard) => heard.some(({ told }) => told.id === id))
  assert.equal(
    to.heard.map(({ told: { type, status } }) => [type, status]),
    [
      ['ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', 'ACTIVITY_STATUS_COMPLETED'],
      ['ACTIVITY_TYPE_CREATE_USER_TAG', 'ACTIVITY_STATUS_COMPLETED'],
    ],
  )
  assert.ok(to.heard.every(({ url }) => url === HOOK))
  await w.close()
})

it('of a parent is told what happens below it, and of a child nothing of others', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const child = await beginBelow(w, w)
  await hookIn(w, { url: 'https://parent.example.com/' })
  await hookIn(child, { url: 'https://child.example.com/' })
  await happens(w, 'above')
  const { id } = await happens(child, 'below')
  await to.until((heard) => heard.filter(({ told }) => told.id === id).length === 2)
  const of = (host: string) =>
    to.heard
      .filter(({ url }) => url.includes(host))
      .map(({ told: { type, organizationId } }) => `${type} ${organizationId}`)
      .toSorted((a, b) => (a < b ? -1 : 1)) // there is an order within an activity only
  const [own, below] = [w.organizationId, child.organizationId]
  const bothOf = (organizationId: string) => [
    `ACTIVITY_TYPE_CREATE_USER_TAG ${organizationId}`,
    `ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT ${organizationId}`,
  ]
  assert.equal(of('child'), bothOf(below))
  assert.equal(new Set(of('parent')), new Set([...bothOf(own), ...bothOf(below)]))
  await w.close()
})

it('is told each status that an activity waits in or ends with, as it stood then, one after the other', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const other = await w.enrol('other')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, other.userId] })
  const quorum = await w.submit(w.root, 'create_webhook_endpoint', {
    ...{ url: HOOK, name: 'hook' },
    subscriptions: [
      { eventType: 'ACTIVITY_UPDATES', filtersJson: '{"activityTypes":["ACTIVITY_TYPE_CREATE_USER_TAG"]}' },
    ],
  })
  right(await w.approve(other, right(quorum)))
  const asked = await happens(w, 'tag')
  right(await w.approve(other, asked))
  const rejected = await happens(w, 'never')
  right(await w.reject(other, rejected))
  await to.until((heard) => heard.length === 4)
  const of = (id: string) =>
    to.heard
      .filter(({ told }) => told.id === id)
      .map(({ told }) => [told.status, told.votes.length, Object.keys(told.result).length])
  assert.equal(of(asked.id), [
    ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1, 0],
    ['ACTIVITY_STATUS_COMPLETED', 2, 1],
  ])
  assert.equal(of(rejected.id), [
    ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1, 0],
    ['ACTIVITY_STATUS_REJECTED', 2, 0],
  ])
  await w.close()
})

it('gets the same delivery again until it takes it, later and later, with the same bytes', async () => {
  const statuses = [500, 503, 429, 200]
  const to = receiver(({ told }) => answered(told.type.includes('TAG') ? (statuses.shift() ?? 200) : 200))
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  const { id } = await happens(w, 'tag')
  for (let n = 1; n <= 4; n += 1) {
    await to.until((heard) => heard.filter(({ told }) => told.id === id).length === n)
    if (n < 4) await waits(w, endpointId, n)
    w.clock.pass(3 * 60_000)
  }
  const heard = to.heard.filter(({ told }) => told.id === id)
  assert.is(new Set(heard.map(({ body }) => Buffer.from(body).toString())).size, 1)
  assert.is(new Set(heard.map(({ headers }) => headers['X-Turnkey-Event-Id'])).size, 1)
  assert.is(new Set(heard.map(({ headers }) => headers['X-Turnkey-Timestamp'])).size, 4)
  await w.close()
})

/** Whether the two clients take a delivery, with the keys that are published and the secret of the endpoint. */
const isGenuine = async (
  w: World,
  { headers, body }: Heard,
  endpointId: string,
): Promise<readonly [boolean, boolean]> => {
  const keys = right(await w.engine.webhookKeys()())
  const verificationKeys = keys.map(({ id: keyId, publicKey }) => ({ keyId, publicKey }))
  const options = { headers: { ...headers }, body, verificationKeys, maxTimestampAgeMs: 1_000, nowMs: w.clock.now() }
  const { ok } = verifyTurnkeyWebhookSignature(options)
  const keyring = testKeyring(w.storage)
  const secret = right(await webhookKeys(keyring, sealedOf(w.storage)).secretOf(endpointId)())
  try {
    // The library has the clock of the machine, and compares the header with it: so the message is verified, and not its age.
    const webhook = new Webhook(Buffer.from(secret).toString('base64'))
    const [id = '', at = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
    const made = webhook.sign(id, new Date(1_000 * Number(at)), Buffer.from(body).toString())
    return [ok, (headers['webhook-signature'] ?? '').split(' ').includes(made)]
  } finally {
    await keyring.close()
  }
}

it('verifies what it is told with the clients of the public API and of Standard Webhooks, and nothing else', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  await happens(w, 'grün')
  await to.until((heard) => heard.length === 2)
  for (const heard of to.heard) {
    assert.equal(await isGenuine(w, heard, endpointId), [true, true])
    const body = Uint8Array.from(heard.body)
    body[5] = (body[5] ?? 0) ^ 1
    assert.equal(await isGenuine(w, { ...heard, body }, endpointId), [false, false])
    assert.equal(await isGenuine(w, heard, w.organizationId), [true, false])
  }
  await w.close()
})

it('verifies what it is told over a change of the key: the new one signs after a day, the old one is published for a week more', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  const keyring = testKeyring(w.storage)
  right(await makeWebhookKey(keyring, w.clock.now())())
  await keyring.close()
  const signers: string[] = []
  const published: number[] = []
  for (const [n, hours] of [0, 23, 1, 167, 1].entries()) {
    w.clock.pass(hours * 60 * 60 * 1000)
    await happens(w, `tag ${n}`)
    await to.until((heard) => heard.length === n + 2)
    const last = to.heard.at(-1)
    if (last === undefined) continue
    assert.equal(await isGenuine(w, last, endpointId), [true, true])
    signers.push(last.headers['X-Turnkey-Signature-Key-Id'] ?? '')
    published.push(right(await w.engine.webhookKeys()()).length)
  }
  const [old, , fresh] = signers
  assert.equal(signers, [old, old, fresh, fresh, fresh])
  assert.is.not(old, fresh)
  assert.equal(published, [2, 2, 2, 2, 1])
  await w.close()
})

/** Waits until so many attempts at the newest delivery are written down. */
const waits = async (w: World, endpointId: string, attempts: number): Promise<void> => {
  for (;;) {
    const { webhookDeliveries } = await w.answer(w.root, 'list_webhook_deliveries', { endpointId })
    const [newest] = webhookDeliveries as readonly { readonly attempts: readonly unknown[] }[]
    if (newest?.attempts.length === attempts) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it.run()
