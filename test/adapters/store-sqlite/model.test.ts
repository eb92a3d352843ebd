import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import type { Commit } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { anyCalls } from '../store-memory/any-calls.ts'
import { naiveStore } from '../store-memory/naive-store.ts'
import { folder } from './any-file.ts'

const it = suite<{ directory: string; storage: Storage }>('SQLite store: model')

it.before(async (context) => {
  context.directory = await folder.make()
  context.storage = await right(openSqliteStore({ path: join(context.directory, 'store.db'), headsMax: 2 }))
})
it.after(async ({ directory, storage }) => {
  await closed(storage)
  await folder.remove(directory)
})

/** Names that no run before has used: all runs share one store. */
const renamed = (calls: readonly (readonly Commit[])[], prefix: string) =>
  calls.map((commits) =>
    commits.map((commit) => ({
      ...commit,
      organization: prefix + commit.organization,
      events: commit.events.map((event) => ({ ...event, id: prefix + event.id })),
      checks: commit.checks.map((check) => ({ ...check, organization: prefix + check.organization })),
    })),
  )

it('answers any calls, whether one by one or in groups, as a naive store does', ({ storage: { store } }) =>
  fc.assert(
    fc.asyncProperty(anyCalls(''), fc.boolean(), async (anonymous, isGrouped) => {
      const calls = renamed(anonymous, `${randomUUID()}/`)
      const start = await right(store.lastPosition())
      const naive = naiveStore(start + 1n)
      const expected = calls.map(naive.append)
      const answers = []
      if (isGrouped) answers.push(...(await Promise.all(calls.map((commits) => right(store.append(commits))))))
      else for (const commits of calls) answers.push(await right(store.append(commits)))
      assert.equal(answers, expected)
      const all = await right(store.readAll(start, 1000))
      assert.equal(
        all.map(({ id, organization, sequence, position }) => ({ id, organization, sequence, position })),
        naive.all(),
      )
    }),
    { numRuns: 200 },
  ))

it.run()
