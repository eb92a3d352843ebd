import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { anyCommit, anyEvent } from '../../../adapters/testing/any.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { createEngine } from '../../../core/create-engine.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { E } from '../../../core/prelude.ts'
import { givenCluster } from './emulator/given-cluster.ts'
import { startCluster } from './emulator/cluster.ts'
import { testPorts } from '../../core/world/ports.ts'
import { stamped, world } from '../../core/world/world.ts'
import { closeAll, organization, tagsOf, to, untilAvailable } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'
import { memoryLender, openOn, openStores } from './under-test.ts'

const it = suite('EventStoreDB store: linearizable reads')

const linearizableReads = true
const CONFIRMATIONS = 'confirmations'

it('writes before it says how far the log goes, and one write serves all who came before it', async () => {
  const log = memoryLog()
  const { store, readModels } = await openOn(log, { linearizableReads })
  await right(store.append([to(anyEvent())]))
  const before = log.appends(CONFIRMATIONS)
  await right(store.head(organization))
  assert.is(log.appends(CONFIRMATIONS), before + 1)
  await right(store.lastPosition())
  assert.is(log.appends(CONFIRMATIONS), before + 2)
  await Promise.all(Array.from({ length: 50 }, () => right(store.head(organization))))
  assert.is(log.appends(CONFIRMATIONS), before + 3, 'those of one moment')
  const first = right(store.head(organization))
  while (log.appends(CONFIRMATIONS) === before + 3) await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([first, ...Array.from({ length: 50 }, () => right(store.head(organization)))])
  assert.is(log.appends(CONFIRMATIONS), before + 5, 'those who came while one was under way share the next one')
  await closeAll({ store, readModels, leases: undefined })
})

it('counts these writes as nothing of its own, and lets the server keep the last one', async () => {
  const log = memoryLog()
  const one = await openOn(log, { linearizableReads })
  await tagsOf(one, to(anyEvent()))
  const last = await right(one.store.lastPosition())
  for (let n = 0; n < 1_100; n += 1) await right(one.store.head(organization))
  assert.is(await right(one.store.lastPosition()), last)
  assert.is((await right(one.store.readAll(0n, 9))).length, 1)
  same(await right(one.store.organizations('', 9)), [organization])
  await tagsOf(one, anyCommit({ organization: 'other' }))
  assert.ok((await right(one.store.lastPosition())) > last)
  const two = await openOn(log, { linearizableReads, adoptReadModels: true })
  const metadata = log.all().filter(({ stream }) => stream === `$$${CONFIRMATIONS}`)
  same(
    metadata.map(({ type, data }) => [type, Buffer.from(data).toString()]),
    [['$metadata', '{"$maxCount":1}']],
  )
  await closeAll(one, two)
})

it('finds the last event of its own again after the log went back, behind many events of others', async () => {
  const log = memoryLog()
  const one = await openOn(log, { linearizableReads })
  await tagsOf(one, to(anyEvent()))
  const first = await right(one.store.lastPosition())
  await tagsOf(one, to(anyEvent()))
  const second = await right(one.store.lastPosition())
  log.goBackTo(first)
  assert.is(await right(one.store.lastPosition()), first)
  for (let n = 0; n < 40; n += 1) await right(one.store.head(organization))
  assert.is(await right(one.store.lastPosition()), first)
  assert.ok(second > first)
  await closeAll(one)
})

it('answers UNAVAILABLE where the write is not acknowledged, and tries once more where a connection has just ended', async () => {
  const log = memoryLog()
  const one = await openOn(log, { linearizableReads })
  await tagsOf(one, to(anyEvent()))
  const isConfirmation = (stream: string): boolean => stream === CONFIRMATIONS
  log.faults.beforeAppend = (stream) => (isConfirmation(stream) ? { _tag: 'unknown' } : undefined)
  await failsWith('UNAVAILABLE', one.store.head(organization))
  let failures = 1
  log.faults.beforeAppend = (stream) => (isConfirmation(stream) && failures-- > 0 ? { _tag: 'unavailable' } : undefined)
  assert.is((await right(one.store.head(organization)))?.sequence, 1n)
  log.faults.beforeAppend = undefined
  await closeAll(one)
})

it('reads over a new connection only when that one has acknowledged a write', async () => {
  const log = memoryLog()
  const one = await openOn(log, { linearizableReads })
  await tagsOf(one, to(anyEvent()))
  const before = log.appends(CONFIRMATIONS)
  await right(one.store.readLog(organization, 0n, 9))
  assert.is(log.appends(CONFIRMATIONS), before, 'this one has')
  log.cutConnections()
  await right(one.store.readLog(organization, 0n, 9))
  assert.is(log.appends(CONFIRMATIONS), before + 1)
  await closeAll(one)
})

it('is refused together with reading only', async () => {
  const said = await openOn(memoryLog(), { linearizableReads, readOnly: true }).then(
    () => 'opened',
    (error: unknown) => String(error),
  )
  assert.match(said, /CONFIGURATION_INVALID.*linearizableReads/)
})

const isolated = async (options: { readonly linearizableReads: boolean }) => {
  const cluster = await startCluster()
  const lender = memoryLender()
  const prefix = 'p-'
  const atLeader = await openStores(() => connectClient({ connectionString: cluster.connectionString }), lender, {
    prefix,
    ...options,
  })
  const one = await world({ store: atLeader.storage })
  await one.done(one.root, 'create_user_tag', { userTagName: 'before', userIds: [] })
  cluster.isolateLeader()
  const elsewhere = await openStores(
    () => connectClient({ connectionString: cluster.nodes[1]?.connectionString ?? '' }),
    lender,
    { prefix },
  )
  const ports = { ...testPorts(), clock: one.clock, resources: publicApi }
  const two = await createEngine({ ...ports, store: elsewhere.storage })
  const body = one.body('create_user_tag', { userTagName: 'after', userIds: [] })
  await right(two.submit('create_user_tag', stamped(one.root, body)))
  const asked = await one.ask(one.root, 'list_user_tags')
  await two.close()
  await one.close()
  await cluster.stop()
  return asked
}

it('refuses a query as UNAVAILABLE where the leader was cut off, and others have written behind its back', async () => {
  const asked = await isolated({ linearizableReads: true })
  assert.is(E.isLeft(asked) && asked.left.code, 'UNAVAILABLE')
})

it('answers such a query with what was true before, if the option is off: this limit is documented', async () => {
  const asked = await isolated({ linearizableReads: false })
  const { userTags } = await right(async () => asked)
  same(
    (userTags as readonly { readonly tagName: string }[]).map(({ tagName }) => tagName), // as the wire has it
    ['before'],
  )
})

const given = givenCluster()
if (typeof given === 'string') it.skip(given, () => undefined)
else
  it('refuses queries while both followers of a real cluster stand still, and answers them again afterwards', async () => {
    const { storage } = await openStores(
      () => connectClient({ connectionString: given.connectionString, appendTimeoutMs: 4_000 }),
      memoryLender(),
      { linearizableReads: true },
    )
    const one = await world({ store: storage })
    await one.answer(one.root, 'whoami')
    const followers = await given.followers()
    assert.is(followers.length, 2)
    for (const node of followers) await given.run('freeze', node)
    const asked = await one.ask(one.root, 'whoami')
    for (const node of followers) await given.run('thaw', node)
    assert.is(E.isLeft(asked) && asked.left.code, 'UNAVAILABLE')
    const { userId } = await untilAvailable(() => one.ask(one.root, 'whoami'))
    assert.is(userId, one.root.userId)
    await one.close()
  })

it.run()
