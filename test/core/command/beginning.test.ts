import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { activityIdOf, fingerprintOf, resourceIds } from '../../../core/activity/identity.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { erasure, eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { audited, closed, digest, exported, linesOf } from '../audit/logs.ts'
import { beginning, family } from '../resources/sub-organization/children.ts'
import { testPorts } from '../world/ports.ts'
import { keptOpen } from '../world/test-store.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { begin, codeOf, genesisBody, placeIn, right, stamped, type Place, type World } from '../world/world.ts'
import { conflicts, faultyStore, goesWell, notWritten, writtenUnseen, type Fault } from './faulty-store.ts'

const it = suite('beginning an organization below another one')

/** A request that is to begin one, and where it leads. */
const asked = (w: World) => {
  const key = generateKey('API_KEY_CURVE_P256')
  const body = w.body('create_sub_organization', beginning({ name: 'eve', publicKey: key.publicKey }))
  const activityId = activityIdOf(digest, w.organizationId, fingerprintOf(digest, body))
  return { key, body, activityId, childId: resourceIds(digest, activityId)() }
}
const sent = (w: World, body: Uint8Array) => inTime(w.clock, w.send(w.root, 'create_sub_organization', body))
const placeOf = (w: World, childId: string, key: SigningKey): Place =>
  placeIn(w, childId, { key, userId: '', apiKeyId: '' })

/** How an activity stands, by its events. */
const storyOf = async ({ storage, organizationId }: Pick<World, 'storage' | 'organizationId'>, activityId: string) =>
  right(await storage.store.readActivity(organizationId, activityId)()).map(
    ({ line }) =>
      (JSON.parse(new TextDecoder().decode(line)) as { readonly type: string }).type.replace('Activity', ''), // our own
  )
const isSound = async ({ storage }: Pick<World, 'storage'>): Promise<void> =>
  assert.equal((await audited(await exported(storage.store), {}, [eraseUser])).findings, [])

const faults: { readonly [what: string]: readonly Fault[] } = {
  'its first commit was not written': [goesWell, notWritten],
  'its first commit was written, and nobody was told': [goesWell, writtenUnseen],
  'its first commit met another one': [goesWell, conflicts],
  'the end of its activity was not written': [goesWell, goesWell, notWritten],
  'the end of its activity was written, and nobody was told': [goesWell, goesWell, writtenUnseen],
}

for (const [what, plan] of Object.entries(faults))
  it(`comes to its end if ${what}, and there is one of it`, async () => {
    const storage = faultyStore({ isShared: true })
    const w = await family({ store: storage })
    const { key, body, activityId, childId } = asked(w)
    storage.plan(...plan)
    await sent(w, body)
    await until(async () => {
      w.clock.pass(10_000)
      await quiet()
      return (await storyOf(w, activityId)).at(-1) === 'Completed'
    })
    const child = placeOf(w, childId, key)
    assert.is((await child.answer(child.root, 'whoami'))['organizationId'], childId)
    assert.is(right(await sent(w, body)).status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is(right(await storage.store.readLog(childId, 0n, 10)()).length, 2)
    await isSound(w)
    await w.close()
  })

it('fails if another log stands under its id, and only then', async () => {
  const w = await family()
  const { key, body, childId } = asked(w)
  const other = genesisBody(childId, w.root.key, w.clock.now())
  right(await w.engine.createOrganization(stamped(w.root, other))())
  const failed = right(await sent(w, body))
  assert.equal([failed.status, failed.failure?.code], ['ACTIVITY_STATUS_FAILED', 'CONFLICT'])
  assert.is(codeOf(await placeOf(w, childId, key).ask({ key }, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  await isSound(w)
  await w.close()
})

it('has happened also if it was deleted before its activity had ended', async () => {
  const storage = faultyStore({ isShared: true })
  const w = await family({ store: storage, waitForEffectsMs: 0 })
  const { key, body, activityId, childId } = asked(w)
  storage.plan(goesWell, goesWell, notWritten)
  assert.is(right(await sent(w, body)).status, 'ACTIVITY_STATUS_PENDING')
  const child = placeOf(w, childId, key)
  await child.done(child.root, 'delete_sub_organization', {})
  await until(async () => {
    w.clock.pass(10_000)
    await quiet()
    return (await storyOf(w, activityId)).at(-1) === 'Completed'
  })
  await isSound(w)
  await w.close()
})

it('keeps the organization above from being deleted as soon as it was started', async () => {
  const storage = faultyStore({ isShared: true })
  const w = await family({ store: storage, waitForEffectsMs: 0 })
  storage.plan(goesWell, notWritten)
  assert.is(right(await sent(w, asked(w).body)).status, 'ACTIVITY_STATUS_PENDING')
  assert.is(
    codeOf(await w.submit(w.root, 'delete_organization', { organizationId: w.organizationId })),
    'REQUEST_INVALID',
  )
  const other = await begin(w)
  await other.done(other.root, 'delete_organization', { organizationId: other.organizationId })
  await w.close()
})

/** An engine on a copy of the log that ends behind the nth event of a creation's story; the copy belongs to another installation. */
const elsewhere = async (events: number) => {
  const w = await family()
  const { body, key, activityId, childId } = asked(w)
  await sent(w, body)
  const lines = linesOf(await exported(w.storage.store))
  const isOfIt = (line: string): boolean =>
    line.includes(`"activity":"${activityId}"`) || line.startsWith(`{"organization":"${childId}"`)
  const last = lines.filter(isOfIt)[events]
  const storage = keptOpen(memoryStore())
  const text = [encodeUtf8(closed(lines.slice(0, last === undefined ? undefined : lines.indexOf(last))))]
  right(await importTranscript({ store: storage.store, digest, ids: nodeIds() }, () => readTranscript(digest, text))())
  const engine: Engine = await createEngine({
    ...testPorts(),
    clock: w.clock,
    resources: [...publicApi, ...erasure],
    store: storage,
  })
  await quiet()
  const here = { ...w, engine, storage }
  return { w: here, story: () => storyOf(here, activityId), child: placeOf(here, childId, key) }
}

it('is not let fail by an operator who has imported its log when it has happened: its activity completes', async () => {
  const { w, story, child } = await elsewhere(4)
  assert.equal(await story(), ['Created', 'Started'])
  assert.is(right(await w.engine.failImported()()), 0)
  await until(async () => {
    w.clock.pass(10_000)
    await quiet()
    return (await story()).at(-1) === 'Completed'
  })
  assert.is((await child.answer(child.root, 'whoami'))['organizationId'], child.organizationId)
  await w.engine.close()
  await isSound(w)
})

it('is let fail by one when it has not happened', async () => {
  const { w, story, child } = await elsewhere(2)
  assert.equal(await story(), ['Created', 'Started'])
  assert.is(right(await w.engine.failImported()()), 1)
  assert.equal(await story(), ['Created', 'Started', 'Failed'])
  assert.is(codeOf(await child.ask(child.root, 'whoami')), 'ORGANIZATION_NOT_FOUND')
  await w.engine.close()
  await isSound(w)
})

it.run()
