import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fields } from '../../../core/codec/fields.ts'
import { mapOf } from '../../../core/codec/map-of.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { partsOf as partsOfEvent } from '../../../core/log/parts.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { profile } from '../../../core/organization/profile.ts'
import {
  decodeStates,
  encodeStates,
  flatten,
  SNAPSHOT_FORM,
  writtenOf,
  type Known,
} from '../../../core/organization/snapshot.ts'
import { state, type Draft, type Organization } from '../../../core/organization/state.ts'
import type { Snapshot, SnapshotPart, SnapshotPlace } from '../../../core/ports/read-models.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { hostState, withHost } from '../world/with-host.ts'
import { right, stamped, world, type World } from '../world/world.ts'
import { faultyStore } from '../command/faulty-store.ts'
import { until } from '../world/under-way.ts'
import { recordsOf, replayed } from '../command/history.ts'
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
const foldOf = async (w: World): Promise<Draft> => replayed(w.organizationId, await recordsOf(w), w.engine.catalogue)
const savedBy = async (w: World): Promise<Snapshot> => {
  const saved = right(await w.storage.readModels.snapshot(w.organizationId)())
  if (saved === undefined) throw new Error('no snapshot')
  return saved
}

/** A snapshot of the whole organization, and what this version makes of it. */
const partsOf = (organization: Organization) => encodeStates(organization).parts
const thawed = (w: World, parts: readonly SnapshotPart[], known: Known = w.engine.catalogue) =>
  decodeStates(w.organizationId, parts, known)

it('gives a fold back as it was, and in the same bytes', async () => {
  const w = await busy()
  const draft = await foldOf(w)
  const again = thawed(w, partsOf(draft))
  assert.equal(again && flatten(again), flatten(draft))
  assert.equal(again && partsOf(again), partsOf(draft))
})

it('goes on from a snapshot as from the first event', async () => {
  const w = await busy()
  const records = await recordsOf(w)
  const whole = flatten(await foldOf(w))
  for (const cut of [2, 4, 10, records.length - 1]) {
    const before = replayed(w.organizationId, records.slice(0, cut), w.engine.catalogue)
    const half = thawed(w, partsOf(before))
    if (half === undefined) throw new Error('not read')
    for (const { line, parts } of records.slice(cut)) {
      const event = right(decodeEvent(line))
      right(foldEvent(half, event, w.engine.catalogue, partsOfEvent(event, parts)))
    }
    assert.equal(flatten(half), whole)
  }
})

it('is thrown away where it is not one', async () => {
  const w = await busy()
  const parts = partsOf(await foldOf(w))
  for (const text of ['', '{', 'null', '{}', '{"users":{}}', '"text"', '[1]', '[["a",1]]', '[["a"],["a"]]']) {
    const bytes = new TextEncoder().encode(text)
    for (const part of parts) assert.is(thawed(w, [{ ...part, bytes }]), undefined, `${part.name}: ${text}`)
  }
  for (const part of parts) assert.is(thawed(w, [{ ...part, bytes: Uint8Array.of(0xff) }]), undefined)
})

it('writes what changed since it was written the last time, and nothing else', async () => {
  const w = await busy()
  const draft = await foldOf(w)
  const { parts, written } = encodeStates(draft)
  assert.equal(
    parts.map(({ name }) => name),
    ['credentials', 'history', 'organization', 'policies', 'root-quorum', 'user-tags', 'users'],
  )
  assert.equal(encodeStates(draft, written).parts, [])
  userTags.in(draft).clear()
  const next = encodeStates(draft, written)
  assert.equal(next.parts, [{ name: 'user-tags', version: 1, bytes: new TextEncoder().encode('[]') }])
  assert.equal(encodeStates(draft, next.written).parts, [])
  const again = thawed(w, partsOf(draft))
  assert.equal(again && encodeStates(again, writtenOf(again)).parts, [], 'what was read needs not be written')
})

