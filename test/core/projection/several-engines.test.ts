import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import { query } from '../../../core/definition/query.ts'
import type { Engine } from '../../../core/engine.ts'
import { right, stamped, world, type World } from '../world/world.ts'
import { withHost } from '../world/with-host.ts'
import { inTime, quiet } from '../world/under-way.ts'
import { secondProcess } from '../command/second-process.ts'

const it = suite('the projections of several engines on one store')

/** What an engine needs to list the types of events, and how many it has projected by itself. */
const counted = () => {
  const count = { events: 0 }
  const types = projection({
    name: 'types',
    version: 1,
    on: [
      anyEvent(({ organization, id: key, sequence: order, type: value }) => {
        count.events += 1
        return [{ _tag: 'put', organization, key, order, facets: {}, value }]
      }),
    ],
  })
  const listing = query({
    path: 'list_types',
    summary: 'Lists the types of all events.',
    request: t.fields({ organizationId: t.string }),
    answer: t.fields({ types: t.array(t.AnyJson) }),
    run: async (_, { rows }) => ({ types: await rows(types, { limit: 50, ascending: true }) }),
  })
  return { count, resources: withHost([], [listing], [types]) }
}

const listed = async ({ clock, organizationId, root }: World, engine: Engine): Promise<unknown> =>
  right(
    await inTime(
      clock,
      engine.query('list_types', stamped(root, encodeUtf8(JSON.stringify({ organizationId }))))(),
      20,
    ),
  )

const tag = (n: number) => ['create_user_tag', { userTagName: `tag ${n}`, userIds: [] }] as const

it('are computed by one of them, and listed by each with everything that was answered before', async () => {
  const [first, second] = [counted(), counted()]
  const w = await world({ store: memoryStore(), resources: first.resources })
  await quiet()
  const other = await secondProcess(w, { resources: second.resources })
  for (let n = 1; n <= 10; n += 1) {
    await w.done(w.root, ...tag(n))
    const { types } = (await listed(w, other)) as { readonly types: readonly string[] }
    assert.is(types.length, 2 * (n + 1))
  }
  assert.equal(await listed(w, other), await listed(w, w.engine))
  assert.equal([first.count.events, second.count.events], [22, 0])
  await other.close()
  await w.close()
})

it('are computed by another one from where they stand, when the one that did it closes', async () => {
  const [first, second] = [counted(), counted()]
  const store = memoryStore()
  const w = await world({ store })
  // An engine that is closed closes its handles, and not those of the others.
  const kept = async (): Promise<void> => undefined
  const storage = {
    ...store,
    store: { ...store.store, close: kept },
    readModels: { ...store.readModels, close: kept },
  }
  const one = await secondProcess({ storage, clock: w.clock }, { resources: first.resources })
  await quiet()
  const two = await secondProcess({ storage, clock: w.clock }, { resources: second.resources })
  await w.done(w.root, ...tag(1))
  assert.equal(await listed(w, two), await listed(w, one))
  assert.equal([first.count.events, second.count.events], [4, 0])
  await one.close()
  await w.done(w.root, ...tag(2))
  const { types } = (await listed(w, two)) as { readonly types: readonly string[] }
  assert.equal([types.length, first.count.events, second.count.events], [6, 4, 2])
  await two.close()
  await w.close()
})

it.run()
