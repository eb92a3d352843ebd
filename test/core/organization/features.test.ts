import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { features } from '../../../core/organization/features.ts'
import { allowedOrigins } from '../../../core/organization/origins.ts'
import { decodeStates, encodeStates, flatten } from '../../../core/organization/snapshot.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { keptOpen } from '../world/test-store.ts'
import { right, stamped, world } from '../world/world.ts'
import { recordsOf, replayed } from '../command/history.ts'
import { secondProcess } from '../command/second-process.ts'

const it = suite('features and origins in snapshots')

const FEATURES = [
  { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example.com/' },
  { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://app.example.com' },
]

/** An organization with features, origins and a new name. */
const furnished = async () => {
  const w = await world({ store: keptOpen(memoryStore()), snapshotEvery: 2 })
  for (const feature of FEATURES) await w.done(w.root, 'set_organization_feature', feature)
  await w.done(w.root, 'update_allowed_origins', { allowedOrigins: ['https://app.example.com'] })
  await w.done(w.root, 'update_organization_name', { organizationName: 'Engines' })
  return w
}

it('come back as they were, in their order', async () => {
  const w = await furnished()
  const draft = replayed(w.organizationId, await recordsOf(w), w.engine.catalogue)
  const { parts } = encodeStates(draft)
  const again = decodeStates(w.organizationId, parts, w.engine.catalogue)
  assert.equal(again && flatten(again), flatten(draft))
  assert.equal(again && [...features.of(again)], FEATURES.map(({ name, value }) => [name, value])) // prettier-ignore
  const versions = parts.filter(({ name }) => [features.name, allowedOrigins.name].includes(name))
  assert.equal(versions.map(({ name, version }) => [name, version]), [['allowed-origins', 1], ['features', 1]]) // prettier-ignore
  for (const text of ['', '{}', '[["a"]]', '[["a",1]]', '{"origins":[1]}']) {
    const bytes = new TextEncoder().encode(text)
    for (const one of versions)
      assert.is(decodeStates(w.organizationId, [{ ...one, bytes }], w.engine.catalogue), undefined, text)
  }
  await w.close()
})

it('are there after a restart', async () => {
  const w = await furnished()
  await w.close()
  assert.ok(
    right(await w.storage.readModels.snapshot(w.organizationId)())?.parts.some(({ name }) => name === 'features'),
  )
  const engine = await secondProcess(w)
  const { state } = right(await engine.replayOrganization(w.organizationId)())
  assert.equal(allowedOrigins.of(state).origins, ['https://app.example.com'])
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  const { configs } = right(await engine.query('get_organization_configs', stamped(w.root, body))())
  assert.equal((configs as { readonly features: unknown }).features, FEATURES)
  await engine.close()
})

it.run()
