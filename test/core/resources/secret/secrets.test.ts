import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { codeOf, right, world, type Person, type World } from '../../world/world.ts'
import { borderClient, dataOf, encryptedTo } from '../bundle/border.ts'
import { resultOf } from '../bundle/border-world.ts'
import { listed, refused, sealedIn } from '../wallet/wallet-world.ts'

const it = suite('secrets')

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

const inWorld = (name: string, play: (w: World) => Promise<void>): void =>
  it(name, async () => {
    const w = await world()
    await play(w)
    await w.close()
  })

const targets = async (w: World, person: Person, numSecrets: number): Promise<readonly string[]> => {
  const asked = { encryptionSuite, numSecrets }
  const begun = await resultOf<{ enclaveTargetMessages: string[] }>(w, person, 'init_import_secrets', asked)
  return begun.enclaveTargetMessages
}

const secretTo = async (bundle: string, plain: string, more: { readonly [member: string]: Json } = {}) => ({
  secretPayload: await encryptedTo(bundle, plain),
  targetPublicKey: dataOf(bundle).targetPublic ?? '',
  encryptionSuite,
  ...more,
})

const imported = async (w: World, ...plain: readonly string[]): Promise<readonly string[]> => {
  const bundles = await targets(w, w.root, plain.length)
  const secrets = await Promise.all(plain.map((one, index) => secretTo(bundles[index] ?? '', one, { name: one })))
  return (await resultOf<{ secretIds: string[] }>(w, w.root, 'import_secrets', { secrets })).secretIds
}

const exported = async (w: World, person: Person, secretIds: readonly string[]): Promise<readonly string[]> => {
  const clients = secretIds.map(borderClient)
  const secrets = secretIds.map((secretId, index) => ({
    secretId,
    targetPublicKey: clients[index]?.publicKey ?? '',
    encryptionSuite,
  }))
  const { secretPayloads } = await resultOf<{ secretPayloads: string[] }>(w, person, 'export_secrets', { secrets })
  return Promise.all(secretPayloads.map(async (bundle, index) => (await clients[index]?.text(bundle)) ?? ''))
}

inWorld('go in and out, several at once, and are listed without what they are', async (w) => {
  const ids = await imported(w, 'one', 'two', 'three')
  assert.equal(await exported(w, w.root, ids.toReversed()), ['three', 'two', 'one'])
  const [newest, ...others] = await listed(w, 'list_secrets', 'secrets', { paginationOptions: { limit: '2' } })
  assert.equal([newest?.['name'], others.length], ['three', 1])
  assert.equal(Object.keys(newest ?? {}).toSorted(), ['createdAtUnixMs', 'name', 'secretId', 'staticProperties'])
  const page = { paginationOptions: { limit: '2', before: others[0]?.['secretId'] ?? '' } }
  assert.equal(
    (await listed(w, 'list_secrets', 'secrets', page)).map(({ name }) => name),
    ['one'],
  )
})

inWorld('are kept all or not at all', async (w) => {
  const [first = '', second = ''] = await targets(w, w.root, 2)
  const good = await secretTo(first, 'one')
  const bad = { ...(await secretTo(second, 'two')), secretPayload: good.secretPayload }
  assert.is(refused(await w.submit(w.root, 'import_secrets', { secrets: [good, bad] }))[0], 'REQUEST_INVALID')
  assert.equal(await listed(w, 'list_secrets', 'secrets'), [])
  const twice = await w.submit(w.root, 'import_secrets', { secrets: [good, good] })
  assert.equal(refused(twice), ['REQUEST_INVALID', 'secrets.1.targetPublicKey'])
})

inWorld('come in with the targets of their own requester alone', async (w) => {
  const bob = await w.enrol('bob')
  await w.done(w.root, 'update_root_quorum', { threshold: 1, userIds: [w.root.userId, bob.userId] })
  const [bundle = ''] = await targets(w, w.root, 1)
  const secrets = [await secretTo(bundle, 'one')]
  assert.is(refused(await w.submit(bob, 'import_secrets', { secrets }))[0], 'REQUEST_INVALID')
  right(await w.submit(w.root, 'import_secrets', { secrets }))
})

inWorld('are destroyed with their rows', async (w) => {
  const ids = await imported(w, 'one', 'two')
  await w.done(w.root, 'delete_secrets', { secretIds: ids })
  assert.equal(
    (await sealedIn(w.storage)).filter((row) => !('isGone' in row)),
    [],
  )
  const secrets = [{ secretId: ids[0] ?? '', targetPublicKey: borderClient().publicKey, encryptionSuite }]
  assert.is(codeOf(await w.submit(w.root, 'export_secrets', { secrets })), 'RESOURCE_NOT_FOUND')
})

inWorld('are seen by policies with their static properties', async (w) => {
  const bob = await w.enrol('bob')
  const [bundle = ''] = await targets(w, w.root, 1)
  const staticProperties = [{ key: 'level', value: 'low' }]
  const secrets = [await secretTo(bundle, 'one', { staticProperties })]
  const { secretIds } = await resultOf<{ secretIds: string[] }>(w, w.root, 'import_secrets', { secrets })
  const condition = "activity.action == 'EXPORT' && secret.static_properties['level'] == 'low'"
  const policy = { policyName: 'low', effect: 'EFFECT_ALLOW', consensus: 'true', condition, notes: '' }
  await w.done(w.root, 'create_policy', policy)
  assert.equal(await exported(w, bob, secretIds), ['one'])
  const others = await imported(w, 'two')
  const asked = [...secretIds, ...others].map((secretId) => ({
    secretId,
    targetPublicKey: borderClient().publicKey,
    encryptionSuite,
  }))
  assert.is(codeOf(await w.submit(bob, 'export_secrets', { secrets: asked })), 'REQUEST_NOT_AUTHORIZED')
})

it.run()
