import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { query } from '../../../core/definition/query.ts'
import { resource } from '../../../core/definition/resource.ts'
import { failure } from '../../../core/failure.ts'
import { profile } from '../../../core/organization/profile.ts'
import { E } from '../../../core/prelude.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { NOBODY } from '../resources/example.ts'
import { childOf } from '../resources/sub-organization/children.ts'
import { isWaiting } from '../world/under-way.ts'
import { begin, world, type Place, type Signer, type World } from '../world/world.ts'
import { faultyStore, heldAtAppend } from './faulty-store.ts'

const it = suite('a query that reads organizations below its own')

/** How often the state was read that the last answer shows. */
let times = 0
const nameBelow = query({
  path: 'name_below',
  summary: 'Tells the name of an organization below.',
  request: t.fields({ organizationId: t.string, id: t.string }),
  answer: t.fields({ name: t.union([t.string, t.null]) }),
  run: async ({ id }, { below }) => {
    const name = await below(id, (child) => {
      times += 1
      return profile.of(child).name
    })
    return { name: name ?? null }
  },
})
const resources = [...publicApi, resource({ name: 'below', queries: [nameBelow] })]

const nameOf = async (place: Place, { organizationId: id }: Pick<Place, 'organizationId'>, by: Signer = place.root) =>
  (await place.answer(by, 'name_below', { id })).name

it('reads those alone that are below it, and have not ended', async () => {
  const w = await world({ resources })
  const [child, ended, other] = [await childOf(w), await childOf(w, 'sam'), await begin(w)]
  await ended.done(ended.root, 'delete_sub_organization', {})
  assert.is(await nameOf(w, child), 'below')
  for (const place of [ended, other, w, { organizationId: NOBODY }, { organizationId: '' }])
    assert.is(await nameOf(w, place), null)
  for (const place of [w, child]) assert.is(await nameOf(child, place), null)
  assert.is(await nameOf(child, child, w.root), null)
  assert.is(await nameOf(other, child), null)
  await w.close()
})

const renamed = (child: Place) => child.submit(child.root, 'update_organization_name', { organizationName: 'new' })

/** A world whose store is told when to fail, and an organization below. */
const faultyFamily = async (): Promise<readonly [World, Place, ReturnType<typeof faultyStore>]> => {
  const store = faultyStore()
  const w = await world({ store, resources })
  return [w, await childOf(w), store]
}

it('waits until what it has read is durable', async () => {
  const [w, child, store] = await faultyFamily()
  const { begun, letGo } = await heldAtAppend(store, () => renamed(child))
  const name = nameOf(w, child)
  assert.is(await isWaiting(name), true)
  letGo()
  await begun
  assert.is(await name, 'new')
  await w.close()
})

it('reads again what the store has refused', async () => {
  const [w, child, store] = await faultyFamily()
  const { begun, letGo } = await heldAtAppend(store, () => renamed(child))
  times = 0
  const name = nameOf(w, child)
  assert.is(await isWaiting(name), true)
  letGo(async () => E.left(failure('REQUEST_TOO_LARGE', 'never stored')))
  await begun
  assert.equal([await name, times], ['below', 2])
  await w.close()
})

it.run()
