import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Resource } from '../../../core/definition/resource.ts'
import { history } from '../../../core/organization/history.ts'
import { updateRootQuorum } from '../../../core/resources/quorum/update-root-quorum.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { right, world, type Person, type World } from '../world/world.ts'
import { everyExample } from './all-examples.ts'
import type { OperationExample } from './example.ts'
import { doorOf, json, parametersOf } from './scene.ts'

const it = suite('what two people decide')

/** An organization whose root quorum is two of two, with the body of the example, which was made before it was. */
const asked = async (example: OperationExample): Promise<{ w: World; ada: Person; body: Uint8Array }> => {
  const w = await world()
  const ada = await w.enrol('ada')
  const { type, path } = example.operation
  const parameters = json(await parametersOf(doorOf(w, ada.userId), example, type))
  await w.done(w.root, updateRootQuorum.path, { threshold: 2, userIds: [w.root.userId, ada.userId] })
  return { w, ada, body: w.body(path, parameters, { type }) }
}

const headOf = async ({ storage, organizationId }: World) => right(await storage.store.head(organizationId)())
const statusOf = ({ status }: ActivityView): string => status.replace('ACTIVITY_STATUS_', '')

/** The first operation of each resource stands for the others: they differ in nothing that approvals could see. */
const firsts = publicApi.flatMap((one) => {
  const example = everyExample.find(({ operation }) => operation === one.operations[0])
  return example === undefined ? [] : [{ one, name: one.name, example }]
})

/** What the resource keeps, without the count of what waits. */
const keptBy = async ({ engine, organizationId }: World, { states }: Resource) => {
  const { slots } = right(await engine.replayOrganization(organizationId)()).state
  return states
    .filter((one) => one !== history)
    .map(({ name, encode, initial }) => encode(slots.get(name)?.value ?? initial()))
}

for (const { one, name, example } of firsts) {
  const { path } = example.operation
  it(`${name}: ${path} waits for a second user, is done at the approval, and once only`, async () => {
    const { w, ada, body } = await asked(example)
    const first = right(await w.send(w.root, path, body))
    assert.is(statusOf(first), 'CONSENSUS_NEEDED')
    assert.equal(right(await w.send(w.root, path, body)).id, first.id)
    const approved = right(await w.approve(ada, first))
    assert.equal([statusOf(approved), approved.id], ['COMPLETED', first.id])
    const head = await headOf(w)
    const again = right(await w.send(w.root, path, body))
    assert.equal([again.id, again.result], [first.id, approved.result])
    assert.equal(await headOf(w), head)
    await w.close()
  })

  it(`${name}: ${path} is not done after a rejection`, async () => {
    const { w, ada, body } = await asked(example)
    const first = right(await w.send(w.root, path, body))
    const before = await keptBy(w, one)
    assert.is(statusOf(right(await w.reject(ada, first))), 'REJECTED')
    assert.is(statusOf(right(await w.send(w.root, path, body))), 'REJECTED')
    assert.equal(await keptBy(w, one), before)
    await w.close()
  })
}

it.run()
