import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { engineContainer, engineOptions, FILLED_IN, nodeContainer, tokens } from '../../adapters/container.ts'
import { createEngine, TE, type Engine } from '../../adapters/fp.ts'
import { failureOf, organizationRequest, publicApi, systemClock } from '../../adapters/index.ts'
import { failure, Failure, type Clock } from '../../core/define.ts'
import { withBeginning } from '../../core/resources/public-api.ts'
import { generateKey } from '../../adapters/signatures/signer.ts'
import { stampedRequest } from '../../adapters/signatures/stamped-request.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'
import { anyPasskey, paramsOf } from '../core/resources/authenticator/passkey-world.ts'

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
  assert.is(options.resources, publicApi)
  const engine = await createEngine(options)
  assert.equal(await engine.firstOrganization()(), { _tag: 'Right', right: undefined })
  await engine.close()
})

it('takes what a host registers in place of its own', () => {
  const parts = engineContainer(memoryStore())
  const clock: Clock = { now: () => 1_700_000_000_000, after: () => () => undefined }
  parts.register(tokens.clock, { useValue: clock })
  parts.register(tokens.resources, { useValue: [] })
  const options = engineOptions(parts)
  assert.is(options.clock, clock)
  assert.equal(options.resources, [])
  assert.ok(options.ids.eventId().startsWith((1_700_000_000_000).toString(16).padStart(12, '0').slice(0, 8)), 'ids too')
})

/** The part itself, and how often one of its functions was called. */
const counting = <A extends object>(part: A): { readonly part: A; readonly calls: () => number } => {
  let calls = 0
  const counted = new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]): unknown => {
        calls += 1
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { part: counted, calls: () => calls }
}

/** Begins an organization, makes a tag and a policy for some hours in it, and tries to register a passkey, which takes every part of an engine. */
const use = async (engine: Engine, timestampMs = Date.now()) => {
  const [key, organizationId] = [generateKey('API_KEY_CURVE_P256'), crypto.randomUUID()]
  await engine.createOrganization(organizationRequest({ name: 'Parts', key, organizationId, timestampMs }))()
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG'
  const parameters = { userTagName: 'tag', userIds: [] }
  const request = stampedRequest(key, { type, timestampMs: String(timestampMs), organizationId, parameters })
  const submitted = await engine.submit('create_user_tag', request)()
  const time = "CronSpan('0 9 * * *', '8h', 'Europe/Berlin')"
  const policy = { policyName: 'office hours', effect: 'EFFECT_ALLOW', notes: '', time }
  const creating = { type: 'ACTIVITY_TYPE_CREATE_POLICY_V3', timestampMs: String(timestampMs), organizationId }
  await engine.submit('create_policy', stampedRequest(key, { ...creating, parameters: policy }))()
  const passkey = { userId: crypto.randomUUID(), authenticators: [paramsOf(anyPasskey())] } // nobody's: it is checked before
  const registering = {
    type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    timestampMs: String(timestampMs),
    organizationId,
  }
  await engine.submit('create_authenticators', stampedRequest(key, { ...registering, parameters: passkey }))()
  await engine.close()
  return submitted
}

for (const name of FILLED_IN.filter((name) => name !== 'resources')) {
  it(`uses other ${name}, registered or given as an option`, async () => {
    const parts = engineContainer(memoryStore())
    const registered = counting(engineOptions(parts)[name] ?? {})
    parts.register<unknown>(tokens[name], { useValue: registered.part })
    assert.is((await use(await createEngine(engineOptions(parts))))._tag, 'Right')
    assert.ok(registered.calls() > 0, 'registered')

    const given = counting(engineOptions(engineContainer(memoryStore()))[name] ?? {})
    assert.is((await use(await createEngine({ store: memoryStore(), [name]: given.part })))._tag, 'Right')
    assert.ok(given.calls() > 0, 'given')
  })
}

it('uses other resources, registered or given as an option', async () => {
  const parts = engineContainer(memoryStore()).register(tokens.resources, { useValue: [] })
  for (const engine of [
    await createEngine(engineOptions(parts)),
    await createEngine({ store: memoryStore(), resources: [] }),
  ])
    assert.equal((await use(engine))._tag, 'Left')
})

it('uses another store', async () => {
  const other = memoryStore()
  const asked = counting(other.store)
  const parts = engineContainer(memoryStore())
  parts.register(tokens.storage, { useValue: { ...other, store: asked.part } })
  await use(await createEngine(engineOptions(parts)))
  assert.ok(asked.calls() > 0)
})

it('lets keys take turns before another verifier, too', async () => {
  const parts = engineContainer(memoryStore())
  const verifier = { ...nodeContainer().resolve(tokens.verifier), verify: async () => false }
  parts.register(tokens.verifier, { useValue: verifier })
  assert.is.not(parts.resolve(tokens.signatures), verifier)
  assert.is((await use(await createEngine(engineOptions(parts))))._tag, 'Left')
})

it('gives event ids the time of the clock that a host gives', async () => {
  const atMs = Date.parse('2031-05-06T07:08:09.010Z')
  const storage = memoryStore()
  const ids: string[] = []
  const append: typeof storage.store.append = (commits) => {
    ids.push(...commits.flatMap(({ events }) => events.map(({ id }) => id)))
    return storage.store.append(commits)
  }
  const store = { ...storage, store: { ...storage.store, append } }
  const engine = await createEngine({ store, clock: { ...systemClock(), now: () => atMs } })
  assert.is((await use(engine, atMs))._tag, 'Right')
  assert.equal(new Set(ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))), new Set([atMs]))
  assert.is(ids.length, 6)
})

it('needs no container: a store is enough, opened or about to be', async () => {
  for (const store of [memoryStore(), Promise.resolve(memoryStore()), TE.right(memoryStore())]) {
    const engine = await createEngine({ store })
    assert.equal(engine.catalogue.resources, withBeginning(publicApi))
    await engine.close()
  }
})

it('rejects with a failure where the store cannot be opened', async () => {
  const unreadable = failure('STORE_UNREADABLE', 'the file is not a store')
  assert.equal(failureOf(await rejection(createEngine({ store: TE.left(unreadable) }))), unreadable)
})

it('closes the store where an option is wrong', async () => {
  const storage = memoryStore()
  let isClosed = false
  const close = (): Promise<void> => {
    isClosed = true
    return storage.store.close()
  }
  const store = { ...storage.store, close }
  const resources = publicApi.map((one) => ({ ...one }))
  const rejected = await rejection(
    createEngine({ store: { ...storage, store }, resources: [...publicApi, ...resources] }),
  )
  assert.ok(Failure.is(rejected) && rejected.code === 'CONFIGURATION_INVALID')
  assert.ok(isClosed)
})

it.run()
