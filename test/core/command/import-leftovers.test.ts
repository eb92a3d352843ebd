import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { importedKind } from '../../../core/ports/imported-kind.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { failure } from '../../../core/failure.ts'
import { TE } from '../../../core/prelude.ts'
import { sealedOf } from '../../sealed-of.ts'
import { codeOf, right, world, type World } from '../world/world.ts'
import { dataOf, encryptedTo } from '../resources/bundle/border.ts'
import { resultOf } from '../resources/bundle/border-world.ts'
import { sealedIn } from '../resources/wallet/wallet-world.ts'
import { secondProcess } from './second-process.ts'

const it = suite('what imports leave behind')

const DAY_MS = 24 * 60 * 60 * 1000

/** Starts another engine, waits until it has looked, and gives what the operator is told. */
const told = async ({ storage, clock }: World, sealed = storage.sealed): Promise<Notice> => {
  let isLooking = (_: Notice): void => {}
  const notice = new Promise<Notice>((resolve) => {
    isLooking = resolve
  })
  const onNotice = (one: Notice): void => {
    if (one.message.includes('imports ha')) isLooking(one)
  }
  await secondProcess({ storage: { ...storage, sealed }, clock }, { onNotice })
  return notice
}

/** An activity for each way in which one can stand, and an id that none has. */
const activitiesOf = async (w: World): Promise<{ readonly [how: string]: string }> => {
  const bob = await w.enrol('bob')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, bob.userId] })
  const asked = (privateKeyTagName: string, more = {}) =>
    w.done(w.root, 'create_private_key_tag', { privateKeyTagName, privateKeyIds: [], ...more })
  const [completed, failed, rejected, waiting] = [
    await asked('a'),
    await asked('a'),
    await asked('c'),
    await asked('d'),
  ]
  right(await w.approve(bob, completed))
  assert.is(right(await w.approve(bob, failed)).status, 'ACTIVITY_STATUS_FAILED') // its name is taken
  right(await w.reject(bob, rejected))
  return {
    completed: completed.id,
    failed: failed.id,
    rejected: rejected.id,
    waiting: waiting.id,
    unknown: 'of-nobody',
  }
}

/** Puts a row for each activity, and gives the ids of those that are left. */
const rowsOf = async (w: World, activities: { readonly [how: string]: string }, atMs: number): Promise<void> => {
  for (const [how, activityId] of Object.entries(activities))
    await put(w, how, importedKind('wallet', { activityId, atMs, targetId: 'any' }))
  await put(w, 'made inside', 'wallet')
}

const put = async (w: World, id: string, kind: string): Promise<void> => {
  const row = { organization: w.organizationId, id, kind, dataKey: 'of-nobody', bytes: Uint8Array.of(1) }
  right(await sealedOf(w.storage).put(row)())
}

const left = async (w: World): Promise<readonly string[]> =>
  (await sealedIn(w.storage)).filter((row) => !('isGone' in row)).map(({ id }) => id)

it('is deleted at a start, once no request can complete it', async () => {
  const w = await world()
  const activities = await activitiesOf(w)
  await rowsOf(w, activities, w.clock.now())
  w.clock.pass(DAY_MS + 1)
  assert.equal(await told(w), {
    level: 'info',
    message: 'secrets were deleted that imports had left behind',
    context: { secrets: 3 },
  })
  assert.equal(await left(w), ['completed', 'made inside', 'waiting'])
  await w.close()
})

it('stays for a day', async () => {
  const w = await world()
  await rowsOf(w, await activitiesOf(w), w.clock.now())
  await put(
    w,
    'an old one',
    importedKind('secret', { activityId: 'of-nobody', atMs: w.clock.now() - 1, targetId: 'any' }),
  )
  w.clock.pass(DAY_MS)
  assert.equal((await told(w)).context, { secrets: 1 })
  assert.equal(await left(w), ['completed', 'failed', 'made inside', 'rejected', 'unknown', 'waiting'])
  await w.close()
})

it('stays where the store does not answer, and the operator is told', async () => {
  const w = await world()
  const list = () => TE.left(failure('UNAVAILABLE', 'no answer'))
  const notice = await told(w, { ...sealedOf(w.storage), list })
  assert.equal([notice.level, notice.context], ['warn', { code: 'UNAVAILABLE' }])
  await w.close()
})

it('is what a list of secrets left whose second one does not open', async () => {
  const w = await world()
  const { enclaveTargetMessages: bundles } = await resultOf<{ enclaveTargetMessages: readonly string[] }>(
    w,
    w.root,
    'init_import_secrets',
    { encryptionSuite: SUITE, numSecrets: 2 },
  )
  const secrets = []
  for (const [index, bundle] of bundles.entries()) {
    const secretPayload = await encryptedTo(bundles[0] ?? '', `secret ${index}`) // the second one does not open
    const { targetPublic: targetPublicKey = '' } = dataOf(bundle)
    secrets.push({ name: '', secretPayload, targetPublicKey, encryptionSuite: SUITE, staticProperties: [] })
  }
  assert.is(codeOf(await w.submit(w.root, 'import_secrets', { secrets })), 'REQUEST_INVALID')
  assert.is((await left(w)).length, 2) // the first secret, and the second target
  w.clock.pass(DAY_MS + 1)
  assert.equal((await told(w)).context, { secrets: 1 })
  assert.is((await left(w)).length, 1)
  await w.close()
})

const SUITE = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

it.run()
