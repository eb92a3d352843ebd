import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Appended, Head, ListedActivity, Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'
import { right, world } from '../world/world.ts'
import { inTime } from '../world/under-way.ts'

const it = suite('own commits')

/** Every third position of this store is one that no event has. */
const spreadPosition = (count: bigint): bigint => count + count / 2n
const countUpTo = (position: bigint): bigint => (2n * position + 1n) / 3n

const withGaps = ({ store, readModels }: Storage): Storage => {
  const spread = <A extends Recorded | Head | ListedActivity | Appended>(one: A): A =>
    'position' in one ? { ...one, position: spreadPosition(one.position) } : one
  const all = <A extends Recorded | ListedActivity | Appended>(
    task: TE.TaskEither<Failure, readonly A[]>,
  ): TE.TaskEither<Failure, readonly A[]> => TE.map((found: readonly A[]) => found.map(spread))(task)
  return {
    readModels,
    store: {
      ...store,
      capabilities: { ...store.capabilities, soleWriter: true, gaplessPositions: false },
      append: (commits) => all(store.append(commits)),
      readLog: (...asked) => all(store.readLog(...asked)),
      readActivity: (...asked) => all(store.readActivity(...asked)),
      readAll: (after, ...asked) => all(store.readAll(countUpTo(after), ...asked)),
      activities: (...asked) => all(store.activities(...asked)),
      pending: (after, limit) => all(store.pending(countUpTo(after), limit)),
      head: (of) => TE.map((found: Head | undefined) => found && spread(found))(store.head(of)),
      lastPosition: () => TE.map(spreadPosition)(store.lastPosition()),
    },
  }
}

const places = projection({
  name: 'places',
  version: 1,
  on: [
    anyEvent(({ id }, { position }) => [
      { _tag: 'put', organization: '*', key: id, order: position, facets: {}, value: null },
    ]),
  ],
})

for (const [name, spread] of Object.entries({ 'without gaps': (one: Storage) => one, 'with gaps': withGaps })) {
  it(`have the positions that the store gave them: ${name}`, async () => {
    const storage = spread(memoryStore())
    const w = await world({ store: storage })
    right(await w.engine.subscribe(places)())
    for (const tag of ['a', 'b', 'c']) await w.done(w.root, 'create_user_tag', { userTagName: tag, userIds: [] })
    const last = right(await storage.store.lastPosition()())
    right(await inTime(w.clock, w.engine.whenProcessed(last, 'places')()))
    const rows = right(await storage.readModels.rows('places@1', '*', { limit: 100, ascending: true })())
    const stored = right(await storage.store.readAll(0n, 100)())
    assert.equal(
      rows.map(({ key, order }) => [key, order]),
      stored.map(({ id, position }) => [id, position]),
    )
    await w.close()
  })
}

it.run()
