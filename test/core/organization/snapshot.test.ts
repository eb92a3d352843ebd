import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeEvent } from '../../../core/log/event.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import type { Draft } from '../../../core/organization/organization.ts'
import {
  copyOf,
  decodeSnapshot,
  encodeSnapshot,
  flatten,
  SNAPSHOT_VERSION,
} from '../../../core/organization/snapshot.ts'
import type { Snapshot } from '../../../core/ports/read-models.ts'
import { publicApi } from '../../../core/operations/public-api.ts'
import { right, stamped, world, type World } from '../../world.ts'
import { faultyStore } from '../command/faulty-store.ts'
import { eventsOf, recordsOf, replayed } from '../command/history.ts'
import { secondProcess } from '../command/second-process.ts'
import { postNotice } from '../command/notice.ts'

const it = suite('snapshot')

/** A world with a hundred events and a little of everything in it. */
const busy = async () => {
  const store = faultyStore()
  const w = await world({ store })
  const created = await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  const { userTagId } = created.result.createUserTagResult as { readonly userTagId: string }
  const ada = await w.enrol('ada', [userTagId])
  await w.done(w.root, 'update_user', {
    userId: ada.userId,
    userEmail: 'ada@example.com',
    userPhoneNumber: '+14155552671',
  })
  await w.done(w.root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', condition: 'true', notes: 'n' })
  await w.done(w.root, 'update_root_quorum', { threshold: 1, userIds: [w.root.userId, ada.userId] })
  for (let n = 0; n < 48; n += 1) {
    w.clock.pass(1)
    await w.done(w.root, 'update_user', { userId: ada.userId, userName: `ada ${n}` })
  }
  return { ...w, store }
}
const foldOf = async (w: World): Promise<Draft> => replayed(w.organizationId, await eventsOf(w), w.engine.catalogue)
const savedBy = async (w: World): Promise<Snapshot> => {
  const saved = right(await w.storage.readModels.snapshot(w.organizationId)())
  if (saved === undefined) throw new Error('no snapshot')
  return saved
}

it('gives a fold back as it was, and in the same bytes', async () => {
  const draft = await foldOf(await busy())
  const bytes = encodeSnapshot(draft)
  const thawed = decodeSnapshot(bytes)
  assert.equal(thawed, draft)
  assert.equal(thawed && flatten(thawed), flatten(draft))
  assert.equal(thawed && encodeSnapshot(thawed), bytes)
})

it('goes on from a snapshot as from the first event', async () => {
  const w = await busy()
  const records = await recordsOf(w)
  const whole = flatten(await foldOf(w))
  for (const cut of [2, 4, 10, records.length - 1]) {
    const half = decodeSnapshot(
      encodeSnapshot(replayed(w.organizationId, (await eventsOf(w)).slice(0, cut), w.engine.catalogue)),
    )
    if (half === undefined) throw new Error('not read')
    for (const { line } of records.slice(cut)) right(foldEvent(half, right(decodeEvent(line)), w.engine.catalogue))
    assert.equal(flatten(half), whole)
  }
})

it('copies a state that does not change with it', async () => {
  const draft = await foldOf(await busy())
  const copy = copyOf(draft)
  const before = structuredClone(flatten(copy))
  for (const user of draft.users.values()) {
    user.userName = 'other'
    user.tagIds.push('tag')
    user.apiKeys.clear()
  }
  for (const tag of draft.userTags.values()) tag.tagName = 'other'
  for (const policy of draft.policies.values()) policy.condition = 'false'
  draft.quorum.userIds.pop()
  draft.credentials.clear()
  assert.equal(flatten(copy), before)
})

it('is thrown away where it is not one', () => {
  const texts = ['', '{', 'null', '[]', '{}', '{"users":{}}', '"text"', '{"users":[],"userTags":[]}']
  for (const text of texts) assert.is(decodeSnapshot(new TextEncoder().encode(text)), undefined, text)
  assert.is(decodeSnapshot(Uint8Array.of(0xff)), undefined)
})

it('is saved at the close of a busy engine, and equals the fold', async () => {
  const w = await busy()
  await w.close()
  const { sequence, state } = await savedBy(w)
  const thawed = decodeSnapshot(state)
  assert.is(sequence, BigInt((await recordsOf(w)).length))
  assert.equal(thawed && flatten(thawed), flatten(await foldOf(w)))
})

it('counts only with the hash of its last event, and of this version', async () => {
  const w = await busy()
  await w.close()
  const saved = await savedBy(w)
  const forged = encodeSnapshot({ ...(await foldOf(w)), name: 'forged' })
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  const nameWith = async (snapshot: Partial<Snapshot>) => {
    right(await w.storage.readModels.saveSnapshot({ ...saved, state: forged, ...snapshot })())
    const engine = await secondProcess(w)
    return right(await engine.query('whoami', stamped(w.root, body), 'object')()).organizationName
  }
  assert.is(await nameWith({}), 'forged', 'it is believed where everything fits')
  assert.is(await nameWith({ hash: '00' }), 'Default')
  assert.is(await nameWith({ hash: saved.hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }), 'Default')
  assert.is(await nameWith({ sequence: saved.sequence - 1n }), 'Default')
  assert.is(await nameWith({ sequence: saved.sequence + 1n }), 'Default')
  assert.is(await nameWith({ version: `${SNAPSHOT_VERSION + 1}:00` }), 'Default')
  assert.is(await nameWith({ state: new Uint8Array() }), 'Default')
})

it('does not fit other operations', async () => {
  const w = await busy()
  await w.close()
  const forged = encodeSnapshot({ ...(await foldOf(w)), name: 'forged' })
  right(await w.storage.readModels.saveSnapshot({ ...(await savedBy(w)), state: forged })())
  const engine = await secondProcess(w, { operations: [...publicApi, postNotice({ outside: false })] })
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  assert.is(right(await engine.query('whoami', stamped(w.root, body), 'object')()).organizationName, 'Default')
})

it.run()
