import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import { Failure, failure } from '../../../core/failure.ts'
import type { Positioned } from '../../../core/following/feed.ts'
import type { FollowOptions } from '../../../core/following/iterate.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { namesParts, partsOf } from '../../../core/log/parts.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { right, world, type World } from '../world/world.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { ada, personResource } from '../command/persons.ts'
import { isWaiting, quiet } from '../world/under-way.ts'
import { secondProcess } from '../command/second-process.ts'
import { gate } from './stage.ts'

const it = suite('engine.follow')

const tag = ({ done, root }: World, userTagName: string) => done(root, 'create_user_tag', { userTagName, userIds: [] })

/** So many of the events; then it leaves the loop. */
const some = async (events: AsyncIterable<Positioned>, count: number): Promise<readonly Positioned[]> => {
  const taken: Positioned[] = []
  for await (const one of events) {
    taken.push(one)
    if (taken.length === count) break
  }
  return taken
}

const stored = async ({ storage }: Pick<World, 'storage'>): Promise<readonly Positioned[]> =>
  right(await storage.store.readAll(0n, 10_000)()).map(({ line, position, parts }) => {
    const event = right(decodeEvent(line))
    return namesParts(event) ? { event, position, parts: partsOf(event, parts) } : { event, position }
  })

/** What the loop throws, or the number of events after which it ends. */
const endOf = async (engine: Engine, options: FollowOptions): Promise<string | number> => {
  const taken: Positioned[] = []
  try {
    for await (const one of engine.follow(options)) taken.push(one)
    return taken.length
  } catch (thrown) {
    return Failure.is(thrown) ? thrown.code : String(thrown)
  }
}

/** A store in memory that can wait or refuse, and counts who watches it and the pages that are read. */
const watchedStore = (soleWriter = true) => {
  const { store, readModels } = memoryStore()
  const state: { held?: Promise<void>; fault?: Failure | 'throws'; watching: number; pages: number } = {
    watching: 0,
    pages: 0,
  }
  const storage: Storage = {
    readModels,
    store: {
      ...store,
      capabilities: { ...store.capabilities, soleWriter },
      watch: (onAppended) => {
        state.watching += 1
        const stop = store.watch(onAppended)
        return () => {
          state.watching -= 1
          stop()
        }
      },
      readAll:
        (...asked) =>
        async () => {
          state.pages += 1
          await state.held
          if (state.fault === 'throws') throw new Error('a bug of the store: secret')
          return state.fault === undefined ? store.readAll(...asked)() : E.left(state.fault)
        },
    },
  }
  return { storage, state }
}

it('gives all that there is, then what comes, with their positions', async () => {
  const w = await world()
  await tag(w, 'one')
  const before = (await stored(w)).length
  const taking = some(w.engine.follow({ after: 'start' }), before + 4)
  await quiet()
  await tag(w, 'two')
  await tag(w, 'three')
  assert.equal(await taking, await stored(w))
  await w.close()
})

it('begins behind the end of the moment of the call, whenever the first event is asked for', async () => {
  const w = await world()
  const events = w.engine.follow()
  const { id } = await tag(w, 'one')
  const [first] = await some(events, 1)
  assert.equal([first?.event.activity, first?.event.type], [id, 'ActivityCreated'])
  assert.equal(await some(events, 1), [first], 'each loop begins anew')
  await w.close()
})

it('goes on behind a position', async () => {
  const w = await world()
  await tag(w, 'one')
  const all = await stored(w)
  const half = all[1]?.position ?? 0n
  assert.equal(await some(w.engine.follow({ after: half }), all.length - 2), all.slice(2))
  await w.close()
})

it('gives only what is wanted: of an organization, of types', async () => {
  const w = await world()
  const other = await world({ store: w.storage, testClock: w.clock })
  await tag(w, 'one')
  await tag(other, 'two')
  const [end] = (await stored(w)).slice(-1)
  const organization = other.organizationId
  const taken = await some(w.engine.follow({ after: 'start', organization, types: ['ActivityCompleted'] }), 2)
  assert.equal(
    taken.map(({ event }) => [event.organization, event.type]),
    [
      [organization, 'ActivityCompleted'],
      [organization, 'ActivityCompleted'],
    ],
  )
  assert.is(taken[1]?.position, end?.position)
  await w.close()
})

it('hears of what another process commits', async () => {
  const w = await world()
  const second = await secondProcess(w)
  const taking = some(second.follow(), 2)
  const { id } = await tag(w, 'one')
  assert.equal(
    (await taking).map(({ event }) => event.activity),
    [id, id],
  )
  await second.close()
})

it('reads no page before the one before was taken', async () => {
  const { storage, state } = watchedStore()
  const w = await world({ store: storage, limits: { userTags: 1_000 } })
  await Promise.all(Array.from({ length: 260 }, (_, n) => tag(w, `tag ${n}`)))
  await quiet()
  const before = state.pages
  let taken = 0
  for await (const { position } of w.engine.follow({ after: 'start' })) {
    taken += 1
    assert.is(Number(position), taken)
    if (taken === 400) assert.is(state.pages - before, 1)
    if (taken === 502) break
  }
  assert.is(state.pages - before, 2)
  await w.close()
})

