import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { childOf, family } from './children.ts'
import { begin, right } from '../../world/world.ts'

const it = suite('the first organization of an engine')

it('is the one that was begun first, and never one below another one', async () => {
  const w = await family()
  const first = async () => right(await w.engine.firstOrganization()())
  const others = [await begin(w), await begin(w)]
  for (const place of [w, ...others]) for (const name of ['eve', 'sam']) await childOf({ ...w, ...place }, name)
  assert.is(await first(), w.organizationId)
  await w.close()
})

it('is the first by id of the others when that one has ended', async () => {
  const w = await family()
  const first = async () => right(await w.engine.firstOrganization()())
  const parent = await begin(w)
  for (let n = 0; n < 5; n += 1) await childOf({ ...w, ...parent }, `user${n}`)
  await w.done(w.root, 'delete_organization', { organizationId: w.organizationId })
  assert.is(await first(), parent.organizationId)
  await w.close()
})

it.run()
