import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { engineContainer, engineOptions, tokens } from '../../adapters/container.ts'
import { createEngine, Failure, failure, publicApi, TE, type Clock } from '../../adapters/index.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'

const it = suite('what an engine on Node is made of')

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )

it('gives each engine a container of its own', () => {
  const [first, second] = [engineContainer(memoryStore()), engineContainer(memoryStore())]
  assert.is(first.resolve(tokens.signatures), first.resolve(tokens.signatures))
  assert.is.not(first.resolve(tokens.signatures), second.resolve(tokens.signatures))
  assert.is.not(first.resolve(tokens.storage), second.resolve(tokens.storage))
})

it('resolves everything at once', async () => {
  const storage = memoryStore()
  const options = engineOptions(engineContainer(storage))
  assert.is(options.store, storage)
  assert.is(options.operations, publicApi)
  const engine = await createEngine(options)
  assert.equal(await engine.firstOrganization()(), { _tag: 'Right', right: undefined })
  await engine.close()
})

it('takes what a host registers in place of its own', () => {
  const parts = engineContainer(memoryStore())
  const clock: Clock = { now: () => 1_700_000_000_000, after: () => () => undefined }
  parts.register(tokens.clock, { useValue: clock })
  parts.register(tokens.operations, { useValue: [] })
  const options = engineOptions(parts)
  assert.is(options.clock, clock)
  assert.equal(options.operations, [])
  assert.ok(options.ids.eventId().startsWith((1_700_000_000_000).toString(16).padStart(12, '0').slice(0, 8)), 'ids too')
})

it('needs no container: a store is enough, opened or about to be', async () => {
  for (const store of [memoryStore(), Promise.resolve(memoryStore()), TE.right(memoryStore())]) {
    const engine = await createEngine({ store })
    assert.is(engine.catalogue.operations.length, publicApi.length)
    await engine.close()
  }
})

it('rejects with a failure where the store cannot be opened', async () => {
  const unreadable = failure('STORE_UNREADABLE', 'the file is not a store')
  assert.is(await rejection(createEngine({ store: TE.left(unreadable) })), unreadable)
})

it('closes the store where an option is wrong', async () => {
  const storage = memoryStore()
  let isClosed = false
  const close = (): Promise<void> => {
    isClosed = true
    return storage.store.close()
  }
  const store = { ...storage.store, close }
  const [first] = publicApi
  const operations = first === undefined ? [] : [first, first]
  const rejected = await rejection(createEngine({ store: { ...storage, store }, operations }))
  assert.ok(Failure.is(rejected) && rejected.code === 'CONFIGURATION_INVALID')
  assert.ok(isClosed)
})

it.run()