it('ends when the signal aborts: before, while it waits, while it reads, and in the loop', async () => {
  const { storage, state } = watchedStore()
  const w = await world({ store: storage })
  assert.is(await endOf(w.engine, { after: 'start', signal: AbortSignal.abort() }), 0)
  const waits = new AbortController()
  const waiting = endOf(w.engine, { signal: waits.signal })
  assert.is(await isWaiting(waiting), true)
  waits.abort()
  assert.is(await waiting, 0)
  const { closed, open } = gate()
  state.held = closed
  const reads = new AbortController()
  const reading = endOf(w.engine, { after: 'start', signal: reads.signal })
  assert.is(await isWaiting(reading), true)
  reads.abort()
  assert.is(await reading, 0)
  open()
  const inside = new AbortController()
  const taken: Positioned[] = []
  for await (const one of w.engine.follow({ after: 'start', signal: inside.signal })) {
    taken.push(one)
    inside.abort()
  }
  assert.is(taken.length, 1)
  await w.close()
})

it('ends when the engine closes, or is closed already', async () => {
  const w = await world()
  const waiting = endOf(w.engine, {})
  const late = w.engine.follow({ after: 'start' })
  const inLoop = (async () => {
    const taken: Positioned[] = []
    for await (const one of w.engine.follow({ after: 'start' })) {
      taken.push(one)
      await w.close() // whoever takes events may close the engine, too
    }
    return taken.length
  })()
  assert.equal([await inLoop, await waiting], [1, 0])
  assert.equal([await endOf(w.engine, { after: 'start' }), await some(late, 1)], [0, []])
})

it('lets go of everything when the loop is left, however that is done', async () => {
  const { storage, state } = watchedStore(false)
  const w = await world({ store: storage })
  const before = state.watching
  await some(w.engine.follow({ after: 'start' }), 1)
  assert.is(state.watching, before)
  const events = w.engine.follow()[Symbol.asyncIterator]()
  const next = events.next()
  assert.is(await isWaiting(next), true)
  assert.is(state.watching, before + 1)
  await events.return?.()
  assert.equal([(await next).done, state.watching], [true, before])
  await w.close()
})

it('throws a failure where the store cannot be read, or throws itself', async () => {
  const { storage, state } = watchedStore()
  const notices: unknown[] = []
  const w = await world({ store: storage, onNotice: (notice) => void notices.push(notice) })
  state.fault = failure('UNAVAILABLE', 'the disk does not answer')
  assert.is(await endOf(w.engine, { after: 'start' }), 'UNAVAILABLE')
  state.fault = 'throws'
  assert.is(await endOf(w.engine, { after: 'start' }), 'INTERNAL')
  assert.is(notices.length, 1)
  assert.not.match(JSON.stringify(notices), 'secret')
  delete state.fault
  await w.close()
})

it('throws a failure at an event that this version cannot read, and says where it is', async () => {
  const w = await world()
  await quiet()
  const event = { id: 'x', activity: 'y', revision: 1n, line: encodeUtf8('{"type":"ActivityPostponed"}'), parts: [] }
  right(await w.storage.store.append([{ organization: 'o', expected: 'none', events: [event], checks: [] }])())
  const thrown: unknown = await some(w.engine.follow({ after: 'start' }), 100).catch((cause: unknown) => cause)
  assert.ok(Failure.is(thrown) && thrown.code === 'ORGANIZATION_CLOSED')
  assert.match(thrown.message, /position 3/)
  const calledOff = new AbortController()
  const others = endOf(w.engine, { after: 'start', organization: w.organizationId, signal: calledOff.signal })
  assert.is(await isWaiting(others), true, 'it is in another organization')
  calledOff.abort()
  assert.is(await others, 2)
  await w.close()
})

it('refuses a place behind the end, as after a backup was put back, and types that do not exist', async () => {
  const w = await world()
  const last = right(await w.engine.lastPosition()())
  const types = ['ActivityComplete'] as unknown
  for (const options of [{ after: last + 1n }, { after: -1n }, { types } as FollowOptions])
    assert.is(await endOf(w.engine, options), 'CONFIGURATION_INVALID')
  await w.close()
})

it('gives events that are nobody else’s: who changes them harms nobody', async () => {
  const w = await world()
  const taking = (async () => {
    for await (const { event } of w.engine.follow({ types: ['ActivityCompleted'] })) {
      Object.assign(event.data, { type: 'ACTIVITY_TYPE_NONE' })
      return
    }
  })()
  const { id } = await tag(w, 'one')
  await taking
  const [first] = await some(w.engine.follow({ after: 'start', organization: w.organizationId }), 4).then((all) =>
    all.filter(({ event }) => event.activity === id && event.type === 'ActivityCompleted'),
  )
  assert.match(JSON.stringify(first?.event.data), 'ACTIVITY_TYPE_CREATE_USER_TAG')
  await w.close()
})

it('gives the parts of an event with it, but for its request', async () => {
  const w = await world({ resources: [...publicApi, personResource] })
  const events = w.engine.follow()
  await w.done(w.root, 'register_persons', { persons: [ada], key: 'k' })
  const [created, completed] = await some(events, 2)
  assert.equal([created?.parts, completed?.parts?.size], [undefined, 2])
  assert.equal([...(completed?.parts?.keys() ?? [])].sort()[0], 'bundle')
  await w.close()
})

it.run()
