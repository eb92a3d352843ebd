import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { right } from '../world/world.ts'
import { until } from '../world/under-way.ts'
import { secondProcess } from '../command/second-process.ts'
import { audited, exported, trio } from './logs.ts'
import { pay } from './payment.ts'

/* Logs that are honest, and that an audit must not complain of. */
const it = suite('honest logs')

it('may have effects that were refused by the last approval, before they began', async () => {
  const operations = [pay(0)]
  const made = await trio({ resources: withHost([...operations]) })
  const { ada, approve, done, grace, root, storage } = made
  const payment = await done(root, 'pay', {})
  right(await approve(grace, await done(ada, 'create_user_tag', { userTagName: 'one', userIds: [] })))
  assert.is(right(await approve(grace, payment)).status, 'ACTIVITY_STATUS_FAILED')
  const { counts, findings } = await audited(await exported(storage.store), {}, operations)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  await made.close()
})

it('may have effects that were allowed under other limits than those of the process that concluded them', async () => {
  let answer: (receipt: { receipt: string }) => void = () => undefined
  const asked = new Promise<{ receipt: string }>((resolve) => (answer = resolve))
  const operations = [pay(10, () => asked)]
  // Without leases the second process begins beside the first, which is still at it.
  const store = { ...memoryStore(), leases: undefined }
  const made = await trio({ store, resources: withHost([...operations]), limits: { users: 7 }, waitForEffectsMs: 0 })
  const { approve, clock, done, grace, root, storage } = made
  const payment = await done(root, 'pay', {})
  const approved = approve(grace, payment)
  await until(async () => (await exported(storage.store)).includes('ActivityStarted'))
  clock.pass(2000)
  right(await approved)
  const second = await secondProcess(made, {
    resources: withHost([pay(10)]),
    limits: { users: 8 },
    waitForEffectsMs: 0,
  })
  await until(async () => {
    clock.pass(1000)
    return (await exported(storage.store)).includes('"receipt":"one"')
  })
  answer({ receipt: 'late' })
  assert.match(await exported(storage.store), '"change":{"users":7}')
  const { findings } = await audited(await exported(storage.store), { limits: [{ limits: { users: 7 } }] }, operations)
  assert.equal(findings, [])
  await second.close()
})

it.run()
