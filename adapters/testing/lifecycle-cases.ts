import { E } from '../../core/prelude.ts'
import { anyCommit, anyEvent, anyPart } from './any.ts'
import { failsWith, right, same } from './expect.ts'
import { append, closed, storeCase, withOpened } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'

export const lifecycleCases: readonly StoreCase[] = [
  {
    number: '0',
    name: 'says of itself what it was said to be',
    needs: [],
    test: (under) => withOpened(under, under.open, async ({ store }) => same(store.capabilities, under.capabilities)),
  },

  {
    number: '39',
    name: 'has every event that it acknowledged after its process was killed',
    needs: ['durable', 'openCrashed'],
    test: async (under) => {
      if (under.openCrashed === undefined) return
      await withOpened(under, under.openCrashed, async ({ store }, { acknowledged }) => {
        const kept = new Set((await right(store.readAll(0n, 1_000_000))).map(({ id }) => id))
        same(acknowledged.length > 0, true)
        same(
          acknowledged.filter((id) => !kept.has(id)),
          [],
        )
        same(kept.size, Number(await right(store.lastPosition())))
      })
    },
  },

  storeCase(
    '40',
    'brings its feed and its checkpoints back out of a backup',
    ['durable', 'restore'],
    async (opened) => {
      await append(opened, anyCommit({ organization, events: [anyEvent({ parts: [anyPart()] })] }), anyCommit())
      await right(opened.readModels.move('p', 0n, 1n, []))
      const before = await right(opened.store.readAll(0n, 10))
      const copy = await opened.restored()
      same(await right(copy.store.readAll(0n, 10)), before)
      same(await right(copy.readModels.checkpoint('p')), 1n)
      same(await append(copy, anyCommit({ organization, expected: 1n })), [
        { _tag: 'committed', sequence: 2n, position: 3n },
      ])
    },
  ),

  {
    number: '55',
    name: 'brings a store of every older version up to this one',
    needs: ['openOlder'],
    test: async (under) => {
      for (const open of under.openOlder ?? [])
        await withOpened(under, open, async (opened) => {
          const before = await right(opened.store.lastPosition())
          const [appended] = await append(opened, anyCommit({ organization: 'after the migration' }))
          same(appended, { _tag: 'committed', sequence: 1n, position: before + 1n })
          same(await right(opened.store.importedTo()), 0n)
          await right(opened.store.setImportedTo(before))
          same(await right(opened.store.importedTo()), before)
          same(await right(opened.readModels.snapshot('after the migration')), undefined)
          same(await right(opened.store.standingsVersion()), 0n)
          same(await right(opened.store.activities('after the migration', { limit: 10 })), [])
        })
    },
  },

  storeCase('57', 'lets go of everything when it is closed, as often as it is closed', [], async (opened) => {
    const { store, readModels } = opened
    await append(opened, anyCommit())
    const stop = store.watch(() => {})
    await closed(opened)
    await closed(opened)
    stop()
    await failsWith('UNAVAILABLE', store.append([anyCommit()]))
    await failsWith('UNAVAILABLE', store.head(organization))
    await failsWith('UNAVAILABLE', store.readAll(0n, 10))
    await failsWith('UNAVAILABLE', store.importedTo())
    await failsWith('UNAVAILABLE', store.setImportedTo(1n))
    await failsWith('UNAVAILABLE', readModels.checkpoint('p'))
  }),

  storeCase(
    '76',
    'finds out whether it takes writes, as often as it is asked, and leaves nothing behind',
    [],
    async (opened) => {
      const { store, readModels } = opened
      await append(opened, anyCommit({ organization }))
      const seen = async () => [
        await right(store.readAll(0n, 10)),
        await right(store.lastPosition()),
        await right(store.organizations('', 10)),
        await right(readModels.projections()),
        await right(readModels.snapshot(organization)),
      ]
      const before = await seen()
      await right(store.checkWritable())
      await Promise.all([right(store.checkWritable()), right(store.checkWritable())])
      same(await seen(), before)
      same(await append(opened, anyCommit({ organization, expected: 1n })), [
        { _tag: 'committed', sequence: 2n, position: 2n },
      ])
      await closed(opened)
      await failsWith('UNAVAILABLE', store.checkWritable())
    },
  ),

  storeCase(
    '58',
    'says honestly what became of commits that were under way when it was closed',
    ['reopen'],
    async (opened) => {
      const commits = Array.from({ length: 50 }, () => anyCommit({ organization }))
      const calls = commits.map((commit) => opened.store.append([commit])())
      const { store } = await opened.reopened()
      const kept = new Set((await right(store.readLog(organization, 0n, 100))).map(({ id }) => id))
      const answers = await Promise.all(calls)
      commits.forEach(({ events }, i) => {
        const answer = answers[i]
        if (answer && E.isRight(answer)) same(kept.has(events[0]?.id ?? ''), true)
        else same(answer && E.isLeft(answer) && answer.left.code, 'UNAVAILABLE')
      })
    },
  ),

  storeCase('61', 'refuses to be opened for writing twice', ['soleWriter', 'openBeside'], async (opened) => {
    if (opened.openBeside) await failsWith('STORE_LOCKED', opened.openBeside)
    same((await append(opened, anyCommit()))[0]?._tag, 'committed')
  }),

  storeCase('62', 'has after reopening what it acknowledged before', ['durable', 'reopen'], async (opened) => {
    await append(
      opened,
      anyCommit({ organization, events: [anyEvent({ parts: [anyPart()] })] }),
      anyCommit({ organization }),
    )
    const before = await right(opened.store.readAll(0n, 10))
    const again = await opened.reopened()
    same(await right(again.store.readAll(0n, 10)), before)
    same(await append(again, anyCommit({ organization, expected: 2n })), [
      { _tag: 'committed', sequence: 3n, position: 3n },
    ])
  }),

  storeCase('63', 'says up to where its log was imported, whatever is built anew beside it', [], async (opened) => {
    const { store, readModels } = opened
    same(await right(store.importedTo()), 0n)
    await right(store.setImportedTo(2n ** 63n - 1n))
    same(await right(store.importedTo()), 2n ** 63n - 1n)
    await append(opened, anyCommit({ organization }), anyCommit())
    await right(readModels.move('p', 0n, 2n, []))
    await right(store.setImportedTo(2n))
    await right(readModels.drop('p'))
    await right(readModels.dropSnapshots())
    await append(opened, anyCommit({ organization }))
    same(await right(store.importedTo()), 2n)
    await right(store.setImportedTo(0n))
    same(await right(store.importedTo()), 0n)
  }),

  storeCase('64', 'still says so after it was opened again', ['durable', 'reopen'], async (opened) => {
    await append(opened, anyCommit())
    await right(opened.store.setImportedTo(1n))
    const { store } = await opened.reopened()
    same(await right(store.importedTo()), 1n)
  }),

  storeCase('65', 'says so in a backup, too', ['durable', 'restore'], async (opened) => {
    await append(opened, anyCommit())
    await right(opened.store.setImportedTo(1n))
    const { store } = await opened.restored()
    same(await right(store.importedTo()), 1n)
  }),
]
