import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { codeOf, genesisBody, right, stamped, testClock } from '../world/world.ts'
import { conflicts, faultyStore, heldAtAppend, notWritten, writtenThenConflict, writtenUnseen } from './faulty-store.ts'
import { inTime, isWaiting } from '../world/under-way.ts'
import { eventsOf } from './history.ts'
import { secondProcess } from './second-process.ts'

const it = suite('create organization')

const beginning = async (options: { readonly isShared?: boolean } = {}) => {
  const [storage, clock, organizationId, key] = [
    faultyStore(options),
    testClock(),
    nodeIds().uuid(),
    generateKey('API_KEY_CURVE_P256'),
  ]
  const request = stamped({ key }, genesisBody(organizationId, key, clock.now()))
  return { storage, clock, organizationId, key, request, engine: await secondProcess({ storage, clock }) }
}

it('begins an organization once for whoever asks at the same time', async () => {
  const { engine, request, storage, organizationId } = await beginning()
  const { begun: first, letGo } = await heldAtAppend(storage, () => engine.createOrganization(request)())
  const others = Array.from({ length: 8 }, () => engine.createOrganization(request)())
  assert.is(await isWaiting(Promise.race([first, ...others])), true)
  letGo()
  const hashes = (await Promise.all([first, ...others])).map((each) => right(each).genesisHash)
  assert.is(new Set(hashes).size, 1)
  assert.is((await eventsOf({ storage, organizationId })).length, 2)
})

it('begins it once in several processes', async () => {
  const { engine, request, storage, clock, organizationId } = await beginning({ isShared: true })
  const engines = [engine, await secondProcess({ storage, clock }), await secondProcess({ storage, clock })]
  const told = await Promise.all(
    engines.flatMap((each) => [each.createOrganization(request)(), each.createOrganization(request)()]),
  )
  assert.is(new Set(told.map((each) => right(each).genesisHash)).size, 1)
  assert.is((await eventsOf({ storage, organizationId })).length, 2)
})

for (const [name, faults] of Object.entries({
  'refused once': [conflicts],
  'written, then said to conflict': [writtenThenConflict],
  'written, but not told': [writtenUnseen],
  'not written, and not told': [notWritten, notWritten],
})) {
  it(`begins it once in spite of a store that stumbles: ${name}`, async () => {
    const { engine, request, storage, clock, organizationId } = await beginning()
    storage.plan(...faults)
    right(await inTime(clock, engine.createOrganization(request)()))
    assert.is((await eventsOf({ storage, organizationId })).length, 2)
  })
}

it('gives it back for the same body, however late, and after a start that was interrupted', async () => {
  const { engine, request, storage, clock } = await beginning()
  storage.plan(writtenUnseen, ...Array.from({ length: 6 }, () => notWritten))
  assert.is(codeOf(await inTime(clock, engine.createOrganization(request)())), 'UNAVAILABLE')
  clock.pass(365 * 24 * 60 * 60_000)
  const later = right(await engine.createOrganization(request)())
  const restarted = await secondProcess({ storage, clock })
  assert.is(right(await restarted.createOrganization(request)()).genesisHash, later.genesisHash)
})

it('refuses another beginning under the same id', async () => {
  const { engine, request, clock, organizationId, key } = await beginning()
  right(await engine.createOrganization(request)())
  const other = stamped({ key }, genesisBody(organizationId, key, clock.now(), 'Other'))
  assert.is(codeOf(await engine.createOrganization(other)()), 'CONFLICT')
})

it('refuses a stamp of a key that it does not register', async () => {
  const { engine, clock, organizationId, key, storage } = await beginning()
  const stranger = generateKey('API_KEY_CURVE_P256')
  const body = genesisBody(organizationId, key, clock.now())
  assert.is(codeOf(await engine.createOrganization(stamped({ key: stranger }, body))()), 'PUBLIC_KEY_NOT_FOUND')
  const [mine, another] = [stamped({ key }, body), genesisBody(organizationId, key, clock.now() + 1)]
  assert.is(codeOf(await engine.createOrganization({ ...mine, body: another })()), 'SIGNATURE_INVALID')
  assert.is((await eventsOf({ storage, organizationId })).length, 0)
})

it.run()
