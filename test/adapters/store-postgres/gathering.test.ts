import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { gathering } from '../../../adapters/store-postgres/gathering.ts'
import type { Asking, Pool } from '../../../adapters/store-postgres/pool.ts'

const it = suite('PostgreSQL store: reads that gather')

const nobody = {} as Asking
const pool: Pool = { lend: (use) => use(nobody), close: async () => undefined }

it('answer all who asked before they began, each with its own, and at most so many at once', async () => {
  const asked: (readonly number[])[] = []
  const read = gathering(
    pool,
    async (_, keys: readonly number[]) => {
      asked.push(keys)
      return keys.map((key) => key * 10)
    },
    3,
  )
  assert.equal(await Promise.all([1, 2, 3, 4, 5].map(read)), [10, 20, 30, 40, 50])
  assert.equal(asked, [
    [1, 2, 3],
    [4, 5],
  ])
})

it('tell all who were taken that the statement failed, and go on with the others', async () => {
  let reads = 0
  const read = gathering(
    pool,
    async (_, keys: readonly number[]) => {
      reads += 1
      if (reads === 1) throw new Error('lost')
      return keys
    },
    2,
  )
  const outcomes = await Promise.allSettled([1, 2, 3].map(read))
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})

it('tell all who wait that there is no connection', async () => {
  const none: Pool = { ...pool, lend: () => Promise.reject(new Error('no connection')) }
  const outcomes = await Promise.allSettled([1, 2].map(gathering(none, async (_, keys: readonly number[]) => keys)))
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

it.run()