it('costs what the changed state costs, whatever else the organization keeps', async () => {
  const w = await busy()
  const draft = await foldOf(w)
  const large = hostState.in(draft)
  for (let n = 0; n < 100_000; n += 1) large.set(`entry ${n}`, { number: n })
  const { parts, written } = encodeStates(draft)
  assert.ok(parts.reduce((bytes, part) => bytes + part.bytes.length, 0) > 2_000_000)
  const encodes: string[] = []
  for (const [name, slot] of draft.slots) {
    const { encode } = slot.state
    const counted = { ...slot.state, encode: (value: unknown) => encode(encodes.push(name) > 0 ? value : undefined) }
    draft.slots.set(name, { ...slot, state: counted })
  }
  userTags.in(draft).clear()
  assert.equal(
    encodeStates(draft, written).parts.map(({ name }) => name),
    ['user-tags'],
  )
  assert.equal(encodes, ['user-tags'], 'nothing else is even looked at')
})

it('is saved at the close of a busy engine, and equals the fold', async () => {
  const w = await busy()
  await w.close()
  const { sequence, parts } = await savedBy(w)
  const again = thawed(w, parts)
  assert.is(sequence, BigInt((await recordsOf(w)).length))
  assert.equal(again && flatten(again), flatten(await foldOf(w)))
})

it('is brought up to date by the parts that changed, and still equals the fold', async () => {
  const w = await busy()
  await w.close()
  const saved: (readonly string[])[] = []
  const { readModels } = w.store
  const watched = {
    ...w.store,
    readModels: {
      ...readModels,
      saveSnapshot: (snapshot: Snapshot, keeps?: SnapshotPlace, drops?: bigint) => {
        saved.push([keeps === undefined ? 'whole' : 'changes', ...snapshot.parts.map(({ name }) => name)])
        return readModels.saveSnapshot(snapshot, keeps, drops)
      },
    },
  }
  const engine = await secondProcess(w, { store: watched, snapshotEvery: 2 })
  const tag = w.body('create_user_tag', { userTagName: 'later', userIds: [] })
  right(await engine.submit('create_user_tag', stamped(w.root, tag))())
  await until(async () => saved.length > 0)
  assert.equal(saved, [['changes', 'history', 'user-tags']])
  await until(async () => (await savedBy(w)).sequence === BigInt((await recordsOf(w)).length))
  const again = thawed(w, (await savedBy(w)).parts)
  assert.equal(again && flatten(again), flatten(await foldOf(w)))
})

it('is not used where another version wrote a state, and there is no way from that one to this', async () => {
  const w = await busy()
  const parts = partsOf(await foldOf(w))
  const older = parts.map((part) => (part.name === 'users' ? { ...part, version: 0 } : part))
  assert.ok(thawed(w, parts))
  assert.is(thawed(w, older), undefined)
  await w.close()
})

/** The same parts, but for the name of the organization. */
const forgedFrom = async (w: World): Promise<readonly SnapshotPart[]> => {
  const draft = await foldOf(w)
  profile.in(draft).name = 'forged'
  return partsOf(draft)
}
const nameIn = async (w: World, engine: Engine) => {
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  return right(await engine.query('whoami', stamped(w.root, body))()).organizationName
}

it('counts only with the hash of its last event, and of this version', async () => {
  const w = await busy()
  await w.close()
  const saved = await savedBy(w)
  const parts = await forgedFrom(w)
  const nameWith = async (snapshot: Partial<Snapshot>) => {
    right(await w.storage.readModels.saveSnapshot({ ...saved, parts, ...snapshot })())
    return nameIn(w, await secondProcess(w))
  }
  assert.is(await nameWith({}), 'forged', 'it is believed where everything fits')
  assert.is(await nameWith({ hash: '00' }), 'Default')
  assert.is(await nameWith({ hash: saved.hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }), 'Default')
  assert.is(await nameWith({ sequence: saved.sequence - 1n }), 'Default')
  assert.is(await nameWith({ sequence: saved.sequence + 1n }), 'Default')
  assert.is(await nameWith({ version: `${SNAPSHOT_FORM}0` }), 'Default')
  assert.is(await nameWith({ parts: parts.map((part) => ({ ...part, bytes: new Uint8Array() })) }), 'Default')
  assert.is(await nameWith({ parts: parts.map((part) => ({ ...part, version: part.version + 1 })) }), 'Default')
})

