import type { Storage } from '../../core/ports/storage.ts'
import { anyCommit, anyEvents } from './any.ts'
import { consumer } from './consumer.ts'
import { failsWith, right, same, until } from './expect.ts'
import { append, storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const ids = async ({ store }: Pick<Storage, 'store'>) => (await right(store.readAll(0n, 100_000))).map(({ id }) => id)
const row = (key: string) => ({ _tag: 'put', organization: 'acme', key, order: 1n, facets: {}, value: key }) as const

const writing = async (storage: Pick<Storage, 'store'>, commits: number): Promise<void> => {
  for (let i = 0; i < commits; i++)
    await append(storage, ...Array.from({ length: 1 + (i % 4) }, () => anyCommit({ events: anyEvents(2) })))
}

export const followingCases: readonly StoreCase[] = [
  storeCase('38', 'moves a checkpoint over events that a consumer does not want', [], async (opened) => {
    await append(opened, ...['a', 'b', 'a', 'b'].map((organization) => anyCommit({ organization })))
    const following = consumer(opened, { name: 'a', batch: 3, isWanted: ({ organization }) => organization === 'a' })
    await following.behindNothing()
    await following.stop()
    same(following.seen.length, 2)
    same(await right(opened.readModels.checkpoint('a')), 4n)
  }),

  storeCase('41', 'leads from the past into the present without gap or repetition, under load', [], async (opened) => {
    await writing(opened, 20)
    const following = consumer(opened, { name: 'all', batch: 7 })
    await Promise.all([writing(opened, 40), writing(opened, 40)])
    await following.behindNothing()
    await following.stop()
    same(following.seen, await ids(opened))
  }),

  storeCase('42', 'is caught up once, and again once for every time that something came', [], async (opened) => {
    await writing(opened, 5)
    /** How often it had been caught up when something came. */
    const counts: number[] = []
    const onBatch = async () => void counts.push(following.caughtUp())
    const following = consumer(opened, { name: 'all', batch: 100, onBatch })
    for (const times of [1, 2, 3]) {
      if (times > 1) await append(opened, anyCommit())
      await until(() => (counts.at(-1) ?? 0) >= times - 1 && following.caughtUp() >= times)
    }
    await following.stop()
    same([...new Set(counts)], [0, 1, 2])
  }),

  storeCase(
    '42a',
    'wakes those who watch after commits that they can read, and nobody who has stopped',
    [],
    async (opened) => {
      const heard: string[] = []
      const stopA = opened.store.watch(() => heard.push('a'))
      const stopB = opened.store.watch(() => heard.push('b'))
      await append(opened, anyCommit())
      await until(() => heard.includes('a') && heard.includes('b'))
      stopA()
      heard.length = 0
      await append(opened, anyCommit())
      await until(() => heard.length > 0)
      same(new Set(heard), new Set(['b']))
      stopB()
    },
  ),

  storeCase('43', 'loses nothing to a slow consumer, which asks for as much as it can hold', [], async (opened) => {
    let largest = 0
    const written = writing(opened, 60)
    const onBatch = (events: readonly unknown[]) => {
      largest = Math.max(largest, events.length)
      return written // so slow that everything is written while it has its first batch
    }
    const following = consumer(opened, { name: 'slow', batch: 10, onBatch })
    await written
    await following.behindNothing()
    await following.stop()
    same(following.seen, await ids(opened))
    same(largest <= 10, true)
  }),

  storeCase('46', 'keeps a consumer that was overtaken from moving the checkpoint', [], async ({ readModels }) => {
    await right(readModels.move('p', 0n, 5n, [row('first')]))
    await failsWith('CONFLICT', readModels.move('p', 0n, 9n, [row('late')]))
    await failsWith('CONFLICT', readModels.move('p', 4n, 9n, [row('late')]))
    same(await right(readModels.checkpoint('p')), 5n)
    const race = [6n, 7n, 8n].map((to) => readModels.move('p', 5n, to, [row(`${to}`)])())
    same((await Promise.all(race)).map(({ _tag }) => _tag).sort(), ['Left', 'Left', 'Right'])
  }),

  storeCase('47', 'moves rows and checkpoint together or not at all', [], async ({ readModels }) => {
    await right(readModels.move('p', 0n, 1n, [row('a')]))
    await failsWith(
      'CONFLICT',
      readModels.move('p', 0n, 2n, [row('b'), { _tag: 'delete', organization: 'acme', key: 'a' }]),
    )
    same(await right(readModels.row('p', 'acme', 'a')), 'a')
    same(await right(readModels.row('p', 'acme', 'b')), undefined)
  }),

  storeCase('48', 'finishes the batch under way when a consumer stops, and goes on behind it', [], async (opened) => {
    await writing(opened, 40)
    let stopped: Promise<void> | undefined
    const first = consumer(opened, { name: 'p', batch: 5, onBatch: async () => void (stopped ??= first.stop()) })
    await until(() => stopped !== undefined)
    await stopped
    same(first.seen.length, 5)
    const second = consumer(opened, { name: 'p', batch: 1000 })
    await second.behindNothing()
    await second.stop()
    same([...first.seen, ...second.seen], await ids(opened))
  }),

  storeCase('49', 'goes on behind the checkpoint after the store was opened again', ['reopen'], async (opened) => {
    await writing(opened, 10)
    const first = consumer(opened, { name: 'p', batch: 5 })
    await until(() => first.seen.length > 0)
    await first.stop()
    const again = await opened.reopened()
    await writing(again, 10)
    const second = consumer(again, { name: 'p', batch: 50 })
    await second.behindNothing()
    await second.stop()
    same([...first.seen, ...second.seen], await ids(again))
  }),
]
