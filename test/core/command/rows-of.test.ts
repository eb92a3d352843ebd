import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anyEvent, completed, projection } from '../../../core/definition/projection.ts'
import { query, type RowsOptions } from '../../../core/definition/query.ts'
import { resource } from '../../../core/definition/resource.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { childOf } from '../resources/sub-organization/children.ts'
import { inTime, isWaiting } from '../world/under-way.ts'
import { testStore } from '../world/test-store.ts'
import { begin, codeOf, right, world, type Place } from '../world/world.ts'

const it = suite('rows for queries')

const Tag = t.fields({ tag: t.string })

/** Tags as rows of another organization: the one that they are called after. */
const letters = projection({
  name: 'letters',
  version: 1,
  row: Tag,
  on: [
    completed(createUserTag, ({ userTagName: organization, userTagId: key }, { position: order }) => [
      { _tag: 'put', organization, key, order, facets: {}, value: { tag: key } },
    ]),
  ],
})

const asking = (path: string, options?: RowsOptions) =>
  query({
    path,
    summary: 'Lists letters.',
    request: t.fields({ organizationId: t.string }),
    answer: t.fields({ count: t.number }),
    run: async (_, { rows }) => ({ count: (await rows(letters, { limit: 9 }, options)).length }),
  })
const post = resource({
  name: 'post',
  projections: [letters],
  queries: [asking('list_own'), asking('list_all', { of: 'store' })],
})

/** A store on which the rows of letters are stored when they are let go. */
const gated = async () => {
  const storage = await testStore()
  let gate: Promise<void> | undefined
  let open = (): void => undefined
  const store: Storage = {
    ...storage,
    readModels: {
      ...storage.readModels,
      move:
        (...move) =>
        async () => {
          if (move[0] === 'letters@1') await gate
          return storage.readModels.move(...move)()
        },
    },
  }
  const close = (): void => void (gate = new Promise((resolve) => (open = resolve)))
  return { store, close, open: () => open() }
}

const write = (from: Place, to: Place) =>
  from.done(from.root, 'create_user_tag', { userTagName: to.organizationId, userIds: [] })

it('have what other organizations had written before the query came, if it asks for that', async () => {
  const { store, close, open } = await gated()
  const w = await world({ store, resources: [...publicApi, post] })
  const other = await begin(w)
  assert.is((await inTime(w.clock, w.answer(w.root, 'list_all'), 20)).count, 0)
  close()
  await write(other, w)
  assert.is((await w.answer(w.root, 'list_own')).count, 0)
  const all = w.answer(w.root, 'list_all')
  assert.is(await isWaiting(all), true)
  open()
  assert.is((await inTime(w.clock, all, 20)).count, 1)
  await w.close()
})

it('are waited for only so long', async () => {
  const { store, close, open } = await gated()
  const w = await world({ store, resources: [...publicApi, post] })
  const other = await begin(w)
  await inTime(w.clock, w.answer(w.root, 'list_all'), 20)
  close()
  await write(other, w)
  assert.is(codeOf(await inTime(w.clock, w.ask(w.root, 'list_all'), 1_000)), 'UNAVAILABLE')
  open()
  await w.close()
})

it('are none while an organization below is parked, of which they could have some; others have theirs', async () => {
  let isBroken = false
  const fragile = projection({
    name: 'fragile',
    version: 1,
    on: [
      anyEvent(({ type }) => {
        if (isBroken && type === 'ActivityCompleted') throw new Error('a bug of the projection')
        return []
      }),
    ],
  })
  const list = query({
    path: 'list_fragile',
    summary: 'Lists nothing.',
    request: t.fields({ organizationId: t.string }),
    answer: t.fields({ count: t.number }),
    run: async (_, { rows }) => ({ count: (await rows(fragile, { limit: 9 }, { of: 'store' })).length }),
  })
  const host = resource({ name: 'fragile', projections: [fragile], queries: [list] })
  const w = await world({ resources: [...publicApi, host] })
  const [child, other] = [await childOf(w), await begin(w)]
  const listed = async (place: Place) => {
    const asked = await inTime(w.clock, place.ask(place.root, 'list_fragile'), 20)
    return E.isLeft(asked) ? asked.left.message : asked.right
  }
  assert.equal(await listed(w), { count: 0 })
  isBroken = true
  await child.done(child.root, 'create_user_tag', { userTagName: 'tag', userIds: [] })
  const isParked = 'the list of this organization is parked: its projection threw'
  assert.is(await listed(child), isParked)
  assert.is(await listed(w), isParked)
  assert.equal(await listed(other), { count: 0 })
  isBroken = false
  right(await w.engine.retryParked('fragile')())
  assert.equal(await listed(w), { count: 0 })
  await w.close()
})

it.run()