it('stays beside that of another release, for as long as both run', async () => {
  const w = await busy()
  await w.close()
  const old = await savedBy(w)
  const resources = withHost([postNotice({ outside: false })])
  const newer = await secondProcess(w, { resources, snapshotEvery: 1 })
  const older = await secondProcess(w, { snapshotEvery: 1 })
  const tagBy = async (engine: Engine, userTagName: string): Promise<Snapshot> => {
    const body = w.body('create_user_tag', { userTagName, userIds: [] })
    right(await engine.submit('create_user_tag', stamped(w.root, body))())
    const { length } = await recordsOf(w)
    await until(async () => (await savedBy(w)).sequence === BigInt(length))
    return savedBy(w)
  }
  const first = await tagBy(newer, 'one')
  const second = await tagBy(older, 'two')
  assert.is(second.version, old.version)
  assert.is.not(first.version, old.version)
  assert.equal(right(await w.storage.readModels.snapshot(w.organizationId, first.version)()), first)
  assert.equal(right(await w.storage.readModels.snapshot(w.organizationId, old.version)()), second)
})

it('is kept where the engine has one more resource, or one more operation', async () => {
  const w = await busy()
  await w.close()
  right(await w.storage.readModels.saveSnapshot({ ...(await savedBy(w)), parts: await forgedFrom(w) })())
  const engine = await secondProcess(w, { resources: withHost([postNotice({ outside: false })]) })
  assert.is(await nameIn(w, engine), 'forged')
})

it('is not used where the engine has lost a state that is in it, or an operation', async () => {
  const w = await busy()
  const parts = partsOf(await foldOf(w))
  const { states, byType, generation } = w.engine.catalogue
  assert.ok(thawed(w, parts, { states, byType, generation }))
  const without = new Map([...states].filter(([name]) => name !== 'user-tags'))
  assert.is(thawed(w, parts, { states: without, byType, generation }), undefined)
  assert.is(
    thawed(w, parts, {
      states,
      generation,
      byType: (type) => (type === createUserTag.type ? undefined : byType(type)),
    }),
    undefined,
  )
  assert.ok(
    thawed(w, parts, {
      states,
      generation,
      byType: (type) => (type === 'ACTIVITY_TYPE_DELETE_POLICY' ? undefined : byType(type)),
    }),
  )
})

it('is brought to a newer version of a state by its upcasters, and by nothing else', async () => {
  const w = await busy()
  const parts = partsOf(await foldOf(w))
  const { states, byType, generation } = w.engine.catalogue
  const newer = (upcasters: { readonly [from: number]: (older: Json) => Json }): Known => {
    const codec = mapOf(fields({ label: t.string }))
    const labelled = state({ name: 'user-tags', version: 3, codec, initial: () => new Map(), upcasters })
    return { states: new Map([...states, ['user-tags', labelled]]), byType, generation }
  }
  const second = (older: Json): Json =>
    (older as [string, { tagName: string }][]).map(([id, { tagName }]) => [id, [tagName]])
  const third = (older: Json): Json => (older as [string, [string]][]).map(([id, [label]]) => [id, { label }])
  const again = thawed(w, parts, newer({ 1: second, 2: third }))
  const labels = again?.slots.get('user-tags')?.value as Map<string, unknown> | undefined // of `labelled`
  assert.equal([...(labels?.values() ?? [])], [{ label: 'ops' }])
  assert.is(thawed(w, parts, newer({ 2: third })), undefined)
  assert.is(thawed(w, parts, newer({ 1: third, 2: third })), undefined)
  assert.is(
    thawed(
      w,
      parts,
      newer({
        1: () => {
          throw new Error('a bug')
        },
      }),
    ),
    undefined,
  )
})

it.run()
