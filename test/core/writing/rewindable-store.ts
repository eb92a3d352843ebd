import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { EventStore, NewEvent } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { right } from '../world/world.ts'

/** A store that can lose its last events, as after a failover or when a backup is put in place; its rows stay, unless they go, too. */
export const rewindableStore = () => {
  let current = memoryStore()
  const always = <K extends 'store' | 'readModels'>(part: K): Storage[K] =>
    new Proxy({} as Storage[K], { get: (_, name) => Reflect.get(current[part], name) as unknown })
  const standings = new Map<string, Pick<NewEvent, 'standing'>>()
  const inner = always('store')
  const append: EventStore['append'] = (commits) => {
    for (const { events } of commits) for (const { id, standing } of events) standings.set(id, { standing })
    return inner.append(commits)
  }
  const store = new Proxy(inner, {
    get: (_, name) => (name === 'append' ? append : (Reflect.get(inner, name) as unknown)),
  })
  const storage: Storage = { store, readModels: always('readModels') }

  const loseAfter = async (position: bigint, { rows }: { readonly rows: 'kept' | 'lost' } = { rows: 'kept' }) => {
    const before = current
    const left = right(await before.store.readAll(0n, Number(position))())
    const after = memoryStore()
    for (const { organization, id, activity, revision, line, parts } of left) {
      const events = [{ id, activity, revision, line, parts, ...standings.get(id) }]
      right(await after.store.append([{ organization, expected: 'any', events, checks: [] }])())
    }
    current = rows === 'lost' ? after : { store: after.store, readModels: before.readModels }
  }
  return { storage, loseAfter, last: async () => right(await current.store.lastPosition()()) }
}
