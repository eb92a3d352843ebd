import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { decodeEvent, GENESIS_PREVIOUS } from '../../../core/log/event.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { quietTelemetry } from '../../../core/telemetry/quiet-telemetry.ts'
import { genesisBody, right, stamped, world } from '../world/world.ts'
import { rewindableStore } from '../writing/rewindable-store.ts'
import { inTime } from '../world/under-way.ts'
import { secondProcess } from './second-process.ts'

const it = suite('a store that went back')

const tag = (userTagName: string) => ({ userTagName, userIds: [] })

const ids = projection({
  name: 'ids',
  version: 1,
  on: [
    anyEvent(({ id }, { position }) => [
      { _tag: 'put', organization: '*', key: id, order: position, facets: {}, value: null },
    ]),
  ],
})

const scene = async () => {
  const store = rewindableStore()
  const notices: Notice[] = []
  const counted: string[] = []
  const w = await world({
    store: store.storage,
    onNotice: (notice) => notices.push(notice),
    telemetry: quietTelemetry({
      span: (_name, _attributes, work) => work(),
      spanSync: (_name, _attributes, work) => work(),
      count: (name) => counted.push(name),
      record: () => undefined,
      observe: () => () => undefined,
    }),
  })
  right(await w.engine.subscribe(ids)())
  await w.done(w.root, 'create_user_tag', tag('kept'))
  const kept = await store.last()
  await w.done(w.root, 'create_user_tag', tag('lost'))
  const names = async () =>
    ((await w.answer(w.root, 'list_user_tags')).userTags as readonly { readonly tagName: string }[]).map(
      (one) => one.tagName,
    )
  const told = () => [
    notices.filter(({ message, level }) => level === 'error' && message.includes('lost events')).length,
    counted.filter((name) => name === 'countersign.store.rewinds').length,
  ]
  /** The rows are those of the log, and of nothing else. */
  const rowsAreRight = async () => {
    right(await inTime(w.clock, w.engine.whenProcessed(await store.last(), 'ids')()))
    const rows = right(await store.storage.readModels.rows('ids@1', '*', { limit: 100, ascending: true })())
    const events = right(await store.storage.store.readAll(0n, 100)())
    assert.equal(
      rows.map(({ key, order }) => [key, order]),
      events.map(({ id, position }) => [id, position]),
    )
  }
  return { ...w, ...store, kept, names, told, rowsAreRight }
}

for (const rows of ['kept', 'lost'] as const) {
  it(`shows only what is left, and says so: its rows were ${rows}`, async () => {
    const s = await scene()
    assert.equal([...(await s.names())].sort(), ['kept', 'lost'])
    await s.rowsAreRight()
    await s.loseAfter(s.kept, { rows })
    assert.equal(await s.names(), ['kept'])
    assert.equal(s.told(), [1, 1])
    await s.done(s.root, 'create_user_tag', tag('lost'))
    assert.equal([...(await s.names())].sort(), ['kept', 'lost'])
    await s.rowsAreRight()
    assert.equal(s.told(), [1, 1])
    await s.close()
  })
}

it('is known by its last line, where it has as many events as before', async () => {
  const s = await scene()
  await s.loseAfter(s.kept)
  const other = await secondProcess({ storage: s.storage, clock: s.clock })
  right(await other.submit('create_user_tag', stamped(s.root, s.body('create_user_tag', tag('other'))))())
  const asked = await Promise.all([s.names(), s.names(), s.names()])
  assert.equal(
    asked.map((each) => [...each].sort()),
    [
      ['kept', 'other'],
      ['kept', 'other'],
      ['kept', 'other'],
    ],
  )
  assert.equal(s.told(), [1, 1])
  await s.rowsAreRight()
  await s.close()
})

it('is known by the line before, where it has grown beyond its old end meanwhile', async () => {
  const s = await scene()
  await s.loseAfter(s.kept)
  const other = await secondProcess({ storage: s.storage, clock: s.clock })
  for (const name of ['one', 'two', 'three'])
    right(await other.submit('create_user_tag', stamped(s.root, s.body('create_user_tag', tag(name))))())
  assert.equal([...(await s.names())].sort(), ['kept', 'one', 'three', 'two'])
  assert.equal(s.told(), [1, 1])
  await s.rowsAreRight()
  await s.close()
})

it('is known from a refused commit, too', async () => {
  const s = await scene()
  await s.loseAfter(s.kept)
  await s.done(s.root, 'create_user_tag', tag('other'))
  assert.equal(s.told(), [1, 1])
  assert.equal([...(await s.names())].sort(), ['kept', 'other'])
  await s.rowsAreRight()
  await s.close()
})

it('is told once for each organization, and folded again once', async () => {
  const s = await scene()
  await s.loseAfter(1n)
  await s.ask(s.root, 'whoami')
  await s.ask(s.root, 'whoami')
  assert.equal(s.told(), [1, 1])
  await s.close()
})

it('is not appended to behind an event that is gone, even if another one stands in its place', async () => {
  const s = await scene()
  await s.loseAfter(s.kept)
  const other = await secondProcess({ storage: s.storage, clock: s.clock })
  right(await other.submit('create_user_tag', stamped(s.root, s.body('create_user_tag', tag('other'))))())
  await s.done(s.root, 'create_user_tag', tag('behind'))
  assert.equal(s.told(), [1, 1])
  assert.equal([...(await s.names())].sort(), ['behind', 'kept', 'other'])
  let previous = GENESIS_PREVIOUS
  for (const { line } of right(await s.storage.store.readAll(0n, 100)())) {
    assert.is(right(decodeEvent(line)).previous, previous)
    previous = hashOf(nodeDigest(), line)
  }
  await s.rowsAreRight()
  await s.close()
})

it('is known when the organization is begun again, of which nothing is left', async () => {
  const s = await scene()
  const genesis = stamped(s.root, genesisBody(s.organizationId, s.root.key, s.clock.now()))
  const before = right(await s.engine.createOrganization(genesis)())
  await s.loseAfter(0n)
  const after = right(await s.engine.createOrganization(genesis)())
  assert.is(after.activity.id, before.activity.id)
  const [first] = right(await s.storage.store.readAll(0n, 100)())
  assert.equal(
    after.activity.votes.map(({ id }) => id),
    [first?.id],
  )
  await s.close()
})

it.run()
